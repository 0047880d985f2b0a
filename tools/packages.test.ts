import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { inForm } from "../tests/harness/form.ts";
import { findFreePorts } from "../tests/harness/ports.ts";
import { sharedService } from "../tests/harness/service.ts";
import { eventually } from "../tests/harness/wait.ts";
import { type Manifest, PUBLISHED, type PublishedName, packPackages, readManifest } from "./packages.ts";

const run = promisify(execFile);
const ROOT = dirname(import.meta.dirname);
const LINES_MAX = 15;

/** The own modules of each package, without the ends of their names. Every one is there as JavaScript and, but for MCP, as types. */
const MODULES: Readonly<Record<PublishedName, string>> = {
  sdk: "amounts calls checkout client errors events follow fulfill index orderAttempts orderSummary request schema stateStream waitFor webhooks",
  "escrow-client":
    "accounts addresses constants decision errors index instruction jws offer operator payment payout terms",
  receipt: "account decision evidence index loopback nodes receipt signature terms text verify verifyFile",
  testing:
    "check checks/answering checks/authenticity checks/effects checks/robustness conform handler index instance life mend report signing standIn trade trade/api trade/buyers trade/judge trade/network trade/random trade/shop",
  x402: "acts client delivery index offers policy protocol server transaction",
  cli: "command commands/completion commands/conform commands/doctor commands/events commands/intents commands/listen commands/lists commands/login commands/payments commands/players commands/receipt commands/trigger commands/whoami controls delivery exit main output profiles program secretFile thisMachine",
  mcp: "main",
};
/** The packages that each one brings along. */
const SIBLINGS: Readonly<Partial<Record<PublishedName, readonly PublishedName[]>>> = {
  receipt: ["escrow-client"],
  x402: ["escrow-client"],
  cli: ["sdk", "receipt", "testing"],
};
const modulesOf = (name: PublishedName): string[] => [
  ...MODULES[name].split(" "),
  ...(SIBLINGS[name] ?? []).flatMap((one) => modulesOf(one).map((path) => `siblings/${one}/${path}`)),
];
/** Packages with a page of their own. */
const WITH_README: readonly PublishedName[] = ["sdk", "testing", "cli", "x402", "mcp"];

let folder: string;
let packed: Readonly<Record<PublishedName, string>>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-pack-"));
  await mkdir(join(folder, "first"));
  packed = await packPackages(join(folder, "first"));
});
after(() => rm(folder, { recursive: true, force: true }));

const digest = async (path: string) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** One of them shows what compiler and npm do; the long form packs all of them twice. */
const TWICE = inForm<readonly PublishedName[]>({ short: ["sdk"], long: PUBLISHED });

test("packing twice gives the same bytes", async () => {
  const again = await packPackages(join(folder, "second"), TWICE);
  for (const name of TWICE) assert.equal(await digest(again[name]), await digest(packed[name]), name);
});

test("a package has exactly the files of this list, and nothing of tests or of the server", async () => {
  for (const name of PUBLISHED) {
    const { stdout } = await run("tar", ["-tzf", packed[name]]);
    const inCommonjs = name === "sdk" ? modulesOf(name).map((one) => `cjs/${one}`) : [];
    const stems = [...modulesOf(name), ...inCommonjs];
    const modules = stems.flatMap((one) => [`dist/${one}.js`, ...(name === "mcp" ? [] : [`dist/${one}.d.ts`])]);
    if (name === "sdk") modules.push("dist/cjs/package.json");
    const pages = ["LICENSE", "package.json", ...(WITH_README.includes(name) ? ["README.md"] : [])];
    const expected = [...modules, ...pages].map((path) => `package/${path}`);
    assert.deepEqual(stdout.trimEnd().split("\n").sort(), expected.sort(), name);
  }
});

test("a package installs without the registry knowing its siblings: it brings them along, and names none of them", async () => {
  for (const name of PUBLISHED) {
    const { stdout } = await run("tar", ["-xzOf", packed[name], "package/package.json"]);
    const { dependencies = {} } = JSON.parse(stdout) as Manifest;
    assert.deepEqual(
      Object.keys(dependencies).filter((one) => one.startsWith("@holdfast/")),
      [],
      name,
    );
    const text = (await run("tar", ["-xzOf", packed[name], "--wildcards", "package/dist/*"])).stdout;
    assert.doesNotMatch(text, /^(?:import|export)\b[^;'"`]*"@holdfast\/|\b(?:import|require)\("@holdfast\//m, name);
  }
});

test("versions move together, and a package depends on the others at exactly that version", async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  for (const name of PUBLISHED) {
    const manifest = await readManifest(name);
    assert.deepEqual([manifest.name, manifest.version], [`@holdfast/${name}`, version]);
    for (const [other, wanted] of Object.entries(manifest.dependencies ?? {}))
      if (other.startsWith("@holdfast/")) {
        assert.ok(
          (PUBLISHED as readonly string[]).includes(other.slice("@holdfast/".length)),
          `${name} needs ${other}`,
        );
        assert.equal(wanted, version, `${name} needs ${other}`);
      }
  }
});

/** A project of somebody else, in which npm has installed the packages. */
async function install(): Promise<string> {
  const project = join(folder, "project");
  const modules = join(project, "node_modules");
  for (const name of PUBLISHED) {
    const place = join(modules, "@holdfast", name);
    await mkdir(place, { recursive: true });
    await run("tar", ["-xzf", packed[name], "-C", place, "--strip-components=1"]);
  }
  // Stands for what npm would fetch.
  for (const other of ["commander", "@modelcontextprotocol", "@solana", "zod"])
    await symlink(join(ROOT, "node_modules", other), join(modules, other));
  return project;
}

test(`the quick start works from packed packages in a folder of one's own, with at most ${LINES_MAX} lines of code`, async (t) => {
  const guide = await readFile(join(ROOT, "docs/how-to/integrate-a-shop.md"), "utf8");
  const code = /^```js\n\/\/ quick\.mjs\n(.*?)^```$/ms.exec(guide)?.[1];
  assert.ok(code !== undefined && code.trimEnd().split("\n").length <= LINES_MAX, code);
  const [project, service, port] = [await install(), await sharedService(), await findFreePorts(1)];
  t.after(() => service.remove());
  const { NODE_TEST_CONTEXT: _, HOLDFAST_API_KEY: __, HOLDFAST_API_URL: ___, ...inherited } = process.env;
  const home = { HOME: project, XDG_CONFIG_HOME: project, XDG_STATE_HOME: project, HOLDFAST_DATA: service.dataDir };
  const start = (...words: string[]) => {
    const child = spawn(process.execPath, words, { cwd: project, env: { ...inherited, ...home } });
    t.after(() => child.kill("SIGKILL"));
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
    return { child, text: () => text };
  };
  const cli = join(project, "node_modules/@holdfast/cli/dist/main.js");
  await writeFile(join(project, "quick.mjs"), code.replace("listen(4000, ", `listen(${port}, `));
  const hooks = `http://localhost:${port}/hooks`;
  const listening = start(cli, "listen", "--forward-to", hooks, "--secret-file", ".env");
  await eventually("it forwards", () => listening.text().includes("Listening after"));
  const shop = start("--env-file=.env", "quick.mjs");
  const intent = await eventually("it has an order", () => /pi_test_\w+/.exec(shop.text())?.[0]);
  const paying = start(cli, "pay", intent);
  assert.deepEqual(await once(paying.child, "exit"), [0, null], paying.text());
  await eventually("the handler says so", () => /paid order-\d+/.test(shop.text()));
  await eventually("so does listen", () => /204 .*payment_intent\.paid/.test(listening.text()));
  const entries = ["sdk", "sdk/webhooks", "sdk/checkout", "testing", "receipt", "x402"];
  await writeFile(join(project, "entries.mjs"), entries.map((one) => `await import("@holdfast/${one}");`).join("\n"));
  await run(process.execPath, ["entries.mjs"], { cwd: project });
  const tools = start(join(project, "node_modules/@holdfast/mcp/dist/main.js"));
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } };
  for (const [id, method, params] of [
    [1, "initialize", hello],
    [2, "tools/list", {}],
  ])
    tools.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  await eventually("the tools are listed", () => tools.text().includes('"create_test_intent"'));
  const missing = run(process.execPath, [cli, "receipt", "verify", "none.json"], { cwd: project });
  await assert.rejects(missing, (error: { code?: number }) => error.code === 2);
});
