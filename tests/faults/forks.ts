import { actOnPayment } from "@holdfast/devnet/buyer.ts";
import { RpcCallError } from "@holdfast/devnet/client.ts";
import type { Intent } from "../../server/features/intents/intent.ts";
import { sql } from "../../server/store/sql.ts";
import type { Report } from "./checker.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { SteppedService } from "./steppedService.ts";

export interface Forks {
  readonly seed: number;
  readonly scenarios: number;
  /** Steps of a scenario. */
  readonly length: number;
}

const REFERENCES = ["order-1", "order-2", "order-3"] as const;
const BUYERS = ["buyer-1", "buyer-2", "buyer-3"] as const;
const DOINGS = [
  ...(["create", "pay", "pay", "pay", "confirm", "confirm", "confirm", "drop", "drop", "drop"] as const),
  ...(["sweep", "sweep", "finalize", "finalize", "pass", "act", "act", "undo", "underpay"] as const),
] as const;
const HOUR_SECONDS = 3_600;

interface Made {
  readonly intent: Intent;
  readonly signature: string;
}

/** A random scenario: paid, confirmed, swept, dropped by forks, landed again, expired, disputed, in any order. */
class IntentState {
  readonly counts: Record<string, number> = {};
  readonly #stepped: SteppedService;
  readonly #random: Random;
  readonly #intents: Intent[] = [];
  readonly #made: Made[] = [];
  /** Signatures of steps. */
  readonly #acts: string[] = [];

  constructor(stepped: SteppedService, random: Random) {
    this.#stepped = stepped;
    this.#random = random;
  }

  async step(): Promise<void> {
    const random = this.#random;
    const does = random.pick(DOINGS);
    const done = await this.#do(does);
    if (done) this.counts[does] = (this.counts[does] ?? 0) + 1;
    this.#stepped.tick(random.whole(0, 2));
  }

  async #do(does: string): Promise<boolean> {
    const stepped = this.#stepped;
    const random = this.#random;
    const made = this.#made.length === 0 ? null : random.pick(this.#made.slice(-3) as [Made]);
    switch (does) {
      case "create": {
        const intent = await stepped.create(random.pick(REFERENCES)).catch(() => null);
        if (intent !== null) this.#intents.push(intent);
        return intent !== null;
      }
      case "pay":
        return this.#pay({});
      case "underpay":
        // If a fork dropped the right payment, this one has the same address.
        return this.#pay({ amount: "1" });
      case "undo":
        return this.#acts.length > 0 && stepped.net.controls.drop(this.#acts.pop()!) !== null;
      case "confirm":
        return made !== null && /^(bound|duplicate)$/.test(await stepped.confirm(made.intent, made.signature));
      case "drop":
        return made !== null && stepped.net.controls.drop(made.signature) !== null;
      case "sweep":
        await stepped.catchUp();
        return true;
      case "finalize":
        await stepped.finalize();
        await stepped.expire();
        return true;
      case "pass":
        if (!random.chance(0.2)) return false;
        await stepped.advance(random.whole(1, 8) * HOUR_SECONDS);
        return true;
      default:
        return this.#act();
    }
  }

  async #pay(changed: Partial<Intent>): Promise<boolean> {
    if (this.#intents.length === 0) return false;
    const stepped = this.#stepped;
    const intent = { ...this.#random.pick(this.#intents as [Intent]), ...changed };
    const paid = await stepped.pay(intent, stepped.net.wallets[this.#random.pick(BUYERS)]).catch(refused);
    if (paid !== null) this.#made.push({ intent, signature: paid.signature });
    return paid !== null;
  }

  /** A step of a payment on chain, final or not, which a fork may take alone or with its payment. */
  async #act(): Promise<boolean> {
    const stepped = this.#stepped;
    const rows = await stepped.database.rows<{ address: string; sender: string }>(
      sql`select address, sender from payments where status in ('protected', 'disputed') order by address`,
    );
    if (rows.length === 0) return false;
    const { address, sender } = this.#random.pick(rows as [(typeof rows)[number]]);
    const buyer = Object.values(stepped.net.wallets).find((wallet) => wallet.address === sender)!;
    const action = this.#random.pick(["dispute", "release", "refund"]);
    const wallet = action === "refund" ? stepped.net.wallets.recipient : buyer;
    const options = { until: "none", total: BigInt(this.#random.whole(1, 3)) } as const;
    const done = await actOnPayment(stepped.net, wallet, action, address as never, options).catch(refused);
    if (done !== null) this.#acts.push(done.signature);
    stepped.tick(this.#random.whole(0, 6));
    return done !== null;
  }
}

/** The program refuses it, since the payment is there already; or the chain does, which knows the transaction. */
function refused(error: unknown): null {
  if (error instanceof RpcCallError || (error instanceof Error && /there is no payment/.test(error.message)))
    return null;
  throw error;
}

export async function runForks({ seed, scenarios, length }: Forks): Promise<Figures> {
  const counts: Record<string, number> = { scenarios: 0, payments: 0, reverted: 0, corrected: 0 };
  let report: Report | null = null;
  for (let number = 0; number < scenarios; number++) {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    const scenario = new IntentState(stepped, new Random(seed * 1_000 + number));
    for (let steps = 0; steps < length; steps++) await scenario.step();
    stepped.tick(40);
    await stepped.catchUp();
    // A revert needs at least two reads. Payments that it frees may be bound again.
    for (let looks = 0; looks < 4; looks++) {
      await stepped.settle();
      // The pass over unfinished payments finds a step whose signature is in no list any more.
      await stepped.recheck();
      await stepped.pruneUnmatched();
    }
    try {
      report = await stepped.assertSound();
    } catch (error) {
      throw new Error(`IntentState ${number} of seed ${seed} ends badly.`, { cause: error });
    }
    const [left] = await stepped.database.rows<{
      payments: string;
      reverted: string;
      corrected: string;
      unfinal: string;
    }>(sql`
      select (select count(*) from payments) as payments, (select count(*) from reverted_payments) as reverted,
        (select count(*) from events where type = 'payment.protected' and body like '%"previousAttributes"%'
          or type = 'payment.disputed' and body not like '%"previousAttributes":{"status":"protected"%') as corrected,
        (select count(*) from payments where not finalized) as unfinal`);
    if (left!.unfinal !== "0")
      throw new Error(`IntentState ${number} of seed ${seed}: ${left!.unfinal} payments are not final.`);
    counts.scenarios!++;
    counts.payments! += Number(left!.payments);
    counts.reverted! += Number(left!.reverted);
    counts.corrected! += Number(left!.corrected);
    for (const [what, times] of Object.entries(scenario.counts)) counts[what] = (counts[what] ?? 0) + times;
  }
  return { figures: counts, report };
}
