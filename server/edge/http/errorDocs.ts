import { type TSchema, Type } from "typebox";
import { DISPUTE_CHANGED_REASONS, type ErrorCode, UNVERIFIED_REASONS } from "../../domain/errors.ts";
import { idKind } from "../../domain/ids.ts";
import { TERMS } from "../../domain/terms.ts";
import type { Components } from "./declaration.ts";
import { choice, member } from "./schemas.ts";

export interface ErrorDoc {
  /** The case in which it is answered, and the advice for it. */
  readonly meaning: string;
  readonly example: object;
}

/** An error with the further contents of its section in docs/errors.md, in Markdown. */
export interface ErrorSection extends ErrorDoc {
  readonly more?: string;
  /** Examples after the first. */
  readonly examples?: readonly object[];
  /** The advice for a merchant. */
  readonly advice: string;
  /** The cells of the overview. `stored` is set only if the answer differs from case to case. */
  readonly again: string;
  readonly stored?: string;
  /** Statuses besides the code's own. */
  readonly statuses?: readonly number[];
}
/** The errors of a door. */
export type ErrorDocs = Readonly<Partial<Record<ErrorCode, ErrorDoc>>>;

type Members = Readonly<Record<string, TSchema>>;
/** The members of `error` other than code and message, by code (§7, §4.5.8). */
const DETAILS: Partial<Record<string, Members>> = {
  invalid_request: { param: Type.String({ description: "The field, query parameter or header that is wrong." }) },
  reference_in_use: {
    intent: member(idKind("pi"), "The open intent that has the reference."),
  },
  signature_unverified: {
    reason: choice(UNVERIFIED_REASONS, { description: "Why it could not be verified." }),
    mismatch: Type.Optional(Type.Array(choice(TERMS), { description: "With `mismatch`: the terms that differ." })),
    retryable: Type.Boolean({ description: "True if the same request may succeed later." }),
  },
  dispute_changed: {
    reason: choice(DISPUTE_CHANGED_REASONS, {
      description: "Why the state of the payment on chain, or of its dispute, forbids it.",
    }),
  },
  action_refused: { reason: Type.String({ pattern: "^[a-z_]+$", description: "The obstacle, as a word." }) },
} satisfies Partial<Record<ErrorCode, Members>>;

/** `reference_in_use` → `ErrorReferenceInUse`. */
export const errorComponent = (code: string): string =>
  `Error${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** §2.5: the envelope, once for each code. */
export const errorComponents = (docs: Readonly<Record<string, ErrorDoc>>, members?: Members): Components =>
  Object.fromEntries(
    Object.keys(docs).map((code) => [
      errorComponent(code),
      Type.Object(
        {
          error: Type.Object({
            code: Type.Literal(code),
            ...(members ?? DETAILS[code]),
            message: Type.String({ minLength: 1, description: "The mistake, the expected value, and the next step." }),
          }),
        },
        { description: docs[code]!.meaning },
      ),
    ]),
  );
