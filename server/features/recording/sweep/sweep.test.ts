import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChainReader, ChainUnavailableError, type TransactionLookup } from "../../../chain/port.ts";
import type { Database, Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { testContext } from "../../testing.ts";
import { sweepInbox } from "./sweep.ts";

const never = new AbortController().signal;
const SLOT = 1_000;
const SLOT_SECONDS = 0.4;
/** From a slot until it is final. */
const FINALITY_SECONDS = 13;
const LOOK_UPS_MAX = 100;
/** The bound of docs/reliability.md. */
const HELD_SECONDS_MAX = 300;

/** The nodes' answer about a transaction; null: no node returns it. */
type Answer = TransactionLookup | null;
const UNKNOWN: Answer = { kind: "not_found" };
const GIVEN: Answer = {
  kind: "landed",
  transaction: { signature: "s", slot: SLOT, failed: false, blockTime: null, created: [], touched: [] },
};

/**
 * Sweeps a listed transaction until nothing waits for it, and returns the seconds for which it held the watermark.
 * `answerAt`: what nodes answer at a look-up, by its number and the seconds since the transaction was listed.
 * `deniesAt`: whether one of the two nodes says that it has no status of the transaction; else it does not answer.
 */
async function hold(
  db: Db,
  answerAt: (lookUp: number, seconds: number) => Answer,
  deniesAt: (node: number, seconds: number) => boolean = () => true,
): Promise<number> {
  await db.rows(sql`
    insert into chain_inbox (environment, signature, slot, failed, processed) values ('test', 's', ${SLOT}::bigint, false, false)
    on conflict (environment, signature) do update set processed = false, attempts = 0`);
  let seconds = 0;
  for (let lookUp = 0; lookUp < LOOK_UPS_MAX; lookUp++) {
    const head = SLOT + Math.floor((seconds - FINALITY_SECONDS) / SLOT_SECONDS);
    const reader: Partial<ChainReader> = {
      nodes: 2,
      bindCommitment: "confirmed",
      fetchHead: async () => ({ value: { blockTime: null }, slot: head, node: 0 }),
      fetchTransaction: async () => {
        const value = answerAt(lookUp, seconds);
        if (value === null) throw new ChainUnavailableError("knows the signature but not its transaction");
        return { value, slot: head, node: 0 };
      },
      fetchSignatureStatuses: async (_, { notNode }) => {
        const node = notNode === 0 ? 1 : 0;
        if (!deniesAt(node, seconds)) throw new ChainUnavailableError("HTTP 500");
        return { value: [null], slot: head, node };
      },
    };
    await sweepInbox(testContext({ database: db as Database, chain: { reader } }), never);
    const waiting = await db.row<{ seconds: number }>(sql`
      select extract(epoch from leased_until - now())::float as seconds from chain_inbox where not processed`);
    if (waiting === null) return seconds;
    seconds += waiting.seconds;
    await db.rows(sql`update chain_inbox set leased_until = now()`);
  }
  throw new Error("It is never given up.");
}

/** In one transaction the database's clock stands still. */
async function withInbox(run: (db: Db) => Promise<void>): Promise<void> {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  await opened.database.rows(
    sql`insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`,
  );
  await opened.database.transaction(run);
}

test("a transaction that a fork took holds the watermark for less than five minutes, whichever look-up of it fails", async () => {
  await withInbox(async (db) => {
    for (let failing = 0; failing < 12; failing++) {
      const seconds = await hold(db, (lookUp) => (lookUp === failing ? null : UNKNOWN));
      assert.ok(seconds < HELD_SECONDS_MAX, `${seconds} s where look-up ${failing} fails`);
    }
  });
});

test("a transaction that nodes withhold for a time holds the watermark for half a minute more, or a tenth of that time", async () => {
  await withInbox(async (db) => {
    for (const withheld of [10, 100, 300, 2_000]) {
      const seconds = await hold(db, (_, now) => (now < withheld ? null : GIVEN));
      assert.ok(seconds <= withheld + Math.max(31, withheld / 10), `${seconds} s of ${withheld} s`);
    }
  });
});

test("§3.1.5 a transaction that one node does not know is given up only once a second one does not know it either", async () => {
  await withInbox(async (db) => {
    const away = 1_000;
    const seconds = await hold(
      db,
      () => UNKNOWN,
      (node, now) => node === 0 || now >= away,
    );
    assert.ok(seconds >= away && seconds <= away * 1.1 + 31, `${seconds} s of ${away} s`);
  });
});
