import { setTimeout as sleep } from "node:timers/promises";
import type { ChainPayment, ChainReader } from "../../server/chain/port.ts";
import type { Chain } from "../../server/features/chains/chain.ts";
import { finalizePayments } from "../../server/features/recording/finality/finalize.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { PROJECT_ROOT } from "../harness/service.ts";
import { setStage } from "./stage.ts";
import { load, median } from "./startLoad.ts";

const CONNECTIONS = 16;
/** A call to a node. */
const CALL_MS = 75;
const SLOT = 1_000_000;

/** So many paid intents whose payments are not final yet. */
async function seedUnfinal(database: Database, count: number, recipient: string, asset: string): Promise<void> {
  await database.rows(sql`
    create unlogged table seeded as
    select i, 'biz_' || lpad((1 + i % 20)::text, 32, '0') as business, 'pi_test_' || lpad(to_hex(i), 32, '0') as id,
      'P' || translate(left(md5(i || 'a') || md5(i || 'b'), 42), '0', 'z') as address,
      date_trunc('second', now()) as at
    from generate_series(1::bigint, ${count}::bigint) i`);
  await database.rows(sql`
    insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
      merchant_reference, metadata, payment_id, payment_address, created_at, expires_at, last_occurred_at, list_position)
    select business, id, 'test', 'paid', false, ${recipient}, 1000, ${asset}, 'sevenDays', 'seeded-' || i, '{}', i, address,
      at, at + interval '1 day', at, i from seeded`);
  await database.rows(sql`
    insert into payment_addresses (address, business_id) select address, business from seeded`);
  await database.rows(sql`
    insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
      recipient, amount, asset, protection_period, merchant_reference, created_at, protection_deadline, checked_at,
      settleable_event_sent, created_slot, observed_slot, finalized, arbiter, amount_released, amount_refunded, refund_total)
    select business, address, 'test', id, 1, i, 'primary', 'protected', ${recipient}, ${recipient}, 1000, ${asset}, 'sevenDays',
      'seeded-' || i, at, at + interval '7 days', at, false, i, i, false, ${recipient}, 0, 0, 0 from seeded`);
  await database.rows(sql`analyze payments, payment_addresses, intents`);
}

/** A node that shows every seeded payment as it was made. */
async function readerOf(database: Database, recipient: string, asset: string): Promise<Partial<ChainReader>> {
  const rows = await database.rows<{ address: string; i: string; at: Date }>(sql`select address, i, at from seeded`);
  const made = new Map(
    rows.map(({ address, i, at }): [string, ChainPayment] => [
      address,
      {
        address,
        operator: recipient,
        sender: recipient,
        recipient,
        amount: "1000",
        asset,
        protectionPeriod: "sevenDays",
        paymentId: i,
        tokenProgram: recipient,
        decimals: 6,
        status: "protected",
        outcome: null,
        refundTotal: "0",
        amountRefunded: "0",
        amountReleased: "0",
        createdAt: at,
        protectionDeadline: new Date(at.getTime() + 7 * 86_400_000),
        disputedAt: null,
        settledAt: null,
        refundedAt: null,
        arbiter: recipient,
        rentPayer: recipient,
        termsHash: null,
      },
    ]),
  );
  return {
    fetchHead: async () => ({ value: { blockTime: new Date() }, slot: SLOT, node: 0 }),
    fetchPayments: async (addresses) => {
      await sleep(CALL_MS);
      return { value: addresses.map((address) => made.get(address) ?? null), slot: SLOT, node: 0 };
    },
  };
}

/** How long the finality of so many payments takes one worker, and creates a second during it and without it. */
export async function benchFinality(args: readonly string[]): Promise<void> {
  const [payments = 100_000, seconds = 8] = args.map(Number);
  const stage = await setStage("this build", PROJECT_ROOT);
  const { recipient } = stage.devnet.addresses;
  const { asset } = stage.devnet;
  const database = openDatabase({
    connection: { connectionString: stage.postgres.url },
    connectionsMax: 4,
    statementTimeoutMs: 120_000,
    log: console.error,
  });
  try {
    await seedUnfinal(database, payments, recipient, asset);
    const reader = (await readerOf(database, recipient, asset)) as ChainReader;
    const chain = { environment: "test", reader } as Chain;
    const deps = { database, chain, checkoutUrl: "http://localhost", log: console.error } as const;
    const revertRule = { slots: 300, apartMs: 30_000 };
    let round = 0;
    const creates = async () => {
      const durationMs = seconds * 1_000;
      const plan = {
        kind: "create",
        port: stage.apiPort,
        connections: CONNECTIONS,
        durationMs,
        ratePerSecond: null,
      } as const;
      const result = await load({ ...plan, keys: stage.keys, ids: [], recipient, asset, tag: `round${round++}` });
      return result.good / result.seconds;
    };
    await creates();
    const alone = [await creates(), await creates()];
    const startedAt = performance.now();
    let tookMs: number | null = null;
    const ending = (async () => {
      let steps = 1;
      while (await finalizePayments({ ...deps, commitment: "confirmed", revertRule }, new AbortController().signal))
        steps++;
      tookMs = performance.now() - startedAt;
      return steps;
    })();
    const during: number[] = [];
    while (tookMs === null) {
      const rate = await creates();
      if (tookMs === null || during.length === 0) during.push(rate);
    }
    const steps = await ending;
    alone.push(await creates(), await creates());
    const left = await database.row<{ count: string }>(sql`select count(*) as count from payments where not finalized`);
    console.log(
      "| payments | final after, s | a second | steps | left | creates/s alone | during it | ratio |\n|---|---|---|---|---|---|---|---|",
    );
    const took = tookMs! / 1_000;
    const ratio = median(during) / median(alone);
    console.log(
      `| ${payments} | ${took.toFixed(0)} | ${(payments / took).toFixed(0)} | ${steps} | ${left!.count} | ${median(alone).toFixed(0)} | ${median(during).toFixed(0)} | ${ratio.toFixed(2)} |`,
    );
  } finally {
    await database.close();
    await stage.remove();
  }
}
