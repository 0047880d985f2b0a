import { type TSchema, Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_CHARACTERS_MAX } from "../../domain/limits.ts";
import { API_VERSION, API_VERSIONS } from "../../domain/version.ts";
import { IDEMPOTENCY_KEY } from "./headers.ts";
import { choice } from "./schemas.ts";

/** The headers a request may carry, other than those that identify the caller. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: `Makes a repeat safe: the same key with the same request gets the first answer again for ${IDEMPOTENCY_HOURS} hours. A new random value, such as a UUID, for each thing you do.`,
    schema: Type.String({
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX,
      pattern: IDEMPOTENCY_KEY.source,
    }),
    example: "3f0c7c1e-6a53-4c5e-9f0b-0f5b5e9f7a11",
  },
  "Service-Api-Version": {
    name: "Service-Api-Version",
    in: "header",
    required: false,
    description: "The version to speak. Without it, the newest.",
    schema: choice(API_VERSIONS),
    example: API_VERSION,
  },
} as const;

interface HeaderDoc {
  /** True if every answer that lists it has it. */
  readonly required: boolean;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: string | number;
}
export type HeaderDocs = Readonly<Record<string, HeaderDoc>>;

/** The headers of every answer. */
export const ANSWER_HEADERS: HeaderDocs = {
  "Request-Id": {
    required: true,
    description: "Names this request; quote it when you ask about it. A replay has its own.",
    schema: idKind("req").schema,
    example: "req_01a1fc0a78046aa1e252f963dd760656",
  },
  "Service-Api-Version": {
    required: true,
    description: "The version this answer is written in.",
    schema: choice(API_VERSIONS),
    example: API_VERSION,
  },
};

/** The headers of some answers. */
export const FURTHER_HEADERS: HeaderDocs = {
  "Retry-After": {
    required: true,
    description: "Seconds to wait before the next try.",
    schema: Type.Integer({ minimum: 1 }),
    example: 34,
  },
  "Content-Disposition": {
    required: true,
    description: "`attachment`, with a name for the file.",
    schema: Type.String({ pattern: "^attachment; filename=" }),
    example: 'attachment; filename="df_test_5szw01a1fc2b90fe6aa1dfb6bc9487e1991e.png"',
  },
  "Idempotent-Replayed": {
    required: false,
    description: "`true` on an answer that was given before under this Idempotency-Key; absent otherwise.",
    schema: Type.Literal("true"),
    example: "true",
  },
};
