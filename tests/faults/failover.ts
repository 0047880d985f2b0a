import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Merchant, newMerchant, someTerms } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { assertSound } from "./checker.ts";
import { expectPaid } from "./kill.ts";
import { Patroni } from "./patroni.ts";
import { awaitQuiet } from "./quiet.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";
import { Traffic } from "./traffic.ts";

export interface FailOvers {
  readonly seed: number;
  /** The leader is killed so many times. */
  readonly kills: number;
  readonly payments: number;
  readonly buyers: number;
}

const HOUR_SECONDS = 3_600;
const CREATORS = 4;
const PAUSE_MS = 50;

/** Every process of the leader is killed again and again under creates and payments; the service is never started again. */
export async function runFailOvers({ seed, kills, payments, buyers }: FailOvers): Promise<Figures> {
  const random = new Random(seed);
  const cluster = await Patroni.start();
  let service: StandaloneService | null = null;
  try {
    service = await StandaloneService.start({ databaseUrl: cluster.url });
    const { pid } = service.process;
    const shop = await newMerchant(service);
    const payees = await newMerchant(service);
    const traffic = new Traffic(service, payees, { random, payments, buyers });
    const creates = new Creates(service, shop);
    const outagesMs: number[] = [];
    const failing = async () => {
      for (let kill = 1; kill <= kills; kill++) {
        traffic.allow(Math.ceil((payments * kill) / kills));
        await sleep(random.whole(1_000, 5_000));
        const before = creates.acknowledged.size;
        creates.longestMs = 0;
        const lost = await cluster.killLeader();
        await eventually("creates go on", () => creates.acknowledged.size >= before + 2 * CREATORS);
        outagesMs.push(Math.round(creates.longestMs));
        await cluster.begin(lost);
        await cluster.awaitWhole();
      }
    };
    await Promise.all([traffic.run(), creates.run(), failing().finally(() => creates.stop())]).finally(() => {
      traffic.stop();
      creates.stop();
    });
    assert.equal(service.process.exitCode, null, `the service ended: ${service.errors().slice(-2_000)}`);
    assert.equal(service.process.pid, pid);
    await service.advance(HOUR_SECONDS);
    await awaitQuiet(service);
    await expectPaid(payees, traffic);
    const found = (await shop.walk("/payment-intents", 100)).map(({ id }) => id as string);
    assert.deepEqual(found.sort(), [...creates.acknowledged].sort(), "every acknowledged create is there, once");
    const report = await assertSound(service.database, service.evidence);
    return {
      figures: {
        ...{ payments, disputes: traffic.disputes, "transactions confirmed": traffic.confirmed.length },
        ...{ kills, creates: found.length, "requests repeated": traffic.retries + creates.retries },
        "longest time without a create, ms, by kill": outagesMs.join(", "),
      },
      report,
    };
  } finally {
    await service?.remove();
    cluster.remove();
  }
}

/** Merchants that create without pause, and repeat each request under its key until it is acknowledged. */
class Creates {
  readonly acknowledged = new Set<string>();
  retries = 0;
  /** The longest time between two acknowledged creates since it was last set. */
  longestMs = 0;
  readonly #service: StandaloneService;
  readonly #shop: Merchant;
  #latestAt = performance.now();
  #going = true;

  constructor(service: StandaloneService, shop: Merchant) {
    this.#service = service;
    this.#shop = shop;
  }

  stop(): void {
    this.#going = false;
  }

  async run(): Promise<void> {
    const create = async () => {
      while (this.#going) {
        const key = randomUUID();
        const terms = someTerms(this.#service, { merchantReference: key });
        const id = await eventually("a create is acknowledged", () => this.#tryOnce(key, terms));
        this.acknowledged.add(id);
        const now = performance.now();
        this.longestMs = Math.max(this.longestMs, now - this.#latestAt);
        this.#latestAt = now;
        await sleep(PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: CREATORS }, create));
  }

  async #tryOnce(key: string, terms: object): Promise<string | null> {
    const sent = this.#shop.call("POST", "/payment-intents", terms, [["Idempotency-Key", key]]);
    const answer = await sent.catch(() => null);
    if (answer?.status === 201) return answer.json.id;
    if (answer !== null && answer.status !== 503 && answer.json?.error?.code !== "idempotency_in_progress")
      throw new Error(`The create was refused: ${answer.text}`);
    this.retries++;
    return null;
  }
}
