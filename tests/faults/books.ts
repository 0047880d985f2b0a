import assert from "node:assert/strict";
import { type ActOptions, actOnPayment, fundBuyer, type PaymentAction } from "@holdfast/devnet/buyer.ts";
import { callRpc, RpcCallError } from "@holdfast/devnet/client.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { type CompareDeps, type Comparison, compareBooks } from "../../server/features/books/compare.ts";
import { sql } from "../../server/store/sql.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { SteppedService } from "./steppedService.ts";

export interface BooksOptions {
  readonly seed: number;
  readonly payments: number;
}

const BUYERS = ["buyer-1", "buyer-2", "buyer-3"] as const;
/** Payments between two passes of the service. */
const PASS_EVERY = 20;
const FUNDS = 1_000_000_000_000n;
const LOOKS = 4;

type Open = { readonly address: string; readonly sender: string; readonly status: string };

/** Random payments, with disputes, rulings, partial refunds, releases, duplicates, mismatches, dust, and forks that take some back. */
class Life {
  readonly counts: Record<string, number> = {};
  readonly #stepped: SteppedService;
  readonly #random: Random;
  readonly #signatures: string[] = [];

  constructor(stepped: SteppedService, random: Random) {
    this.#stepped = stepped;
    this.#random = random;
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
  #buyer = (): LocalWallet => this.#stepped.net.wallets[this.#random.pick(BUYERS)];

  async pay(): Promise<void> {
    const [stepped, random] = [this.#stepped, this.#random];
    const intent = await stepped.create();
    const isMismatch = random.chance(0.05);
    const [first, second] = BUYERS.map((name) => stepped.net.wallets[name]) as [LocalWallet, LocalWallet];
    const isTwice = random.chance(0.08);
    const paid = await stepped.pay(
      isMismatch ? { ...intent, amount: "4999999" } : intent,
      isTwice ? first : this.#buyer(),
    );
    this.#signatures.push(paid.signature);
    this.#count(isMismatch ? "mismatches" : "payments");
    if (isTwice) {
      await stepped.pay(intent, second);
      this.#count("further");
    }
    stepped.tick(random.whole(0, 1));
  }

  /** A fork, then some steps of payments that the books know. */
  async act(): Promise<void> {
    const [stepped, random] = [this.#stepped, this.#random];
    // At once: the books know the payment, and in a few slots it is final.
    const last = this.#signatures.at(-random.whole(1, 3));
    if (last !== undefined && stepped.net.controls.drop(last) !== null) this.#count("drops");
    const open = await stepped.database.rows<Open>(
      sql`select address, sender, status from payments where status in ('protected', 'disputed') order by address`,
    );
    for (let steps = 0; steps < PASS_EVERY / 2 && open.length > 0; steps++) {
      const one = random.pick(open as [Open]);
      if (random.chance(0.1)) await this.#giveDust(one);
      else await this.#step(one);
      stepped.tick(random.whole(0, 2));
    }
  }

  async #giveDust({ address }: Open): Promise<void> {
    const { rpcUrl, asset } = this.#stepped.net;
    await callRpc(rpcUrl, "devnet_faucet", [{ address, asset, amount: String(this.#random.whole(1, 9)) }]);
    this.#count("dust");
  }

  async #step({ address, sender, status }: Open): Promise<void> {
    const { net } = this.#stepped;
    const buyer = Object.values(net.wallets).find((wallet) => wallet.address === sender)!;
    const total = BigInt(this.#random.whole(1, 4_999_999));
    const act = (wallet: LocalWallet, action: PaymentAction, options: ActOptions = {}) =>
      actOnPayment(net, wallet, action, address as never, { until: "none", ...options }).then(
        () => this.#count(action),
        ignoreRefused,
      );
    if (status === "disputed") return act(net.wallets.arbiter, "resolve_split", { total });
    const action = this.#random.pick(["dispute", "release", "refund", "refund"]);
    return action === "refund" ? act(net.wallets.recipient, "refund", { total }) : act(buyer, action);
  }
}

/** The program refuses it: an earlier step was first, or a fork took the payment. */
function ignoreRefused(error: unknown): void {
  if (error instanceof RpcCallError || (error instanceof Error && /there is no payment/.test(error.message))) return;
  throw error;
}

async function becomeQuiet(stepped: SteppedService): Promise<void> {
  stepped.tick(40);
  await stepped.catchUp();
  // A revert needs two reads, and payments that it frees may be bound again.
  for (let looks = 0; looks < LOOKS; looks++) {
    await stepped.settle();
    await stepped.recheck();
    await stepped.pruneUnmatched();
  }
}

/**
 * Random lives of payments: the books tie to records and vaults at several moments and at the end, and a changed row, a row
 * without a record and a changed sum are each found and explained.
 */
export async function runBooks({ seed, payments }: BooksOptions): Promise<Figures> {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const { net, database, ctx, business } = stepped;
  for (const name of BUYERS) await fundBuyer(net.rpcUrl, net.wallets[name].address, net.asset, FUNDS);
  stepped.tick(12);
  const compareDeps: CompareDeps = { db: database, reader: ctx.chain.reader, waitsMs: [] };
  const tenant = { businessId: business, environment: "test" } as const;
  const compare = () => compareBooks(compareDeps, tenant, AbortSignal.timeout(120_000));
  const life = new Life(stepped, new Random(seed));
  let comparisons = 0;
  let tied: Comparison = { assets: [], findings: [], differences: 0 };
  for (let made = 1; made <= payments; made++) {
    await life.pay();
    if (made % PASS_EVERY === 0) {
      stepped.tick(3);
      await stepped.catchUp();
      await stepped.finalize();
      await life.act();
    }
    if (made === payments || made % Math.ceil(payments / 4) === 0) {
      await becomeQuiet(stepped);
      tied = await compare();
      comparisons++;
      assert.deepEqual(
        tied.findings.filter(({ kind }) => kind !== "gift"),
        [],
      );
    }
  }
  const [sums] = tied.assets;
  assert.ok(sums !== undefined && BigInt(sums.vaults) - BigInt(sums.gifts) === BigInt(sums.held));
  const open = await database.row<{ held: string; payments: string }>(sql`
    select sum(amount - amount_refunded - amount_released) as held, count(*) as payments
    from payments where status in ('protected', 'disputed')`);
  assert.deepEqual([sums.held, String(sums.payments)], [open!.held, open!.payments]);
  // The checker reads the chain by code of its own. It knows no gifts: to it, vaults that hold more are a violation.
  const { violations } = await stepped.check();
  const more = violations.map((text) => /the database says (\d+) of \w+ is held, the vaults hold (\d+)$/.exec(text));
  assert.deepEqual(
    more.map((found, at) => (found === null ? violations[at] : String(BigInt(found[2]!) - BigInt(found[1]!)))),
    sums.gifts === "0" ? [] : [sums.gifts],
  );
  const planted = await plantDifferences(stepped, compare);
  const rows = await database.row<{ reverted: string; duplicates: string }>(sql`
    select (select count(*) from reverted_payments) as reverted,
      (select count(*) from payments where role = 'duplicate') as duplicates`);
  const { held, vaults, gifts, slotMin, slotMax } = sums;
  const slots = `${slotMin} to ${slotMax}`;
  return {
    figures: { ...life.counts, ...rows!, comparisons, open: sums.payments, held, vaults, gifts, slots, planted },
    report: null,
  };
}

/** Plants three differences, each alone, and returns the number of those that were found and explained. */
async function plantDifferences({ database }: SteppedService, compare: () => Promise<Comparison>): Promise<number> {
  const { address, sender } = (await database.row<Open>(sql`
    select address, sender, status from payments
    where status = 'protected' and outcome is null and refund_total = 0 order by address limit 1`))!;
  const lost = `${address.slice(0, -4)}2222`;
  const plants = [
    {
      plant: sql`update payments set sender = recipient where address = ${address}`,
      undo: sql`update payments set sender = ${sender} where address = ${address}`,
      finds: [["record_differs", address, "sender"]],
    },
    {
      plant: sql`update payments set address = ${lost} where address = ${address}`,
      undo: sql`update payments set address = ${address} where address = ${lost}`,
      finds: [["record_missing", lost, null]],
    },
    {
      plant: sql`update payment_days set refunded = refunded + 1 where day = 'infinity'`,
      undo: sql`update payment_days set refunded = refunded - 1 where day = 'infinity'`,
      finds: [["sums_differ", "", "refunded"]],
    },
  ];
  let found = 0;
  for (const { plant, undo, finds } of plants) {
    await database.rows(plant);
    const { findings } = await compare();
    const differing = findings.filter(({ kind }) => kind !== "gift");
    assert.deepEqual(
      differing.map(({ kind, payment, detail }) => [kind, payment, detail?.split(":")[0] ?? null]),
      finds,
    );
    await database.rows(undo);
    assert.equal((await compare()).differences, 0);
    found++;
  }
  return found;
}
