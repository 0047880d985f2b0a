import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newKeyRing, showKeyRing } from "../../../server/features/webhooks/sending/secret.ts";
import { DatabaseProxy } from "../../../server/store/databaseProxy.ts";
import { admin } from "../../harness/admin.ts";
import { createAuthority } from "../../harness/certificates.ts";
import { type MailServer, startMailServer } from "../../harness/mailServer.ts";
import { type Merchant, merchantOf, newMerchant } from "../../harness/merchant.ts";
import { PROJECT_ROOT } from "../../harness/service.ts";
import { eventually } from "../../harness/wait.ts";
import { startReceiver } from "../../harness/webhookReceiver.ts";
import { ChainProcess } from "../chainProcess.ts";
import { Cluster } from "../cluster.ts";
import { LyingNode } from "../lyingNode.ts";
import { StandaloneService } from "../standaloneService.ts";
import { Endpoints } from "./endpoints.ts";
import { keepQueuedNews } from "./news.ts";

const APIS = 2;
const WORKERS = 2;
/** The address of every process, as of a proxy before them; nothing listens there. */
const SITE = "http://localhost:9";
const HOSTS = ["good.shop-demo.com", "hostile.shop-demo.com"] as const;
/** Slots so long that a busy machine confirms in time, and so short that much becomes final. */
const PACE = { slotMs: 100, finalizedSlots: 8 };

/** The member of the shop who is told of its disputes. */
export const OWNER = "owner@shop.example";

export type Member = StandaloneService;

/** A deployment with everything apart, each part of which can be broken alone. */
export class World implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly proxy: DatabaseProxy;
  readonly chain: ChainProcess;
  readonly liar: LyingNode;
  readonly mail: MailServer;
  readonly endpoints: Endpoints;
  readonly apis: Member[] = [];
  readonly workers: Member[] = [];
  /** The first worker: what players need of a service, with the address of one API after the other. */
  readonly service: StandaloneService;
  readonly shop: Merchant;
  /** Members that ended although nothing of the run ended them. */
  endedAlone = 0;
  readonly #opened: AsyncDisposableStack;
  #turn = 0;

  private constructor(opened: AsyncDisposableStack, parts: Parts, members: readonly Member[], shop: Merchant) {
    this.#opened = opened;
    this.cluster = parts.cluster;
    this.proxy = parts.proxy;
    this.chain = parts.chain;
    this.liar = parts.liar;
    this.mail = parts.mail;
    this.endpoints = parts.endpoints;
    this.workers.push(...members.slice(0, WORKERS));
    this.apis.push(...members.slice(WORKERS));
    const [first] = members as [StandaloneService];
    this.service = Object.create(first, {
      apiUrl: { get: () => this.#next().apiUrl },
      checkoutUrl: { get: () => this.#next().checkoutUrl },
      database: { get: () => first.database },
      evidence: { get: () => first.evidence },
      rpcUrl: { get: () => this.chain.rpcUrl },
    });
    this.shop = merchantOf(this.service, shop.business, shop.keyId, shop.key);
  }

  /** `from`: the folder of an older build, which every process runs until {@link upgrade}. */
  static async open({
    diskMb,
    from,
  }: {
    readonly diskMb: number | null;
    readonly from: string | null;
  }): Promise<World> {
    await using stack = new AsyncDisposableStack();
    const parts = await openParts(stack, diskMb);
    const members: Member[] = [];
    for (let place = 0; place < WORKERS + APIS; place++) {
      const shared: ChainProcess = Object.create(parts.chain, { end: { value: async () => undefined } });
      const env = { ...parts.env, ROLE: place < WORKERS ? "worker" : "api" };
      const member = await StandaloneService.startOn(async () => shared, {
        ...parts.options,
        env,
        root: from ?? PROJECT_ROOT,
      });
      stack.defer(() => member.remove());
      members.push(member);
    }
    const shop = await newMerchant(members.at(-1)!);
    await admin(members.at(-1)!, "user", "add", OWNER);
    await admin(members.at(-1)!, "member", "add", shop.business, OWNER);
    for (const host of HOSTS) await parts.endpoints.add(members[0]!.database, shop.business, host);
    await keepQueuedNews(members[0]!.database);
    return new World(stack.move(), parts, members, shop);
  }

  get members(): readonly Member[] {
    return [...this.workers, ...this.apis];
  }

  /** Starts a member again; a start that the outage of another part ends is tried again, as a supervisor does. */
  async begin(member: Member, env: Readonly<Record<string, string>> = {}): Promise<void> {
    await eventually("the process starts", async () => (await member.begin(env)) === null);
  }

  /** Ends every process, as a migration may ask, and starts this tree's build; the first to start migrates. */
  async upgrade(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await Promise.all(this.members.map((member) => member.end(signal)));
    for (const member of this.members) member.root = PROJECT_ROOT;
    await Promise.all(this.members.map((member) => this.begin(member)));
  }

  /** Starts again what ended by itself, and counts it. */
  async mend(): Promise<void> {
    for (const member of this.members) {
      const { exitCode, signalCode } = member.process;
      if (exitCode === null && signalCode === null) continue;
      this.endedAlone++;
      await member.end("SIGKILL");
      await this.begin(member);
    }
  }

  /** The last words of each process. */
  errors = (): string => this.members.map((member) => member.errors().slice(-1_500)).join("\n");

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }

  #next(): Member {
    return this.apis[this.#turn++ % this.apis.length]!;
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts(stack: AsyncDisposableStack, diskMb: number | null) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-all-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const cluster = await Cluster.start({ diskMb });
  stack.defer(() => cluster.remove());
  const proxy = await DatabaseProxy.open(cluster.url);
  stack.defer(() => proxy.close());
  const chain = await ChainProcess.start(join(folder, "devnet"), PACE);
  stack.defer(() => chain.end("SIGKILL"));
  const liar = stack.use(await LyingNode.start());
  liar.target = chain.node("one");
  const mail = stack.use(await startMailServer("127.0.0.1"));
  const ring = newKeyRing();
  const authority = createAuthority();
  const endpoints = new Endpoints(ring, HOSTS[1]);
  const receiver = stack.use(await startReceiver(authority.issue([...HOSTS]), endpoints.answer, { keep: false }));
  writeFileSync(join(folder, "ca.pem"), authority.ca);
  const hosts = HOSTS.map((host) => [host, `127.0.0.1:${receiver.port}`]);
  const env = {
    WEBHOOK_KEYS: JSON.stringify(showKeyRing(ring)),
    WEBHOOK_CA_FILE: join(folder, "ca.pem"),
    WEBHOOK_DEV_HOSTS: JSON.stringify(Object.fromEntries(hosts)),
    API_URL: `${SITE}/api/v1`,
    CHECKOUT_URL: SITE,
    CLIENT_ADDRESS_HEADER: "X-Forwarded-For",
    SMTP_URL: mail.url,
    MAIL_FROM: "no-reply@shop.example",
  };
  const options = {
    databaseUrl: proxy.url,
    rpcUrls: (nodeUrl: (name: string) => string) => [liar.url, nodeUrl("two")],
    chain: { sweepMs: 300, revertSlots: 20, revertApartMs: 300 },
  };
  return { cluster, proxy, chain, liar, mail, endpoints, env, options };
}
