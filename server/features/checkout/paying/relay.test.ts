import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChainBuilder, Trial } from "../../../chain/builder.ts";
import { ChainUnavailableError, type SignatureStatus } from "../../../chain/port.ts";
import { sql } from "../../../store/sql.ts";
import { testContext } from "../../testing.ts";
import { listCheckoutStates } from "../page/queries.ts";
import { openWithIntents } from "./fixtures.ts";
import { saveSent } from "./queries.ts";
import { relayTransactions } from "./relay.ts";

const WOULD_LAND: Trial = { kind: "would_land" };
const WOULD_FAIL: Trial = { kind: "would_fail", reason: "insufficient funds" };
const UNKNOWN: Trial = { kind: "unknown_blockhash" };

/** The chain in one step of the relay; "away" if no node answers. */
interface World {
  readonly status?: SignatureStatus;
  readonly trial?: Trial | "away";
  readonly hasEnded?: boolean;
  readonly isSignatureAlone?: boolean;
  readonly isCanceled?: boolean;
}

/** Runs one step of the relay. Returns the kind of payment that buyers then see, and true if the relay sent the transaction. */
async function look(canLand: boolean, world: World) {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  const { status = null, trial = WOULD_LAND, hasEnded = false, isCanceled = false } = world;
  const until = new Date(now.getTime() + 60_000);
  const transaction = world.isSignatureAlone === true ? null : "AQ==";
  await saveSent(database, intent, { signature: "1", account: "a", until, transaction, canLand }, now);
  if (isCanceled)
    await database.rows(sql`update intents set status = 'canceled', holds_reference = false, canceled_at = now()`);
  const away = async () => {
    throw new ChainUnavailableError("no node answers");
  };
  let isSent = false;
  const builder = {
    tryTransaction: trial === "away" ? away : async () => trial,
    canStillLand: async () => !hasEnded,
    canSignatureLand: async () => !hasEnded,
    sendTransaction: async () => {
      isSent = true;
    },
  } as Partial<ChainBuilder> as ChainBuilder;
  const reader = {
    bindCommitment: "confirmed",
    fetchSignatureStatuses: async () => ({ slot: 1, node: 0, value: [status] }),
  } as const;
  const ctx = testContext({ database, chain: { reader, builder } });
  const recordTransaction = async () => false;
  await relayTransactions(ctx, recordTransaction, new AbortController().signal);
  const [shown] = await listCheckoutStates(database, [intent.id]);
  return [shown?.inFlight?.kind ?? null, isSent];
}

const processed = { slot: 1, commitment: "processed", failed: false } as NonNullable<SignatureStatus>;
for (const [what, canLand, world, kind, isSent] of [
  ["that would land", true, {}, "sent", true],
  ["that would land and was a report", false, {}, "sent", true],
  ["whose tokens left", true, { trial: WOULD_FAIL }, "reported", false],
  ["that would still fail", false, { trial: WOULD_FAIL }, "reported", false],
  ["that no node can try", true, { trial: "away" }, "sent", true],
  ["that no node could ever try", false, { trial: "away" }, "reported", false],
  ["that no node can try any more, and that is dead", true, { trial: "away", hasEnded: true }, "ended", false],
  ["whose blockhash the node does not know yet", true, { trial: UNKNOWN }, "sent", true],
  ["whose blockhash no node ever knew", false, { trial: UNKNOWN }, "reported", false],
  ["whose blockhash has ended", true, { trial: UNKNOWN, hasEnded: true }, "ended", false],
  ["that ends before its block would be final", true, { trial: { kind: "ended" } }, "sent", true],
  ["whose wallet sent it, and whose time is over", false, { isSignatureAlone: true, hasEnded: true }, null, false],
  [
    "that the chain has, while another node would refuse it",
    true,
    { trial: WOULD_FAIL, status: processed },
    "sent",
    false,
  ],
  ["that was a report, and that the chain has", false, { trial: WOULD_FAIL, status: processed }, "sent", false],
  ["that fails on a fork", true, { status: { ...processed, failed: true } }, "sent", true],
  ["that was a report, and fails on a fork", false, { status: { ...processed, failed: true } }, "reported", false],
  ["of a canceled intent that would land", true, { isCanceled: true }, "sent", false],
  ["of a canceled intent whose tokens left", true, { isCanceled: true, trial: WOULD_FAIL }, "reported", false],
] as const satisfies readonly (readonly [string, boolean, World, string | null, boolean])[])
  test(`§4.14.5 after a look at a transaction ${what}, pages show ${kind ?? "nothing"}`, async () => {
    assert.deepEqual(await look(canLand, world), [kind, isSent]);
  });
