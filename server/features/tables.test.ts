import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { nameOf, type Table } from "../lib/columns.ts";
import { sql } from "../store/sql.ts";
import { openTestDatabase } from "../store/testing.ts";
import { AUDIT_LOG } from "./audit/audit.ts";
import { BOOKS_ASSETS, BOOKS_FINDINGS } from "./books/books.ts";
import { BUSINESSES } from "./businesses/business.ts";
import { ASSETS, CHAINS } from "./chains/chain.ts";
import { DEPLOYMENTS } from "./chains/deployment.ts";
import { SPONSORSHIPS } from "./checkout/sponsoring/sponsorship.ts";
import { DECISIONS } from "./disputes/decision/decision.ts";
import { HOLDERS } from "./disputes/desk/desk.ts";
import { AGREEMENTS, DISPUTES, OFFERS } from "./disputes/dispute.ts";
import { ERASURES } from "./disputes/erasure/erasure.ts";
import { FILES, UPLOADS } from "./disputes/files/file.ts";
import { NOTICES } from "./disputes/notices/notice.ts";
import { DISPUTE_SESSIONS, USED_CHALLENGES } from "./disputes/proof/challenge.ts";
import { QUESTIONS } from "./disputes/question.ts";
import { RULINGS } from "./disputes/ruling.ts";
import { STATEMENTS } from "./disputes/statement.ts";
import { DOMAINS } from "./domains/domain.ts";
import { EMAILS } from "./emails/email.ts";
import { FULFILLMENTS } from "./fulfillments/fulfillment.ts";
import { INTENTS } from "./intents/intent.ts";
import { KEYS } from "./keys/key.ts";
import { LINKS } from "./links/link.ts";
import { PAYMENT_DAYS } from "./overview/dayTotals.ts";
import { PAYMENTS } from "./payments/payment.ts";
import { UNMATCHED } from "./payments/unmatched.ts";
import { FIAT_ENTRIES } from "./rates/rate.ts";
import { SIGNING_KEYS } from "./receipts/receipt.ts";
import { RECIPIENTS, SAVED_ONLY_RULES } from "./recipients/recipient.ts";
import { REQUESTS } from "./requests/request.ts";
import { INVITATIONS, MEMBERS, PASSKEYS, SESSIONS, USER_LOG, USERS } from "./staff/user.ts";

const TABLES: readonly Table[] = [
  ...[ASSETS, AUDIT_LOG, BUSINESSES, CHAINS, DEPLOYMENTS, DOMAINS, INTENTS, KEYS, PAYMENTS, RECIPIENTS, REQUESTS],
  ...[
    AGREEMENTS,
    DISPUTE_SESSIONS,
    DECISIONS,
    DISPUTES,
    EMAILS,
    ERASURES,
    FILES,
    FIAT_ENTRIES,
    FULFILLMENTS,
    HOLDERS,
    NOTICES,
    OFFERS,
    QUESTIONS,
    RULINGS,
    STATEMENTS,
    BOOKS_ASSETS,
    BOOKS_FINDINGS,
    PAYMENT_DAYS,
    SAVED_ONLY_RULES,
    SIGNING_KEYS,
    SPONSORSHIPS,
    UNMATCHED,
    UPLOADS,
    USED_CHALLENGES,
    USER_LOG,
    INVITATIONS,
    LINKS,
    MEMBERS,
    PASSKEYS,
    SESSIONS,
    USERS,
  ],
];

/** The names that the catalogue has for some types. */
const TYPES: Readonly<Record<string, string>> = {
  bigint: "int8",
  integer: "int4",
  smallint: "int2",
  real: "float4",
  boolean: "bool",
  "text[]": "_text",
};

test("the columns of each declared table are those of the database, with their types and whether they may be null", async () => {
  await using opened = await openTestDatabase();
  const rows = await opened.database.rows<{ column: string; type: string; nullable: boolean }>(sql`
    select table_name || '.' || column_name as column, udt_name as type, is_nullable = 'YES' as nullable
    from information_schema.columns where table_schema = 'public'`);
  const known = new Map(rows.map(({ column, ...one }) => [column, one]));
  const declared = TABLES.flatMap(({ name, columns }) =>
    Object.entries(columns).map(([field, { type, nullable, ...one }]) => {
      const column = `${name}.${nameOf(field, { type, nullable, ...one })}`;
      return { column, type: TYPES[type] ?? type, nullable };
    }),
  );
  assert.deepEqual(
    declared.map(({ column }) => ({ column, ...known.get(column) })),
    declared,
  );
});

test("every table that a feature declares is compared", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
  const declarations = globSync("**/*.ts", { cwd: import.meta.dirname }).flatMap((path) => [
    ...read(path).matchAll(/^(?:export )?const (\w+) = table\(/gm),
  ]);
  assert.equal(declarations.length, TABLES.length, declarations.map(([, name]) => name).join(", "));
});
