import assert from "node:assert/strict";
import { test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { ChainBuilder, SignedPayment } from "../../../chain/builder.ts";
import { NOTHING_CONFIRMED } from "../../../chain/chain.ts";
import type { ChainReader } from "../../../chain/port.ts";
import { newTermsNonce } from "../../../domain/ids.ts";
import { sql } from "../../../store/sql.ts";
import { testContext } from "../../testing.ts";
import type { BuyerContext } from "../context.ts";
import { openWithIntents } from "../paying/fixtures.ts";
import { withinClockMinute } from "../paying/testing.ts";
import { createLookUps } from "../receipt/find.ts";
import { createX402 } from "./settle.ts";

const ARBITER = "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu";
const TERMS = { text: '{"v":3}', hash: "11".repeat(32) };

/** Agents without tokens: their transactions name the terms, and nodes say that they would fail. */
async function openAgents() {
  const { opened, database, now, intent, other } = await openWithIntents();
  await database.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`);
  const payment = { arbiter: ARBITER, notAfter: new Date(now.getTime() + 60_000), termsHash: TERMS.hash };
  const builder: Partial<ChainBuilder> = {
    draftTerms: async () => TERMS,
    readSigned: async (transaction) => {
      const [id, sender] = transaction.split(" ") as [string, string];
      const payments: SignedPayment[] = [{ ...(id === intent.id ? intent : other), ...payment, sender }];
      return { kind: "signed", signature: transaction, payments, isOnePayment: true, actions: [], sole: null };
    },
    tryTransaction: async () => ({ kind: "would_fail", reason: "no tokens" }),
  };
  const reader: Partial<ChainReader> = { fetchSignatureStatuses: async () => ({ value: [null], slot: 1 }) as never };
  const screened = new Set<string>();
  const ctx = testContext<BuyerContext>({
    database,
    chain: {
      ...{ builder: builder as ChainBuilder, reader: reader as ChainReader, sponsor: null },
      ...{ deployment: { arbiter: ARBITER, checkoutsHeld: null }, confirmed: NOTHING_CONFIRMED },
    },
    screen: async ({ sender }) => void screened.add(sender),
  });
  const x402 = createX402(ctx, createLookUps());
  /** Hands in a transaction of another wallet. Returns the reason of the refusal. */
  const pay = async (id: string, network: string): Promise<string> => {
    const accepted = {
      ...{ scheme: "protected", network: "solana:genesis" },
      extra: { terms: JSON.stringify({ nonce: newTermsNonce() }) },
    };
    const payload = { transaction: `${id} ${newWallet().address}` };
    const header = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload })).toString("base64");
    const answer = x402.answer(id, header, network);
    return answer.then(
      ({ body }) => JSON.parse(body).error.split(":")[0],
      ({ code, retryAfterSeconds }) => `${code} ${retryAfterSeconds > 0}`,
    );
  };
  return { opened, intent, other, screened, pay };
}

test("§4.14.7 the screening is asked about agents' payments of one network no more often than about its builds", async () => {
  await withinClockMinute(async () => {
    const { opened, intent, other, screened, pay } = await openAgents();
    await using _ = opened;
    for (let count = 0; count < 20; count++) assert.equal(await pay(intent.id, "10.0.0.1"), "simulation_failed");
    assert.equal(screened.size, 20);
    assert.equal(await pay(intent.id, "10.0.0.1"), "rate_limited true");
    assert.equal(screened.size, 20);
    assert.equal(await pay(other.id, "10.0.0.1"), "simulation_failed", "another intent");
    assert.equal(await pay(intent.id, "192.0.2.1"), "simulation_failed", "another network");
  });
});
