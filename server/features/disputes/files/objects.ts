import { Type } from "typebox";
import { EXAMPLE_SUFFIX, idKind } from "../../../domain/ids.ts";
import type { Components } from "../../../edge/http/declaration.ts";
import { choice, member, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { FILE_BYTES_MAX, FILE_TYPES } from "./file.ts";

const side = choice(["buyer", "merchant"], { description: "The side that sent it." });
const hash = (description: string) => Type.String({ pattern: "^(?:[0-9a-f]{64})?$", description });
const size = Type.Integer({ minimum: 1, maximum: FILE_BYTES_MAX, description: "Its size in bytes, as it is kept." });

export const FILE_EXAMPLE = {
  id: `df_test_5szw${EXAMPLE_SUFFIX}`,
  side: "buyer",
  name: "parcel.jpg",
  type: "image/jpeg",
  size: 184_220,
  sha256: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
  createdAt: "2026-11-21T03:14:02.330Z",
  erasedAt: null,
  url: `https://api.example.com/api/v1/disputes/dp_test_5szw01a1fc2b90fe6aa1dfb6bc9487e1991e/files/df_test_5szw${EXAMPLE_SUFFIX}`,
} as const;

/** §4.20: the objects of files. */
export const fileComponents: Components = {
  DisputeFile: Type.Object(
    {
      id: member(idKind("df"), "Its id."),
      side,
      name: Type.String({
        maxLength: 100,
        description: "Its name, with an ending of its type; empty once it is erased.",
      }),
      type: choice(FILE_TYPES, { description: "Its type, by its content." }),
      size,
      sha256: hash(
        "The SHA-256 of the bytes that are kept. Pictures are kept without metadata. Empty once it is erased.",
      ),
      createdAt: timestamp("The time at which it was sent."),
      erasedAt: nullable(timestamp("The time at which it was erased."), {
        description: "The time at which it was erased; null if it was not.",
      }),
      url: Type.String({
        description: "Its address, for this reader. It is only ever sent as an attachment; 404 once it is erased.",
      }),
    },
    { description: "A file of one side. Neither side edits or deletes it." },
  ),
  DisputeFileCounts: Type.Object(
    { buyer: Type.Integer({ minimum: 0, maximum: 10 }), merchant: Type.Integer({ minimum: 0, maximum: 10 }) },
    { description: "The number of files of each side." },
  ),
};
