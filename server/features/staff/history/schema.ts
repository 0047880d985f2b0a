import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { shownObject } from "../../../edge/http/objects.ts";
import type { QueryValues } from "../../../edge/http/parameters.ts";
import { listAnswer, listOf } from "../../../edge/http/schemas.ts";
import { ACTOR, auditPage } from "../../audit/schema.ts";
import { HISTORY_ENTRY } from "../user.ts";

const { id, action, recordedAt, details } = HISTORY_ENTRY;
export const ENTRY = shownObject(
  "account_entry",
  { id, action, recordedAt, details, actor: ACTOR },
  "An action on the user's account. Entries are never changed or removed.",
);

export const historyComponents: Components = {
  AccountEntry: ENTRY.schema,
  AccountEntryList: listOf("AccountEntry", "Entries of an account"),
};

const { limit, starting_after } = auditPage;

export const LIST_HISTORY = {
  operationId: "listAccountHistory",
  tag: "Account",
  summary: "List the history of the account",
  description: "Sign-ins, changes of the ways to sign in, and tries that were used up, newest first.",
  query: { limit, starting_after },
  success: listAnswer("A page of entries.", "AccountEntry", ENTRY.example),
  errors: ["not_found"],
} as const satisfies Declaration;

export type HistoryQuery = QueryValues<typeof LIST_HISTORY.query>;
