import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { exchange } from "../harness/http.ts";
import type { Wire } from "../harness/merchant.ts";
import { findFreePorts } from "../harness/ports.ts";
import { eventually } from "../harness/wait.ts";
import type { Scene } from "../realnode/acts.ts";
import type { Installation } from "./installation.ts";
import type { Machine, Started } from "./machine.ts";

const ENTRIES = ["sdk", "sdk/webhooks", "sdk/checkout", "testing", "escrow-client", "receipt", "x402"];

/** A shop's folder with the packages of a release, in which the quick start of its guide runs. */
export class Tools {
  /** The order that the quick start has made. */
  readonly order: string;
  readonly #machine: Machine;
  readonly #env: Readonly<Record<string, string>>;
  readonly #scene: Scene;
  readonly #handler: Started;

  private constructor(
    machine: Machine,
    env: Readonly<Record<string, string>>,
    scene: Scene,
    handler: Started,
    order: string,
  ) {
    this.#machine = machine;
    this.#env = env;
    this.#scene = scene;
    this.#handler = handler;
    this.order = order;
  }

  /** They need a newer Node.js than the service's installer: the one that the service has brought along. */
  static async install(machine: Machine, { folder: server }: Installation, release: string, scene: Scene) {
    const [folder, env] = [machine.at("shop"), { PATH: `${join(server, "node_modules/.bin")}:${machine.at("bin")}` }];
    const run = (words: readonly string[], input = "") => machine.run(folder, words, { env, input });
    await mkdir(folder);
    const archives = (await readdir(join(release, "packages"))).map((name) => join(release, "packages", name));
    await run(["npm", "init", "--yes"]);
    await run(["npm", "install", "--no-audit", "--no-fund", ...archives]);
    await writeFile(
      machine.at("shop/entries.mjs"),
      ENTRIES.map((one) => `await import("@holdfast/${one}");`).join("\n"),
    );
    await run(["node", "entries.mjs"]);
    const { apiUrl, checkoutUrl, testKey, recipient, asset } = scene.service;
    const cli = machine.at("shop/node_modules/.bin/holdfast");
    await run([cli, "login", "--url", checkoutUrl, "--key-stdin"], testKey);
    await run([cli, "doctor"]);
    const guide = await readFile(join(server, "docs/how-to/integrate-a-shop.md"), "utf8");
    const code = /^```js\n\/\/ quick\.mjs\n(.*?)^```$/ms.exec(guide)?.[1] ?? assert.fail("the guide has a quick start");
    const port = await findFreePorts(1);
    await writeFile(machine.at("shop/quick.mjs"), code.replace("listen(4000, ", `listen(${port}, `));
    await writeFile(machine.at("shop/ready.json"), JSON.stringify({ apiUrl, testKey, recipient, asset }));
    const hooks = `http://localhost:${port}/hooks`;
    const forward = [cli, "listen", "--forward-to", hooks, "--secret-file", ".env"];
    const listening = await machine.start("listen", folder, forward, env);
    await eventually("it forwards", () => listening.text().includes("Listening after"));
    const quick = ["node", "--env-file=.env", "quick.mjs"];
    const handler = await machine.start("quick", folder, quick, { ...env, HOLDFAST_DATA: folder });
    const order = await eventually("it has an order", () => /pi_test_\w+/.exec(handler.text())?.[0]);
    await run([cli, "conform", hooks, "--only", "authenticity"]);
    const tools = new Tools(machine, env, scene, handler, order);
    assert.equal((await tools.#ask("find", { query: order })).intents[0]?.id, order);
    return tools;
  }

  /** The references of the orders that its handler has called paid, each as often as it has; without those of the kit. */
  paid = (): string[] =>
    [...this.#handler.text().matchAll(/^paid (?!conform-)(\S+)$/gm)].map(([, reference]) => reference!);

  /** The command line verifies a payment's receipt, with the chain's node. */
  async verifyReceipt({ id, receiptUrl }: Wire): Promise<void> {
    const { checkoutUrl, rpcUrl } = this.#scene.service;
    const receipt = await exchange("GET", `${checkoutUrl}/pay/p/${id}.json${new URL(receiptUrl).search}`);
    assert.equal(receipt.status, 200, receipt.text);
    await writeFile(this.#machine.at("shop/receipt.json"), receipt.text);
    const words = ["receipt", "verify", "receipt.json", "--rpc", rpcUrl, "--json"];
    const cli = [this.#machine.at("shop/node_modules/.bin/holdfast"), ...words];
    const verdict = await this.#machine.run(this.#machine.at("shop"), cli, { env: this.#env });
    assert.equal(JSON.parse(verdict).verdict, "confirmed", verdict);
  }

  async #ask(name: string, given: Readonly<Record<string, unknown>>): Promise<Wire> {
    const transport = new StdioClientTransport({
      command: this.#machine.at("shop/node_modules/.bin/holdfast-mcp"),
      cwd: this.#machine.at("shop"),
      env: this.#machine.environment(this.#env),
    });
    const client = new Client({ name: "trial", version: "0.0.0" });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name, arguments: { ...given } });
    await client.close();
    return structuredContent;
  }
}
