import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually } from "../../../../tests/harness/wait.ts";
import { ChainUnavailableError } from "../../../chain/port.ts";
import { sql } from "../../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../../store/testing.ts";
import { createFinder, createLookUps } from "./find.ts";

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
  const finder = createFinder({ database }, createLookUps(), async (signature) => {
    if (isLanded)
      await database.rows(sql`
        insert into unmatched_payments (environment, address, reason, payment_id, status, amount, signature, checked_at,
          observed_slot, outcome, refund_total, amount_refunded, amount_released, settled_at)
        values ('live', ${ADDRESS}, 'closed', 7, 'released', 5, ${signature}, now(), 7, 'settled', 0, 0, 5, now())`);
    throw new ChainUnavailableError("The nodes of test are away.");
  });
  await assert.rejects(finder.find(SIGNATURE, "192.0.2.1"), ChainUnavailableError, "nobody can say that there is none");
  isLanded = true;
  assert.deepEqual(await finder.find(SIGNATURE, "192.0.2.1"), { kind: "page", path: `/pay/p/${ADDRESS}` });
});

test("§14.7 four look-ups run at once, and who comes after them waits for a turn", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let lookUps = 0;
  const recordTransaction = () => {
    lookUps++;
    return promise;
  };
  const finder = createFinder(opened, createLookUps(), recordTransaction);
  const signatureOf = (last: string): string => SIGNATURE.slice(0, -1) + last;
  const others = ["2", "3", "4", "5"].map((last) => finder.find(signatureOf(last), `192.0.2.${last}`));
  await eventually("all look-ups are under way", () => lookUps === others.length);
  const last = finder.find(signatureOf("9"), "192.0.2.9");
  await new Promise(setImmediate);
  assert.equal(lookUps, others.length);
  resolve();
  assert.deepEqual(await Promise.all([...others, last]), Array(5).fill({ kind: "nothing" }));
});
