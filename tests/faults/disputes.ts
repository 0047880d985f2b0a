import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { actOnPayment, type PaymentAction } from "@holdfast/devnet/buyer.ts";
import { RpcCallError } from "@holdfast/devnet/client.ts";
import { createDisputeClock } from "../../server/features/disputes/clock.ts";
import { testContext } from "../../server/features/testing.ts";
import { sql } from "../../server/store/sql.ts";
import { HUNG_MS } from "../harness/wait.ts";
import type { Report } from "./checker.ts";
import { Sides, type Spoken } from "./disputeSides.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { SteppedService } from "./steppedService.ts";

export interface Disputes {
  readonly seed: number;
  readonly scenarios: number;
  /** Steps of a scenario. */
  readonly length: number;
  /** Payments of each buyer, all disputed. */
  readonly payments: number;
  /** Processes killed in a scenario. */
  readonly kills: number;
}

const HOUR_SECONDS = 3_600;
/** Steps that happen while another process acts. */
const MEANWHILE_MAX = 30;
const DOINGS = [
  ...(["speak", "speak", "speak", "speak", "speak", "dispute", "dispute", "rule", "pay_out"] as const),
  ...(["fork", "fork", "sweep", "sweep", "finalize", "jump", "jump"] as const),
] as const;
const ENDS = ["resolve_split", "resolve_release", "resolve_refund", "release", "refund"] as const;

/** Disputes at random: sides act at once while connections are cut, forks take openings and ends back, days pass. */
class RandomDisputes {
  readonly counts: Record<string, number> = {};
  readonly #sides: Sides;
  readonly #stepped: SteppedService;
  readonly #random: Random;
  readonly #acts: string[] = [];

  constructor(stepped: SteppedService, random: Random) {
    this.#stepped = stepped;
    this.#random = random;
    this.#sides = new Sides(stepped, random, this.counts);
  }

  get texts(): Pick<Sides, "sent" | "unknown"> {
    return this.#sides;
  }

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
        return this.#actOnChain(["dispute"], false);
      case "rule":
        return this.#actOnChain(ENDS, this.#random.chance(0.5));
      case "pay_out":
        return this.#actOnChain(["refund"], true);
      case "fork":
        return this.#acts.length > 0 && stepped.net.controls.drop(this.#acts.pop()!) !== null;
      case "sweep":
        await stepped.catchUp();
        return true;
      case "finalize":
        await stepped.finalize();
        return true;
      case "jump": {
        await stepped.advance(this.#random.whole(1, 40) * HOUR_SECONDS);
        await this.#moveClocks();
        return true;
      }
    }
  }

  /** Two workers move the clocks at once, maybe while connections are cut. */
  async #moveClocks(): Promise<void> {
    const { database, lines } = this.#stepped;
    const ctx = testContext({ database, log: (line) => void lines.push(line) });
    const steps = [createDisputeClock(ctx), createDisputeClock(ctx)].map((step) => step().catch(() => false));
    if (this.#random.chance(0.3)) await this.#cut();
    await Promise.all(steps);
  }

  /** One to four acts at once on one dispute; now and then all connections are cut among them. */
  async #speak(): Promise<boolean> {
    const meanwhile = this.#random.chance(0.25) ? () => this.#cut() : undefined;
    return this.#sides.speak(this.#random.whole(1, 4), meanwhile);
  }

  /**
   * Another process acts for both sides and moves the clocks, until it is killed in the middle of an act. Meanwhile this one
   * goes on.
   */
  async killProcess(): Promise<void> {
    const { databaseUrl, business } = this.#stepped;
    const settings = [databaseUrl, business, String(this.#random.whole(0, 1_000_000))];
    const speaker = fork(fileURLToPath(new URL("disputeProcess.ts", import.meta.url)), settings);
    const ended = once(speaker, "exit");
    let left = this.#random.whole(1, 12);
    speaker.on("message", ({ kind, text }: Spoken) => {
      if (kind === "sending") this.#sides.unknown.push(text);
      else {
        this.#sides.sent.push(text);
        this.#count("acts");
      }
      if (--left === 0) speaker.kill("SIGKILL");
    });
    try {
      await once(speaker, "message", { signal: AbortSignal.timeout(HUNG_MS) });
      for (let steps = 0; steps < MEANWHILE_MAX && left > 0; steps++) await this.step();
    } finally {
      speaker.kill("SIGKILL");
    }
    assert.deepEqual(await ended, [null, "SIGKILL"], "it did not end by itself");
    this.#count("kills");
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

async function runScenario(
  { seed, length, payments, kills }: Disputes,
  figures: Record<string, number>,
): Promise<Report> {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const { net } = stepped;
  const open = [];
  for (const name of BUYERS)
    for (let paid = 0; paid < payments; paid++)
      open.push({ wallet: net.wallets[name], ...(await stepped.pay(await stepped.create(), net.wallets[name])) });
  await stepped.settle();
  for (const { wallet, payment } of open)
    await actOnPayment(net, wallet, "dispute", payment as never, { until: "none" });
  const disputes = new RandomDisputes(stepped, new Random(seed));
  await stepped.settle();
  for (let killed = 0; killed < kills; killed++) await disputes.killProcess();
  for (let steps = 0; steps < length; steps++) await disputes.step();
  stepped.tick(40);
  await stepped.catchUp();
  for (let looks = 0; looks < 4; looks++) {
    await stepped.settle();
    await stepped.recheck();
  }
  const { rows } = stepped.database;
  const kept = (await rows<{ text: string }>(sql`select text from dispute_statements`)).map(({ text }) => text);
  const { sent, unknown } = disputes.texts;
  assert.equal(new Set(kept).size, kept.length, "no statement is sent twice");
  for (const text of sent) assert.ok(kept.includes(text), `${text} was acknowledged and is lost`);
  const known = new Set([...sent, ...unknown]);
  for (const text of kept) assert.ok(known.has(text), `${text} was refused and is kept`);
  const [{ count }] = (await rows<{ count: number }>(sql`select count(*)::integer as count from disputes`)) as [
    { count: number },
  ];
  for (const [what, times] of Object.entries({ disputes: count, statements: kept.length, ...disputes.counts }))
    figures[what] = (figures[what] ?? 0) + times;
  return await stepped.assertSound();
}

/** No statement is lost, no act counts twice, each dispute is in the chain's state, and the sequence has no gap. */
export async function runDisputes({ seed, scenarios, ...rest }: Disputes): Promise<Figures> {
  const figures: Record<string, number> = { scenarios };
  let report: Report | null = null;
  for (let number = 0; number < scenarios; number++)
    try {
      report = await runScenario({ ...rest, scenarios, seed: seed * 1_000 + number }, figures);
    } catch (error) {
      throw new Error(`Scenario ${number} of seed ${seed} ends badly.`, { cause: error });
    }
  return { figures, report };
}
