import { Type } from "typebox";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { pageParameters, type QueryValues } from "../../../edge/http/parameters.ts";
import { choice, component, listOf } from "../../../edge/http/schemas.ts";
import { AUDIT_ID, ENTRY_FIELDS } from "../../audit/schema.ts";
import { USER_ACTIONS } from "../staff.ts";

const ID = "aud_01a1fc06b1cd6aa165e96a8ab2d2e7fc";

export const historyComponents: Components = {
  AccountEntry: Type.Object(
    {
      object: Type.Literal("account_entry"),
      id: Type.String({ pattern: AUDIT_ID.source }),
      action: choice(USER_ACTIONS, { description: "The action, as a word." }),
      ...ENTRY_FIELDS,
    },
    { description: "Something that happened to the user's account. Entries are never changed or removed." },
  ),
  AccountEntryList: listOf("AccountEntry", "Entries of an account"),
};

const { limit, starting_after } = pageParameters({ pattern: AUDIT_ID.source, example: ID, noun: "entry" });

export const LIST_HISTORY = {
  operationId: "listAccountHistory",
  tag: "Account",
  summary: "List what happened to the account",
  description: "Sign-ins, changes of the ways to sign in, and tries that were used up, newest first.",
  query: { limit, starting_after },
  success: {
    status: 200,
    description: "A page of entries.",
    schema: component("AccountEntryList"),
    example: {
      object: "list",
      data: [
        {
          object: "account_entry",
          id: ID,
          action: "passkey_added",
          details: { id: "pk_01a1fc06b1cd6aa165e96a8ab2d2e7fc", name: "Laptop" },
          actor: { id: "usr_01a1fc06b1cd6aa165e96a8ab2d2e7fc", name: "kim@example.com", address: "203.0.113.7" },
          recordedAt: "2026-11-20T08:30:00.000Z",
        },
      ],
      hasMore: false,
    },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export type HistoryQuery = QueryValues<typeof LIST_HISTORY.query>;
