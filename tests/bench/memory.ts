import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import { getBase58Decoder } from "@solana/kit";
import { insertEndpoint } from "../../server/features/webhooks/endpoints/queries.ts";
import { newKeyRing, showKeyRing } from "../../server/features/webhooks/endpoints/secret.ts";
import { testAuthority } from "../../server/features/webhooks/testing/worker.ts";
import { StandaloneService } from "../faults/standaloneService.ts";
import { startApiProcess } from "../harness/apiProcess.ts";
import { newBuyer, pay } from "../harness/chain.ts";
import { type Merchant, newMerchant, someTerms, type Wire } from "../harness/merchant.ts";
import { type Answer, startReceiver } from "../harness/webhookReceiver.ts";
import { median } from "./startLoad.ts";

const MERCHANTS = 200;
/** Intents of a merchant that are read again; older ones are forgotten here, not in the database. */
const KNOWN_MAX = 50;
const SAMPLE_MS = 10_000;
/** Samples around a moment whose median is its figure. */
const SAMPLES_AROUND = 6;
const RATE_MAX = 1_000_000_000;
const UNDER_WAY_MAX = 500;
/** A buyer has tokens for so many payments of this size. */
const AMOUNT = "1000";

interface Sample {
  readonly seconds: number;
  /** In MB, each figure of the API's process and of the worker's. */
  readonly rss: readonly [number, number];
  readonly heap: readonly [number, number];
}

/** What merchants and buyers do, by its share of the requests. */
class Traffic {
  readonly answers = new Map<string, number>();
  readonly #merchants: readonly { readonly merchant: Merchant; readonly known: Wire[]; sequence: string }[];
  readonly #service: StandaloneService;
  #orders = 0;
  #underWay = 0;

  constructor(service: StandaloneService, merchants: readonly Merchant[]) {
    this.#service = service;
    this.#merchants = merchants.map((merchant) => ({ merchant, known: [], sequence: "0" }));
  }

  /** Requests at this rate until then; one that is due while too many are under way is left out and counted. */
  async run(perSecond: number, until: number): Promise<void> {
    const startedAt = performance.now();
    for (let due = 0; performance.now() < until; due++) {
      const waitMs = startedAt + (due * 1_000) / perSecond - performance.now();
      if (waitMs > 1) await sleep(waitMs);
      if (this.#underWay >= UNDER_WAY_MAX) this.#count("left out");
      else void this.#request();
    }
    while (this.#underWay > 0) await sleep(100);
  }

  /** A payment a second by real transactions, so that the worker has a chain to read. */
  async pay(until: number): Promise<void> {
    const buyer = await newBuyer(this.#service);
    while (performance.now() < until) {
      const one = this.#merchants[Math.floor(Math.random() * this.#merchants.length)]!;
      const terms = someTerms(this.#service, { amount: AMOUNT, merchantReference: `paid-${++this.#orders}` });
      const answer = await one.merchant.call("POST", "/payment-intents", terms);
      await pay(this.#service, answer.json, { buyer })
        .then(({ signature }) => one.merchant.confirm(answer.json.id, signature))
        .then(
          (confirmed) => this.#count(`confirm of a payment ${confirmed.status}`),
          () => this.#count("payment failed"),
        );
      await sleep(1_000);
    }
  }

  async #request(): Promise<void> {
    this.#underWay++;
    const { what, ask } = this.#choose();
    const status = await ask().then(String, () => "failed");
    this.#count(`${what} ${status}`);
    this.#underWay--;
  }

  #choose(): { readonly what: string; readonly ask: () => Promise<number> } {
    const one = this.#merchants[Math.floor(Math.random() * this.#merchants.length)]!;
    const { merchant, known } = one;
    const intent = known[Math.floor(Math.random() * known.length)];
    const get = (path: string) => async () => (await merchant.get(path)).status;
    const kind = Math.random();
    if (intent === undefined || kind < 0.3)
      return {
        what: "create",
        ask: async () => {
          const order = `order-${++this.#orders}`;
          const terms = someTerms(this.#service, { merchantReference: order, metadata: { order } });
          const answer = await merchant.call("POST", "/payment-intents", terms, [["Idempotency-Key", order]]);
          if (answer.status === 201) known.push({ id: answer.json.id });
          if (known.length > KNOWN_MAX) known.shift();
          return answer.status;
        },
      };
    if (kind < 0.6) return { what: "get", ask: get(`/payment-intents/${intent.id}`) };
    if (kind < 0.72) return { what: "list", ask: get("/payment-intents?limit=20") };
    if (kind < 0.77) return { what: "list payments", ask: get("/payments?limit=20") };
    if (kind < 0.82) return { what: "list events", ask: get("/events?limit=20") };
    if (kind < 0.87) return { what: "cancel", ask: async () => (await merchant.cancel(intent.id)).status };
    if (kind < 0.97) {
      const signature = getBase58Decoder().decode(randomBytes(64));
      return { what: "confirm of nonsense", ask: async () => (await merchant.confirm(intent.id, signature)).status };
    }
    return {
      what: "wait for events",
      ask: async () => {
        const answer = await merchant.get(`/events?after_sequence=${one.sequence}&limit=100&wait=10`);
        one.sequence = answer.json?.data?.[0]?.sequence ?? one.sequence;
        return answer.status;
      },
    };
  }

  #count(what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
  }
}

/** What a process says of itself at /metrics, in MB. */
async function readMemory(url: string): Promise<{ rss: number; heap: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => {
    const figure = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "m").exec(text)?.[1];
    if (figure === undefined) throw new Error(`${url}/metrics does not tell ${name}.`);
    return Number(figure) / 1_000_000;
  };
  return { rss: read("process_resident_memory_bytes"), heap: read("nodejs_heap_size_used_bytes") };
}

async function takeSamples(urls: readonly [string, string], until: number): Promise<Sample[]> {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  console.log("| minutes | API RSS MB | heap | worker RSS MB | heap |\n|---|---|---|---|---|");
  while (performance.now() < until) {
    await sleep(SAMPLE_MS);
    const [api, worker] = await Promise.all([readMemory(urls[0]), readMemory(urls[1])]);
    const sample: Sample = {
      seconds: (performance.now() - startedAt) / 1_000,
      rss: [api.rss, worker.rss],
      heap: [api.heap, worker.heap],
    };
    samples.push(sample);
    if (samples.length % SAMPLES_AROUND === 0) {
      const cells = [api.rss, api.heap, worker.rss, worker.heap].map((figure) => figure.toFixed(1));
      console.log(`| ${(sample.seconds / 60).toFixed(1)} | ${cells.join(" | ")} |`);
    }
  }
  return samples;
}

function report(samples: readonly Sample[], minutes: number): void {
  const early = samples.findIndex(({ seconds }) => seconds >= (minutes * 60) / 6);
  const at = (end: number, of: (sample: Sample) => number) =>
    median(samples.slice(Math.max(0, end - SAMPLES_AROUND), end).map(of));
  console.log(
    `\n| process | RSS MB after ${(minutes / 6).toFixed(1)} min | RSS MB at the end | ratio | heap MB, least of a minute, then and at the end |\n|---|---|---|---|---|`,
  );
  for (const [index, name] of ["API", "worker"].entries()) {
    const [before, after] = [early + 1, samples.length].map((end) => at(end, ({ rss }) => rss[index]!)) as [
      number,
      number,
    ];
    const heaps = [early + 1, samples.length].map((end) =>
      Math.min(...samples.slice(Math.max(0, end - SAMPLES_AROUND), end).map(({ heap }) => heap[index]!)).toFixed(1),
    );
    console.log(
      `| ${name} | ${before.toFixed(1)} | ${after.toFixed(1)} | **${(after / before).toFixed(2)}** | ${heaps.join(", ")} |`,
    );
  }
}

/** A receiver for everybody's endpoints, and the settings of a worker that may reach it. */
async function openReceiver(folder: string, ring: ReturnType<typeof newKeyRing>) {
  let delivered = 0;
  const answer: Answer = (_request, response) => {
    delivered++;
    response.end("ok");
  };
  const receiver = await startReceiver(testAuthority().issue(["*.shop-demo.com"]), answer, { keep: false });
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, testAuthority().ca);
  const hosts = Array.from({ length: MERCHANTS }, (_, index) => `h${index}.shop-demo.com`);
  const env = {
    WEBHOOK_KEYS: JSON.stringify(showKeyRing(ring)),
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_DEV_HOSTS: JSON.stringify(Object.fromEntries(hosts.map((host) => [host, `127.0.0.1:${receiver.port}`]))),
  };
  return { receiver, hosts, env, delivered: () => delivered };
}

/**
 * Memory of the API and of the worker, each in a process of its own, under hours of everything merchants and buyers do:
 * what is there after a sixth of the time (ten minutes of an hour) against what is there at the end.
 */
export async function benchMemory(args: readonly string[]): Promise<void> {
  const [minutes = 60, perSecond = 100] = args.map(Number);
  const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  const ring = newKeyRing();
  const { receiver, hosts, env, delivered } = await openReceiver(folder, ring);
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "data"), log: () => undefined });
  const service = await StandaloneService.start({
    databaseUrl: postgres.url,
    slotMs: 400,
    finalizedSlots: 32,
    env: { ROLE: "api" },
  });
  const worker = await startApiProcess(service, {
    ROLE: "worker",
    TEST_WS_URLS: service.chain.wsUrl,
    TEST_KEEPER_KEY_FILE: join(service.chain.walletsDir, "keeper.json"),
    ...env,
  });
  try {
    const merchants: Merchant[] = [];
    for (const host of hosts) {
      const merchant = await newMerchant(service, { rate: RATE_MAX });
      const tenant = { businessId: merchant.business, environment: "test" } as const;
      await insertEndpoint(service.database, ring, tenant, { url: `https://${host}/`, eventTypes: null });
      merchants.push(merchant);
    }
    const traffic = new Traffic(service, merchants);
    const until = performance.now() + minutes * 60_000;
    const urls = [service.checkoutUrl, `http://localhost:${worker.service.port}`] as const;
    const [samples] = await Promise.all([takeSamples(urls, until), traffic.run(perSecond, until), traffic.pay(until)]);
    report(samples, minutes);
    const answers = [...traffic.answers].toSorted(([one], [other]) => one.localeCompare(other));
    console.log(`\n${answers.map(([what, count]) => `${what}: ${count}`).join(", ")}; ${delivered()} deliveries.`);
  } finally {
    await worker.kill("SIGTERM");
    await service.remove();
    await postgres.stop();
    await receiver[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
