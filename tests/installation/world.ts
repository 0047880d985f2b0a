import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { readWallets } from "@holdfast/devnet/chain.ts";
import { keptWallet } from "@holdfast/devnet/wallets.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import { ChainProcess } from "../faults/chainProcess.ts";
import { createAuthority } from "../harness/certificates.ts";
import { merchantOf } from "../harness/merchant.ts";
import { findFreePorts } from "../harness/ports.ts";
import type { RunningService } from "../harness/service.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import type { Scene } from "../realnode/acts.ts";
import { give } from "../realnode/land.ts";
import type { Installation, Running } from "./installation.ts";
import { endOf, type Machine } from "./machine.ts";

const HOOKS_HOST = "hooks.shop-demo.com";
const LAMPORTS = 1_000_000_000n;
/** Requests a minute: the traffic is not about the limit. */
const RATE = "1000000";
/** As clusters have them. */
const PACE = { slotMs: 400, finalizedSlots: 32 };

/** What a deployment finds on its machine: a chain's nodes, PostgreSQL, a proxy, and a shop that takes webhooks. */
export class World {
  readonly machine: Machine;
  readonly chain: ChainProcess;
  readonly postgres: EmbeddedPostgres;
  readonly receiver: Receiver;
  readonly #proxy: Server;
  readonly #port: number;
  #api: Running | null = null;
  #worker: Running | null = null;
  #env: Readonly<Record<string, string>> = {};

  private constructor(
    machine: Machine,
    chain: ChainProcess,
    postgres: EmbeddedPostgres,
    receiver: Receiver,
    port: number,
  ) {
    this.machine = machine;
    this.chain = chain;
    this.postgres = postgres;
    this.receiver = receiver;
    this.#port = port;
    this.#proxy = createServer((socket) => {
      const onward = connect(this.#api!.port, "localhost");
      for (const one of [socket, onward]) one.on("error", () => void [socket, onward].map((both) => both.destroy()));
      socket.pipe(onward).pipe(socket);
    });
    this.#proxy.listen(port, "localhost");
  }

  static async open(machine: Machine): Promise<World> {
    const authority = createAuthority();
    await writeFile(machine.at("ca.pem"), authority.ca);
    const chain = await ChainProcess.start(machine.at("chain"), PACE);
    const receiver = await startReceiver(authority.issue([HOOKS_HOST]));
    const postgres = await startEmbeddedPostgres({
      dataDir: machine.at("database"),
      log: () => undefined,
      disposable: true,
    });
    return new World(machine, chain, postgres, receiver, await findFreePorts(1));
  }

  /** Goes live by the guide, on settings of the administrator's. */
  async start(installation: Installation, release: string): Promise<Scene> {
    const { rpcUrl, wsUrl, walletsDir, ready } = this.chain;
    const { programId, asset } = ready;
    const [wallets, owner] = [readWallets(walletsDir), keptWallet(walletsDir, "owner")];
    await give(rpcUrl, wallets.faucet, owner.address, "SOL", LAMPORTS);
    const { program } = JSON.parse(await readFile(join(release, "program/manifest.json"), "utf8"));
    const keyFile = (name: string) => join(walletsDir, `${name}.json`);
    const writeChain = (operator: object) => {
      const keeper = { keyFile: keyFile("keeper") };
      const nodes = { rpcUrls: [rpcUrl], wsUrls: [wsUrl] };
      const members = { ...nodes, programId, programHash: program, keeper, ...operator };
      return this.#writeSecret("test-chain.json", members);
    };
    const key = randomBytes(32).toString("base64");
    await this.#writeSecret("webhook-keys.json", { current: 1, keys: { 1: key } });
    const origin = `http://localhost:${this.#port}`;
    this.#env = {
      ...{ DATABASE_URL: this.postgres.url, API_URL: `${origin}/api/v1`, CHECKOUT_URL: origin },
      ...{ DASHBOARD_URL: `${origin}/dashboard`, CLIENT_ADDRESS_HEADER: "X-Forwarded-For" },
      ...{ TEST_CHAIN: this.machine.at("test-chain.json"), WEBHOOK_KEYS_FILE: this.machine.at("webhook-keys.json") },
      ...{ WEBHOOK_CA_FILE: this.machine.at("ca.pem") },
      WEBHOOK_DEV_HOSTS: JSON.stringify({ [HOOKS_HOST]: `127.0.0.1:${this.receiver.port}` }),
    };
    await writeChain({});
    const admin = (...words: string[]) => this.admin(installation, ...words);
    const arbiter = ["--arbiter", wallets.arbiter.address];
    const { operator } = await admin("operator", "create", ...arbiter, "--key-file", keyFile("owner"));
    await writeChain({ operator, arbiter: wallets.arbiter.address });
    this.#worker = await installation.start("worker", this.#env);
    this.#api = await installation.start("api", this.#env);
    await installation.doctor(this.#env);
    const { id: business } = await admin("business", "add", "Corner shop");
    const { id, secret } = await admin("key", "add", business, "--rate", RATE);
    await admin("webhook", "add", business, "--url", `https://${HOOKS_HOST}/`);
    const service: RunningService = {
      ...{ dataDir: "", port: this.#port, apiUrl: `${origin}/api/v1`, checkoutUrl: origin, controlUrl: "" },
      ...{ rpcUrl, programId, operator, asset, recipient: wallets.recipient.address, wallets },
      ...{ business, testKey: secret, remove: async () => undefined },
    };
    return { service, shop: merchantOf(service, business, id, secret) };
  }

  #writeSecret = (name: string, content: object): Promise<void> =>
    writeFile(this.machine.at(name), JSON.stringify(content), { mode: 0o600 });

  admin = (installation: Installation, ...words: readonly string[]) => installation.admin(this.#env, ...words);

  async stopApi(): Promise<void> {
    assert.equal(await endOf(this.#api!.process), 0, "the API process ends well");
  }

  /** The worker of this installation takes over: the old one has ended before. */
  async replaceWorker(installation: Installation): Promise<void> {
    assert.equal(await endOf(this.#worker!.process), 0, "the worker ends well");
    this.#worker = await installation.start("worker", this.#env);
  }

  /** The API process of this installation takes over: the old one ends once the proxy leads to the new one. */
  async replaceApi(installation: Installation): Promise<void> {
    const started = await installation.start("api", this.#env);
    const old = this.#api!;
    this.#api = started;
    assert.equal(await endOf(old.process), 0, "the API process ends well");
  }

  async close(): Promise<void> {
    this.machine.stop();
    this.#proxy.close();
    await this.receiver[Symbol.asyncDispose]();
    await this.chain.end("SIGKILL");
    await this.postgres.stop();
  }
}
