import { createHash, randomBytes } from "node:crypto";
import { isReadable } from "../../domain/names.ts";
import { textKind } from "../../domain/values.ts";
import { type FieldsOf, integer, nullable, other, smallint, table, text, time, word } from "../../lib/columns.ts";
import type { AuthorKind, Dispute, Side } from "./dispute.ts";
import { OFFER_TEXT_CHARACTERS_MAX, STATEMENT_BYTES_MAX, STATEMENT_CHARACTERS_MAX } from "./dispute.ts";
import { dayOf } from "./waits.ts";

/** What a side said. It is never changed or deleted; text and salt are null once they are erased (§17.6). */
export const STATEMENTS = table("dispute_statements", {
  businessId: word(),
  disputeId: word(),
  number: smallint(),
  side: word<Side>(),
  ofSide: smallint(),
  day: integer(),
  ofDay: smallint(),
  author: word(),
  authorKind: word<AuthorKind>(),
  text: nullable(text()),
  salt: nullable(other<Buffer>("bytea")),
  sha256: other<Buffer>("bytea"),
  createdAt: time(),
  erasedAt: nullable(time()),
});
export type Statement = FieldsOf<typeof STATEMENTS.columns>;

/** The author of a statement or an offer. */
export interface Author {
  readonly author: string;
  readonly authorKind: AuthorKind;
}

/** Control characters other than a tab and the end of a line, and those that reverse or hide the text around them. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** Parses a plain text, whose lines may end as on any system; null if it may not be sent. */
export function parsePlainText(given: string, charactersMax: number, bytesMax: number): string | null {
  const text = given.replaceAll("\r\n", "\n");
  return [...text].length <= charactersMax &&
    Buffer.byteLength(text) <= bytesMax &&
    VISIBLE.test(text) &&
    isReadable(text) &&
    !UNSAFE.test(text.replaceAll(/[\t\n]/g, ""))
    ? text
    : null;
}

/** The same as a kind of value. */
export const plainText = (charactersMax: number, bytesMax: number) =>
  textKind({}, `1 to ${charactersMax} characters of plain text`, (text) =>
    parsePlainText(text, charactersMax, bytesMax),
  );

export const parseStatementText = (text: string): string | null =>
  parsePlainText(text, STATEMENT_CHARACTERS_MAX, STATEMENT_BYTES_MAX);
export const parseOfferText = (text: string): string | null =>
  parsePlainText(text, OFFER_TEXT_CHARACTERS_MAX, STATEMENT_BYTES_MAX);

/** The statement that was counted last of its side in this dispute. */
export function draftStatement(dispute: Dispute, side: Side, by: Author, text: string, now: Date): Statement {
  const salt = randomBytes(16);
  return {
    businessId: dispute.businessId,
    disputeId: dispute.id,
    number: dispute.buyerStatements + dispute.merchantStatements,
    side,
    ofSide: dispute[`${side}Statements`],
    day: dayOf(now),
    ofDay: dispute[`${side}OfDay`],
    ...by,
    text,
    salt,
    sha256: createHash("sha256").update(salt).update(text, "utf8").digest(),
    createdAt: now,
    erasedAt: null,
  };
}
