import assert from "node:assert/strict";
import { actOnPayment, type PaymentAction } from "@holdfast/devnet/buyer.ts";
import { RpcCallError } from "@holdfast/devnet/client.ts";
import { ApiError } from "../../server/domain/errors.ts";
import {
  type Act,
  acceptOffer,
  actIn,
  askArbiter,
  confirmOffer,
  endOffer,
  makeOffer,
  sendStatement,
} from "../../server/features/disputes/actions.ts";
import { createDisputeClock } from "../../server/features/disputes/clock.ts";
import { type Dispute, otherSide, type Side } from "../../server/features/disputes/dispute.ts";
import { sql } from "../../server/store/sql.ts";
import type { Report } from "./checker.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { SteppedService } from "./steppedService.ts";

export interface Disputes {
  readonly seed: number;
  readonly scenarios: number;
  /** Steps of a scenario. */
  readonly length: number;
}

const HOUR_SECONDS = 3_600;
const DOINGS = [
  ...(["speak", "speak", "speak", "speak", "speak", "dispute", "dispute", "rule", "pay_out"] as const),
  ...(["undo", "undo", "sweep", "sweep", "finalize", "pass", "pass"] as const),
] as const;
const ENDS = ["resolve_split", "resolve_release", "resolve_refund", "release", "refund"] as const;

/** Cases at random: sides act at once while connections are cut, forks take openings and ends back, days pass. */
class Cases {
  readonly counts: Record<string, number> = {};
  /** Texts of statements whose sending was answered with success, and with nothing. */
  readonly sent: string[] = [];
  readonly unknown: string[] = [];
  readonly #stepped: SteppedService;
  readonly #random: Random;
  readonly #acts: string[] = [];
  #texts = 0;

  constructor(stepped: SteppedService, random: Random) {
    this.#stepped = stepped;
    this.#random = random;
  }

  dispute = (): Promise<boolean> => this.#actOnChain(["dispute"], false);

  async step(): Promise<void> {
    const does = this.#random.pick(DOINGS);
    if (await this.#do(does)) this.#count(does);
    this.#stepped.tick(this.#random.whole(0, 2));
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  async #do(does: (typeof DOINGS)[number]): Promise<boolean> {
    const stepped = this.#stepped;
    switch (does) {
      case "speak":
        return this.#speak();
      case "dispute":
        return this.dispute();
      case "rule":
        return this.#actOnChain(ENDS, this.#random.chance(0.5));
      case "pay_out":
        return this.#actOnChain(["refund"], true);
      case "undo":
        return this.#acts.length > 0 && stepped.net.controls.drop(this.#acts.pop()!) !== null;
      case "sweep":
        await stepped.catchUp();
        return true;
      case "finalize":
        await stepped.finalize();
        return true;
      case "pass": {
        await stepped.advance(this.#random.whole(1, 40) * HOUR_SECONDS);
        await this.#moveClocks();
        return true;
      }
    }
  }

  /** Two workers move the clocks at once, maybe while connections are cut. */
  async #moveClocks(): Promise<void> {
    const { database, lines } = this.#stepped;
    const deps = { database, environment: "test", log: (line: string) => void lines.push(line) } as const;
    const steps = [createDisputeClock(deps), createDisputeClock(deps)].map((step) => step().catch(() => false));
    if (this.#random.chance(0.3)) await this.#cut();
    await Promise.all(steps);
  }

  /** One to four acts at once on one case; now and then all connections are cut among them. */
  async #speak(): Promise<boolean> {
    const { database, business } = this.#stepped;
    const rows = await database.rows<{ id: string }>(sql`select id from disputes order by id`);
    if (rows.length === 0) return false;
    const { id } = this.#random.pick(rows as [{ id: string }]);
    const offers = await database.rows<{ id: string; side: Side }>(sql`
      select id, side from dispute_offers where dispute_id = ${id} order by number desc limit 2`);
    const tenant = { businessId: business, environment: "test" } as const;
    const running = Array.from({ length: this.#random.whole(1, 4) }, () => {
      const { act, text } = this.#draftAct(offers);
      return database
        .transaction((db) => actIn(db, tenant, id, act))
        .then(
          () => this.#count("acts") ?? (text !== null && this.sent.push(text)),
          (error: unknown) => {
            if (error instanceof ApiError && error.code === "dispute_changed") this.#count("refused");
            else {
              this.#count("lost answers");
              if (text !== null) this.unknown.push(text);
            }
          },
        );
    });
    if (this.#random.chance(0.25)) await this.#cut();
    await Promise.all(running);
    return true;
  }

  #draftAct(offers: readonly { id: string; side: Side }[]): {
    readonly act: (dispute: Dispute, now: Date) => Act;
    readonly text: string | null;
  } {
    const random = this.#random;
    const side = random.pick(["buyer", "merchant"] as const);
    const by =
      side === "buyer"
        ? ({ author: "wallet", authorKind: "wallet" } as const)
        : ({ author: "someone", authorKind: random.pick(["user", "key"] as const) } as const);
    const offer = offers.length === 0 ? null : random.pick(offers as [{ id: string; side: Side }]);
    const kind = random.pick(["statement", "offer", "accept", "end", "confirm", "arbiter"] as const);
    if (kind === "offer") {
      const wanted = { total: String(random.whole(0, 3)), text: random.pick([null, "An offer."]), until: null };
      const signed = side === "buyer" ? { signedText: "text", signature: "signature" } : null;
      return { act: makeOffer(side, by, wanted, signed), text: null };
    }
    if (kind === "arbiter" && random.chance(0.3)) return { act: askArbiter(side), text: null };
    if (offer !== null && kind === "accept") {
      const signed = { acceptedText: "text", acceptedSignature: "signature" };
      const acceptor = otherSide(offer.side);
      return { act: acceptOffer(acceptor, offer.id, "someone", acceptor === "buyer" ? signed : null), text: null };
    }
    if (offer !== null && kind === "confirm") return { act: confirmOffer(offer.id, "someone"), text: null };
    if (offer !== null && kind === "end")
      return { act: endOffer(random.pick(["offer_withdrawn", "offer_declined"]), side, offer.id), text: null };
    const text = `Statement ${++this.#texts}.`;
    return { act: sendStatement(side, by, text), text };
  }

  /** Cuts every connection of the service to the database. */
  async #cut(): Promise<void> {
    await this.#stepped.database
      .rows(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      // Its own connection may be cut by an earlier call.
      .catch(() => this.#count("failed cuts"));
    this.#count("cuts");
  }

  async #actOnChain(actions: readonly [PaymentAction, ...PaymentAction[]], decideOnly: boolean): Promise<boolean> {
    const { database, net } = this.#stepped;
    const rows = await database.rows<{ address: string; sender: string }>(
      sql`select address, sender from payments where status in ('protected', 'disputed') order by address`,
    );
    if (rows.length === 0) return false;
    const { address, sender } = this.#random.pick(rows as [(typeof rows)[number]]);
    const action = this.#random.pick(actions);
    const { arbiter, recipient } = net.wallets;
    const buyer = Object.values(net.wallets).find((wallet) => wallet.address === sender)!;
    const wallet = action.startsWith("resolve") ? arbiter : action === "refund" ? recipient : buyer;
    const total = BigInt(this.#random.whole(0, 3));
    const options = { until: "none", total, decideOnly } as const;
    const done = await actOnPayment(net, wallet, action, address as never, options).catch(refused);
    if (done !== null) this.#acts.push(done.signature);
    this.#stepped.tick(this.#random.whole(0, 6));
    return done !== null;
  }
}

/** The program or the node refuses it. */
function refused(error: unknown): null {
  if (
    error instanceof RpcCallError ||
    (error instanceof Error && /there is no payment|amount|total/i.test(error.message))
  )
    return null;
  throw error;
}

const BUYERS = ["buyer-1", "buyer-2", "buyer-3"] as const;

async function runScenario(seed: number, length: number, figures: Record<string, number>): Promise<Report> {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  for (const buyer of BUYERS) await stepped.pay(await stepped.create(), stepped.net.wallets[buyer]);
  await stepped.settle();
  const cases = new Cases(stepped, new Random(seed));
  for (let opened = 0; opened < BUYERS.length; opened++) await cases.dispute();
  for (let steps = 0; steps < length; steps++) await cases.step();
  stepped.tick(40);
  await stepped.catchUp();
  for (let looks = 0; looks < 4; looks++) {
    await stepped.settle();
    await stepped.recheck();
  }
  const rows = await stepped.database.rows<{ text: string }>(sql`select text from dispute_statements`);
  const kept = rows.map(({ text }) => text);
  assert.equal(new Set(kept).size, kept.length, "no statement is sent twice");
  for (const text of cases.sent) assert.ok(kept.includes(text), `${text} was acknowledged and is lost`);
  const known = new Set([...cases.sent, ...cases.unknown]);
  for (const text of kept) assert.ok(known.has(text), `${text} was refused and is kept`);
  figures.statements = (figures.statements ?? 0) + kept.length;
  for (const [what, times] of Object.entries(cases.counts)) figures[what] = (figures[what] ?? 0) + times;
  return await stepped.assertSound();
}

/** No statement is lost, no act counts twice, each case is in the chain's state, and the sequence has no gap. */
export async function runDisputes({ seed, scenarios, length }: Disputes): Promise<Figures> {
  const figures: Record<string, number> = { scenarios };
  let report: Report | null = null;
  for (let number = 0; number < scenarios; number++)
    try {
      report = await runScenario(seed * 1_000 + number, length, figures);
    } catch (error) {
      throw new Error(`Scenario ${number} of seed ${seed} ends badly.`, { cause: error });
    }
  return { figures, report };
}
