import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChainReader, ChainUnavailableError } from "../../server/chain/port.ts";
import type { ChainContext } from "../../server/features/context.ts";
import { finalizePayments } from "../../server/features/recording/finality/finalize.ts";
import { checkPayments, recheckPayments } from "../../server/features/recording/finality/recheck.ts";
import { pruneUnmatched } from "../../server/features/recording/sweep/pruneUnmatched.ts";
import { createReconcileStep } from "../../server/features/recording/sweep/reconcile.ts";
import { sweepInbox } from "../../server/features/recording/sweep/sweep.ts";
import { unreadIn } from "../../server/features/recording/unread.ts";
import { createSettleableStep } from "../../server/features/settlement/settleable.ts";
import { type Sql, sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { SteppedService } from "./steppedService.ts";

/** More payments than a part of the split reads. */
const PAYMENTS = 11;
const BAD = 4;
const DAY_SECONDS = 86_400;
const never = new AbortController().signal;

interface Loop {
  /** After the payments were made. */
  readonly arrange: (stepped: SteppedService, made: readonly Made[]) => Promise<unknown>;
  readonly step: (ctx: ChainContext, stepped: SteppedService) => Promise<unknown>;
  /** The addresses that the loop has handled, or those that it has not. */
  readonly done?: Sql;
  readonly left?: Sql;
  readonly isUnmatched?: boolean;
  /** The loop waits a minute after an outage before it logs. */
  readonly isSlowToFail?: boolean;
}
type Made = Awaited<ReturnType<SteppedService["pay"]>>;

const settled = (stepped: SteppedService) => stepped.settle();
const dropped = async (stepped: SteppedService, made: readonly Made[]) => {
  stepped.tick(3);
  await stepped.catchUp();
  for (const { signature } of made) stepped.net.controls.drop(signature);
  stepped.tick(100);
};
const onChanged = (ctx: ChainContext) => (addresses: readonly string[]) => checkPayments(ctx, addresses);

const LOOPS: Readonly<Record<string, Loop>> = {
  sweep: {
    arrange: async (stepped) => {
      stepped.tick(12);
      await stepped.feed();
    },
    step: (ctx) => sweepInbox(ctx, never),
    done: sql`select address from payments`,
  },
  "scan of all accounts": {
    isSlowToFail: true,
    arrange: async (stepped) => stepped.tick(12),
    step: (ctx) => createReconcileStep(ctx)(never),
    done: sql`select address from payments`,
  },
  finality: {
    arrange: async (stepped) => {
      stepped.tick(3);
      await stepped.catchUp();
      stepped.tick(12);
    },
    step: (ctx) => finalizePayments(ctx, never),
    done: sql`select address from payments where finalized`,
  },
  "finality of what vanished": {
    arrange: dropped,
    step: async (ctx) => {
      const unread = unreadIn(ctx, "finality");
      for (let looks = 0; looks < 3; looks++) await finalizePayments(ctx, never, unread);
    },
    done: sql`select address from reverted_payments`,
  },
  recheck: {
    arrange: async (stepped) => {
      await settled(stepped);
      await stepped.database.rows(sql`update payments set checked_at = checked_at - interval '1 hour'`);
    },
    step: (ctx) => recheckPayments(ctx, 60_000, never),
    done: sql`select address from payments where checked_at > now() - interval '30 minutes'`,
  },
  settleable: {
    arrange: async (stepped) => {
      await settled(stepped);
      await stepped.advance(8 * DAY_SECONDS);
    },
    step: (ctx) => createSettleableStep(ctx, onChanged(ctx))(never),
    done: sql`select address from payments where settleable_event_sent`,
  },
  "unmatched payments that vanished": {
    isUnmatched: true,
    arrange: dropped,
    step: (ctx) => pruneUnmatched(ctx, never),
    left: sql`select address from unmatched_payments`,
  },
};

/** Steps until one ends within the time that it has for its reads: on a slow machine the first may not. */
async function stepInTime(step: Loop["step"], ctx: ChainContext, stepped: SteppedService): Promise<void> {
  await eventually("a step ends in its time", async () => {
    stepped.lines.length = 0;
    try {
      await step(ctx, stepped);
      return true;
    } catch (error) {
      if (error instanceof ChainUnavailableError && /no answer before the caller's deadline/.test(error.message))
        return false;
      throw error;
    }
  });
}

const refuse = (): Promise<never> => Promise.reject(new ChainUnavailableError("node 0: JSON-RPC error -32603"));

/** Makes every answer about one payment, or about all of them, an error of the nodes. */
function poison(
  ctx: ChainContext,
  isBad: (name: string) => boolean,
  replaced: Partial<ChainReader> = {},
): ChainContext {
  const { reader } = ctx.chain;
  const poisoned: ChainReader = {
    ...reader,
    fetchPayments: (addresses, options) =>
      addresses.some(isBad) ? refuse() : reader.fetchPayments(addresses, options),
    fetchTransaction: (name, options) => (isBad(name) ? refuse() : reader.fetchTransaction(name, options)),
    fetchSignatureStatuses: (names, options) =>
      names.some(isBad) ? refuse() : reader.fetchSignatureStatuses(names, options),
    ...replaced,
  };
  return { ...ctx, chain: { ...ctx.chain, reader: poisoned } };
}

for (const [name, { arrange, step, done, left, isUnmatched, isSlowToFail }] of Object.entries(LOOPS))
  for (const answer of ["account", "transaction"] as const)
    test(`no payment waits for one whose ${answer} no node gives: ${name}`, async () => {
      await using stepped = await SteppedService.open();
      const made: Made[] = [];
      for (let count = 0; count < PAYMENTS; count++) {
        const intent = await stepped.create();
        made.push(await stepped.pay(isUnmatched ? { ...intent, amount: "1" } : intent));
      }
      await arrange(stepped, made);
      const list = async () => {
        const rows = await stepped.database.rows<{ address: string }>((left ?? done)!);
        const addresses = new Set(rows.map((row) => row.address));
        return made.map(({ payment }) => payment).filter((payment) => addresses.has(payment) === (left === undefined));
      };
      assert.deepEqual(await list(), []);
      const bad = made[BAD]!;
      const badName = answer === "account" ? bad.payment : bad.signature;
      const poisoned = poison(stepped.ctx, (one) => one === badName);
      await stepInTime(step, poisoned, stepped);
      const others = made.filter((one) => one !== bad).map(({ payment }) => payment);
      const got = await list();
      for (const payment of others) assert.ok(got.includes(payment), `${payment} waits`);
      const named = stepped.lines.filter((line) => line.includes(bad.payment) || line.includes(bad.signature));
      assert.ok(named.length <= 1, named.join("\n"));
      if (!got.includes(bad.payment)) assert.ok(named.length > 0, "the log names it");

      const away = poison(stepped.ctx, () => true, { fetchHead: refuse });
      await stepped.endWaits();
      if (!got.includes(bad.payment) && !isSlowToFail)
        await assert.rejects(() => Promise.resolve(step(away, stepped)), ChainUnavailableError);
      await stepInTime(step, stepped.ctx, stepped);
      assert.ok((await list()).includes(bad.payment), "once a node gives it");
    });
