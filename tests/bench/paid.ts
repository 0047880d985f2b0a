import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import { type SignedTransaction, signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import { DURABLE } from "@holdfast/embedded-postgres/settings.ts";
import { createPaymentInstructions, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { newKeyRing, showKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { sql } from "../../server/store/sql.ts";
import { ChainProcess } from "../faults/chainProcess.ts";
import { type Nodes, StandaloneService } from "../faults/standaloneService.ts";
import { createAuthority } from "../harness/certificates.ts";
import { merchantOf, someTerms } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { RealNode } from "../realnode/realNode.ts";
import { seedBusinesses, seedEndpoints } from "./seed.ts";
import { type Receiving, startReceiving } from "./startReceiver.ts";

const PROGRAM_FILE = fileURLToPath(import.meta.resolve("@holdfast/program/holdfast_escrow.so"));
const HOST = "shop-demo.com";
const SLOT_MS = 200;
const BUYERS = 8;
const UNITS = 1_000_000_000n;
const CREATES_AT_ONCE = 16;
/** The payments before those that count: connections open, and code is compiled. */
const WARM = 5;
/** A blockhash is used for this long; it lives for 30 seconds at the least. */
const BLOCKHASH_MS = 5_000;
const ARRIVAL_MS_MAX = 60_000;

interface Place {
  readonly name: string;
  start(folder: string): Promise<Nodes>;
  newBuyer(nodes: Nodes): Promise<LocalWallet>;
}

const LOCAL: Place = {
  name: "local chain",
  async start(folder) {
    const chain = await ChainProcess.start(join(folder, "devnet"), { slotMs: SLOT_MS, finalizedSlots: 32 });
    await chain.control("pace", { consensus: "alpenglow" });
    return chain;
  },
  async newBuyer(chain) {
    const buyer = newWallet();
    for (const [asset, amount] of [["SOL", "100000000000"] as const, [chain.ready.asset, String(UNITS)] as const])
      await chain.control("faucet", { address: buyer.address, asset, amount });
    return buyer;
  },
};

const nodeOf = (file: string): Place => ({
  name: "node",
  start: async (folder) => RealNode.start(file, folder, "alpenglow", await readFile(PROGRAM_FILE)),
  newBuyer: (nodes) => (nodes as RealNode).newBuyer(),
});

/** Milliseconds since the epoch, to parts of one. */
const now = () => performance.timeOrigin + performance.now();

/** The time at which a node says that a transaction is final, by its signature. */
async function followFinal({ wsUrl, ready }: Nodes): Promise<{ at: Map<string, number>; close(): void }> {
  const at = new Map<string, number>();
  const socket = new WebSocket(wsUrl);
  const { promise: isOpen, resolve, reject } = Promise.withResolvers<void>();
  socket.onerror = () => reject(new Error("The node's WebSocket failed."));
  socket.onopen = () => {
    const params = [{ mentions: [ready.operator] }, { commitment: "finalized" }];
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "logsSubscribe", params }));
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.id === 1) resolve();
    else {
      // Agave tells of a transaction again once the next block is final.
      const { signature } = message.params.result.value;
      if (!at.has(signature)) at.set(signature, now());
    }
  };
  await isOpen;
  return { at, close: () => socket.close() };
}

/** After its block was final. */
interface Heard {
  readonly eventMs: number;
  readonly webhookMs: number;
}
interface Waits {
  readonly events: readonly number[];
  readonly webhooks: readonly number[];
  readonly load: number;
}

/** A service on a chain with a shop, its receiver of webhooks and its buyers. */
class Stage {
  readonly #service: StandaloneService<Nodes>;
  readonly #receiving: Receiving;
  readonly #final: Awaited<ReturnType<typeof followFinal>>;
  readonly #buyers: readonly LocalWallet[];
  readonly #key: string;
  #blockhash = { text: "", at: Number.NEGATIVE_INFINITY };
  #payments = 0;
  readonly #arrivals: Record<string, number> = {};

  private constructor(
    service: StandaloneService<Nodes>,
    receiving: Receiving,
    final: Awaited<ReturnType<typeof followFinal>>,
    buyers: readonly LocalWallet[],
    key: string,
  ) {
    this.#service = service;
    this.#receiving = receiving;
    this.#final = final;
    this.#buyers = buyers;
    this.#key = key;
  }

  static async with(place: Place, work: (stage: Stage) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "holdfast-bench-"));
    const authority = createAuthority();
    const receiving = await startReceiving(authority.issue([HOST]));
    const ring = newKeyRing();
    await writeFile(join(folder, "ca.pem"), authority.ca);
    // The time of a commit tells when its events were written.
    const settings = { ...DURABLE, track_commit_timestamp: "on" };
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), settings, log: () => undefined });
    let service: StandaloneService<Nodes> | null = null;
    try {
      service = await StandaloneService.startOn(() => place.start(folder), {
        nodes: ["one"],
        databaseUrl: postgres.url,
        chain: { sweepMs: 4_000 },
        env: {
          WEBHOOK_CA_FILE: join(folder, "ca.pem"),
          WEBHOOK_DEV_HOSTS: JSON.stringify({ [HOST]: `127.0.0.1:${receiving.port}` }),
          WEBHOOK_KEYS: JSON.stringify(showKeyRing(ring)),
        },
      });
      const [key] = await seedBusinesses(service.database, 1);
      await seedEndpoints(service.database, ring, [HOST]);
      const { chain } = service;
      const buyers = await Promise.all(Array.from({ length: BUYERS }, () => place.newBuyer(chain)));
      const final = await followFinal(chain);
      await work(new Stage(service, receiving, final, buyers, key!));
      final.close();
    } finally {
      receiving.stop();
      await service?.remove();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Pays so many intents, each when `mayPay` settles, and waits until the shop has heard of all. */
  async measure(count: number, mayPay: (index: number, before: string | undefined) => Promise<void>): Promise<Waits> {
    const paymentIds = await this.#create(count);
    const signatures: string[] = [];
    const sent: Promise<unknown>[] = [];
    for (const [index, paymentId] of paymentIds.entries()) {
      await mayPay(index, signatures.at(-1));
      const { wire, signature } = await this.#sign(paymentId);
      signatures.push(signature);
      sent.push(this.#send(wire));
    }
    await Promise.all(sent);
    const load = loadavg()[0]!;
    const heard = await this.#awaitAll(signatures);
    const sorted = (what: keyof Heard) => heard.map((one) => one[what]).toSorted((a, b) => a - b);
    return { events: sorted("eventMs"), webhooks: sorted("webhookMs"), load };
  }

  /** Resolves once the shop has heard of a payment. */
  async hears(signature: string): Promise<void> {
    await this.#awaitAll([signature]);
  }

  async #create(count: number): Promise<string[]> {
    const shop = merchantOf(this.#service, "", "", this.#key);
    const paymentIds: string[] = [];
    let left = count;
    const client = async () => {
      while (left-- > 0) {
        const { paymentId } = await shop.create(someTerms(this.#service, { amount: "1000" }));
        paymentIds.push(paymentId);
      }
    };
    await Promise.all(Array.from({ length: CREATES_AT_ONCE }, client));
    return paymentIds;
  }

  async #sign(paymentId: string): Promise<SignedTransaction> {
    const { chain, recipient, wallets } = this.#service;
    const { programId, operator, asset } = chain.ready;
    const buyer = this.#buyers[this.#payments++ % BUYERS]!;
    if (now() - this.#blockhash.at > BLOCKHASH_MS)
      this.#blockhash = { text: await latestBlockhash(chain.rpcUrl), at: now() };
    const instructions = await createPaymentInstructions({
      ...{ programId, operator, recipient, sender: buyer.address, mint: asset, tokenProgram: TOKEN_PROGRAM_ID },
      ...{ paymentId: BigInt(paymentId), amount: 1_000n, period: "sevenDays", arbiter: wallets.arbiter.address },
      createRecipientAccount: true,
    });
    return signTransaction({ instructions, wallets: [buyer], blockhash: this.#blockhash.text });
  }

  #send = (wire: Uint8Array) => {
    const form = { encoding: "base64", skipPreflight: true };
    return callRpc(this.#service.rpcUrl, "sendTransaction", [Buffer.from(wire).toString("base64"), form]);
  };

  #awaitAll(signatures: readonly string[]): Promise<Heard[]> {
    return eventually(
      "the shop has heard of every payment",
      async () => {
        const written = await this.#service.database.rows<{ id: string; signature: string; at: number }>(sql`
          select e.id, p.signature, extract(epoch from pg_xact_commit_timestamp(e.xmin))::double precision * 1000 as at
          from payments p join events e on e.intent_id = p.intent_id and e.type = 'payment_intent.paid'
          where p.signature = any(${signatures}::text[])`);
        if (written.length < signatures.length) return null;
        Object.assign(this.#arrivals, (await this.#receiving.take()).at);
        const heard = written.flatMap(({ id, signature, at }) => {
          const [finalAt, arrivedAt] = [this.#final.at.get(signature), this.#arrivals[id]];
          if (finalAt === undefined || arrivedAt === undefined) return [];
          return [{ eventMs: at - finalAt, webhookMs: arrivedAt - finalAt }];
        });
        return heard.length === signatures.length && heard;
      },
      ARRIVAL_MS_MAX,
    );
  }
}

const at = (waits: readonly number[], share: number): string =>
  `${waits[Math.ceil(waits.length * share) - 1]!.toFixed(0)} ms`;

/**
 * Measures how long after its block is final a payment's `payment_intent.paid` is written, and arrives at the shop by HTTPS:
 * one payment at a time, and at a steady rate; on the local chain under Alpenglow and, with a file, on a validator of
 * another maker (tests/realnode). "Final" is when a node says so by WebSocket.
 */
export async function benchPaid(args: readonly string[]): Promise<void> {
  const [alone = 30, perSecond = 50, seconds = 20] = args.slice(0, 3).map(Number);
  const file = args[3];
  console.log(`Processors: ${availableParallelism()}; load at the start: ${loadavg()[0]!.toFixed(1)}.\n`);
  console.log("| chain | payments | event p50 | p95 | most | webhook p50 | p95 | most | load |");
  console.log(`|${"---|".repeat(9)}`);
  for (const place of [LOCAL, ...(file === undefined ? [] : [nodeOf(file)])])
    await Stage.with(place, async (stage) => {
      const say = (what: string, { events, webhooks, load }: Waits) => {
        const cells = [events, webhooks].flatMap((waits) => [0.5, 0.95, 1].map((share) => at(waits, share)));
        console.log(`| ${place.name} | ${what} | ${cells.join(" | ")} | ${load.toFixed(1)} |`);
      };
      const oneAtATime = async (_: number, before: string | undefined) => {
        if (before !== undefined) await stage.hears(before);
        // Payments come at any moment of a slot.
        await sleep(SLOT_MS * Math.random());
      };
      await stage.measure(WARM, oneAtATime);
      say(`${alone}, one at a time`, await stage.measure(alone, oneAtATime));
      let startedAt: number | null = null;
      const atRate = (index: number) => {
        startedAt ??= now();
        return sleep(Math.max(0, startedAt + (index * 1_000) / perSecond - now()));
      };
      say(`${perSecond} a second for ${seconds} s`, await stage.measure(perSecond * seconds, atRate));
    });
}
