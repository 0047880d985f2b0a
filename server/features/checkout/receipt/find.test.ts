import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually } from "../../../../tests/harness/wait.ts";
import { ChainUnavailableError } from "../../../chain/port.ts";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../../store/testing.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { someAddress } from "../../staff/testing/objects.ts";
import { createFinder } from "./find.ts";

const ADDRESS = "9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y";
const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

let opened: OpenTestDatabase;
before(async () => {
  opened = await openTestDatabase("", { connectionsMax: 2 });
});
after(() => opened?.[Symbol.asyncDispose]());

test("§14.7 a transaction that one chain has is found, though another chain is away", async () => {
  const { database } = opened;
  let isLanded = false;
  const finder = createFinder({
    databases: [database],
    recordTransaction: async (signature) => {
      if (isLanded)
        await database.rows(sql`
          insert into unmatched_payments (environment, address, reason, payment_id, status, amount, signature, checked_at,
            observed_slot, outcome, refund_total, amount_refunded, amount_released, settled_at)
          values ('live', ${ADDRESS}, 'closed', 7, 'released', 5, ${signature}, now(), 7, 'settled', 0, 0, 5, now())`);
      throw new ChainUnavailableError("The nodes of test are away.");
    },
  });
  await assert.rejects(finder.find(SIGNATURE, "192.0.2.1"), ChainUnavailableError, "nobody can say that there is none");
  isLanded = true;
  assert.deepEqual(await finder.find(SIGNATURE, "192.0.2.1"), { kind: "page", path: `/pay/p/${ADDRESS}` });
});

test("§14.7 who has to wait for the look-ups of others is not told that their network asked too often", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let lookUps = 0;
  const recordTransaction = () => {
    lookUps++;
    return promise;
  };
  const finder = createFinder({ databases: [opened.database], recordTransaction });
  const signatureOf = (last: string): string => SIGNATURE.slice(0, -1) + last;
  const others = ["2", "3", "4", "5"].map((last) => finder.find(signatureOf(last), `192.0.2.${last}`));
  await eventually("all look-ups are under way", () => lookUps === others.length);
  await assert.rejects(finder.find(signatureOf("9"), "192.0.2.9"), ChainUnavailableError);
  resolve();
  assert.deepEqual(await Promise.all(others), Array(4).fill({ kind: "nothing" }));
  assert.deepEqual(await finder.find(signatureOf("9"), "192.0.2.9"), { kind: "nothing" });
});

test("§14.7 a payment is found in whichever cell has it; that there is none is said only if every cell answers", async () => {
  await using second = await openTestDatabase();
  const [sender, others] = [someAddress(), [someAddress(), someAddress()]] as const;
  const insert = (database: Database, address: string, createdAt: string) =>
    database.rows(sql`
      insert into unmatched_payments (environment, address, reason, payment_id, status, sender, recipient, amount, asset,
        protection_period, created_at, protection_deadline, checked_at, observed_slot, refund_total,
        amount_refunded, amount_released)
      values ('live', ${address}, 'unknown_payment_id', 7, 'protected', ${sender}, ${ADDRESS}, 5, ${ADDRESS}, 'oneDay',
        ${createdAt}, now(), now(), 7, 0, 0, 0)`);
  await insert(opened.database, others[0]!, "2026-11-01");
  await insert(second.database, others[1]!, "2026-11-02");
  const away = async (): Promise<never> => {
    throw new DatabaseUnavailableError("It is away.", "away");
  };
  const isAway: Database = { ...opened.database, rows: away, row: away, has: away };
  const finderOf = (first: Database) =>
    createFinder({ databases: [first, second.database], recordTransaction: async () => undefined });
  const found = await finderOf(opened.database).find(sender, "192.0.2.30");
  assert.ok(found.kind === "list");
  assert.deepEqual(
    found.payments.map(({ address }) => address),
    others.toReversed(),
  );
  assert.deepEqual(await finderOf(isAway).find(others[1]!, "192.0.2.31"), {
    kind: "page",
    path: `/pay/p/${others[1]}`,
  });
  await assert.rejects(finderOf(isAway).find(others[0]!, "192.0.2.32"), DatabaseUnavailableError);
});
