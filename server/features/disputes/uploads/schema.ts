import { idKind } from "../../../domain/ids.ts";
import { checked, SHA256, whole } from "../../../domain/values.ts";
import { buyerBody, needed } from "../../../edge/buyer/body.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { field, requestBody } from "../../../edge/http/fields.ts";
import { shownAnswer, shownObject } from "../../../edge/http/objects.ts";
import { pathPart } from "../../../edge/http/parameters.ts";
import { answer } from "../../../edge/http/schemas.ts";
import { CHANGE_ERRORS } from "../../../edge/staff/answers.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { integer, text, time, word } from "../../../lib/columns.ts";
import { FILE_BYTES_MAX, FILE_NAME_CHARACTERS_MAX, FILE_TYPES, isFileName } from "../files/file.ts";
import { FILE_EXAMPLE } from "../files/objects.ts";
import { casePath, declareCase } from "../proof/schema.ts";

const DISPUTE_EXAMPLE = "dp_test_5szw01a1fc2b90fe6aa1dfb6bc9487e1991e";

const FILE_NAME = checked(
  { minLength: 1, maxLength: FILE_NAME_CHARACTERS_MAX },
  `a name of 1 to ${FILE_NAME_CHARACTERS_MAX} characters without slashes, control characters, invisible characters and piles of marks`,
  isFileName,
);
const FILE_SIZE = whole(1, FILE_BYTES_MAX, `a whole number of 1 to ${FILE_BYTES_MAX} bytes`);
const FILE_BODY = requestBody({
  component: "DisputeFileInput",
  operation: "Announcing a file",
  fields: {
    name: field(FILE_NAME),
    size: field(FILE_SIZE, { description: "The bytes that will be sent." }),
    sha256: field(SHA256, { description: "The SHA-256 of the bytes that will be sent." }),
  },
  example: { name: FILE_EXAMPLE.name, size: 201_118, sha256: FILE_EXAMPLE.sha256 },
});

export const UPLOAD = shownObject(
  "dispute_upload",
  {
    uploadUrl: text({
      says: "The address for a `PUT` of exactly the announced bytes, without a key. Keep it secret. Its answer, 201, has the file's `id`, `type`, `size` and `sha256` as they are kept, and `sentSha256`.",
      example: "https://pay.example.com/pay/uploads/pJ1kq0S7m0m3mS0k8mXo7w5wZ3q9mJtq3Cw1l8w2x4A",
    }),
    expiresAt: time({ says: "The address holds until this time.", example: "2026-11-21T03:24:00.000Z" }),
  },
  "An announced file.",
);

export const uploadComponents: Components = {
  DisputeFileInput: FILE_BODY.schema,
  DisputeUpload: UPLOAD.schema,
};

const description =
  "Announces a PNG, JPEG or WebP picture, a PDF or a plain text of at most 5,000,000 bytes; `uploadUrl` then takes its bytes within ten minutes. Pictures lose all metadata. Ten files a side; while the arbiter decides, they follow the side's one word within an hour. Nobody edits or deletes a file.";
const fileParameter = pathPart(idKind("df"), "The file's id.", FILE_EXAMPLE.id);
const disputeParameter = pathPart(idKind("dp"), "The dispute's id.", DISPUTE_EXAMPLE);
const announced = answer(201, "The address for the bytes.", "DisputeUpload", UPLOAD.example);
const sent = {
  status: 200,
  description: "The bytes, as an attachment with the file's own type.",
  mediaTypes: FILE_TYPES,
} as const;

const declare = declarations({ tag: "Disputes", path: { id: disputeParameter }, errors: ["not_found"] });
export const ANNOUNCE_FILE = declare({
  operationId: "announceDisputeFile",
  scope: "disputes",
  summary: "Announce a file",
  description,
  body: FILE_BODY,
  success: announced,
  errors: ["forbidden", "not_found", "dispute_changed"],
});
export const GET_FILE = declare({
  operationId: "getDisputeFile",
  summary: "Get a file",
  description: "The bytes of a file of either side, whose object `GET /disputes/{id}` shows.",
  path: { id: disputeParameter, file: fileParameter },
  success: sent,
});

const staffPath = { ...tenantPath, dispute: disputeParameter } as const;
const staffDeclare = declarations({ tag: "Disputes", path: staffPath, errors: ["not_found"] });
export const ANNOUNCE_STAFF_FILE = staffDeclare({
  operationId: "announceDisputeFile",
  summary: "Announce a file",
  description,
  body: FILE_BODY,
  success: announced,
  errors: [...CHANGE_ERRORS, "dispute_changed"],
});
/** §13.22.3: the same file, for an arbiter. */
export const GET_DESK_FILE = declarations({ tag: "Desk", errors: ["not_found"] })({
  operationId: "getDeskFile",
  summary: "Get a file of a dispute",
  description: "The bytes of a file of either side, whose object the dispute shows.",
  path: { dispute: disputeParameter, file: fileParameter },
  success: sent,
});
export const GET_STAFF_FILE = staffDeclare({
  ...GET_FILE,
  path: { ...staffPath, file: fileParameter },
});

/** §16.8: the same for the buyer. The address of an upload is a path. */
export const ANNOUNCE_BUYERS_FILE = declareCase({
  operationId: "announceFile",
  summary: "Announce a file",
  description: "Announces a file; `uploadUrl`, a path, then takes its bytes within ten minutes.",
  body: buyerBody(
    "FileInput",
    {
      name: needed(FILE_NAME, "Its name.", (texts) => texts.files.name),
      size: needed(FILE_SIZE, "The bytes that will be sent.", (texts) => texts.files.size),
      sha256: needed(SHA256, "The SHA-256 of these bytes.", (texts) => texts.files.unread),
    },
    FILE_BODY.example,
  ),
  success: shownAnswer(201, "The address for the bytes.", UPLOAD),
});
export const GET_BUYERS_FILE = declareCase({
  operationId: "getFile",
  path: { ...casePath, file: fileParameter },
  summary: "Get a file",
  description: "The bytes of a file of either side.",
  success: sent,
  errors: ["proof_needed", "not_found"],
});

const sha256 = text({ says: "The SHA-256 of the bytes as they are kept.", example: FILE_EXAMPLE.sha256 });
const KEPT_FILE = shownObject(
  "dispute_file",
  {
    id: text({ says: "The file's id.", example: FILE_EXAMPLE.id }),
    name: text({ says: "Its name.", example: FILE_EXAMPLE.name }),
    type: word({ of: FILE_TYPES, says: "Its type, by its content.", example: FILE_EXAMPLE.type }),
    size: integer({ says: "The bytes that are kept: pictures lose all metadata.", example: FILE_EXAMPLE.size }),
    sha256,
    sentSha256: text({ says: "The SHA-256 that was announced.", example: FILE_EXAMPLE.sha256 }),
  },
  "A file that was sent.",
);

/** The upload of an announced file, for the document alone: `upload.ts` serves it. */
export const FILE_UPLOAD = {
  method: "PUT",
  path: "/pay/uploads/:token",
  docs: buyerDeclarations({ tag: "Dispute", from: "open", path: {}, errors: [] })({
    operationId: "sendFile",
    path: {
      token: {
        schema: { type: "string" },
        description: "The secret at the end of `uploadUrl`.",
        example: "pJ1kq0S7m0m3",
      },
    },
    summary: "Send an announced file",
    description: "Takes exactly the announced bytes, whichever side announced them.",
    takesFile: true,
    success: shownAnswer(201, "The file, as it is kept.", KEPT_FILE),
    errors: ["bad_request", "not_found", "dispute_changed"],
  }),
} as const;
