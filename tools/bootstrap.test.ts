import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const bootstrap = join(import.meta.dirname, "bootstrap.mjs");
const scratch = mkdtempSync(join(tmpdir(), "holdfast-bootstrap-"));
after(() => rmSync(scratch, { recursive: true }));

/** Any Node.js but the one inside node_modules: what a machine has before anything is installed. */
const hostNode = join(scratch, "node");
cpSync(process.execPath, hostNode);

const script = join(scratch, "script.ts");
writeFileSync(
  script,
  `const [how]: string[] = process.argv.slice(2);
   process.on("SIGTERM", () => { console.log("asked to stop"); process.exit(0); });
   console.log(JSON.stringify({ pid: process.pid, version: process.version, main: import.meta.main, args: process.argv.slice(2) }));
   if (how === "exit") process.exitCode = 7;
   else if (how === "crash") process.kill(process.pid, "SIGKILL");
   else setInterval(() => {}, 1000);`,
);

interface Started {
  readonly parent: ChildProcess;
  /** The script's own account of itself. */
  readonly reported: { pid: number; version: string; main: boolean; args: string[] };
  /** Its output from then on, until no process holds it open. */
  readonly rest: Promise<string>;
}

async function startScript(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Started> {
  const { npm_lifecycle_event: _, ...clean } = process.env;
  const parent = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...clean, ...env } });
  const ended = once(parent.stdout, "end");
  let text = "";
  parent.stdout.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  while (!text.includes("\n")) await Promise.race([once(parent.stdout, "data"), ended]);
  const line = text.slice(0, text.indexOf("\n"));
  return { parent, reported: JSON.parse(line), rest: ended.then(() => text.slice(line.length).trim()) };
}

for (const [title, node] of [
  ["the machine's", hostNode],
  ["the bundled", process.execPath],
] as const) {
  test(`under ${title} Node.js the script runs on the bundled one, with its arguments and its exit code`, async () => {
    const { parent, reported } = await startScript(node, [bootstrap, script, "exit", "--json", "a b"]);
    assert.deepEqual(reported.args, ["exit", "--json", "a b"]);
    assert.deepEqual([reported.version, reported.main], [process.version, true]);
    const [code] = await once(parent, "exit");
    assert.equal(code, 7);
  });

  test(`under ${title} Node.js SIGTERM reaches the script, and its end is ours`, async () => {
    const { parent, rest } = await startScript(node, [bootstrap, script, "stay"]);
    parent.kill("SIGTERM");
    const [code] = await once(parent, "exit");
    assert.deepEqual([code, await rest], [0, "asked to stop"]);
  });

  test(`under ${title} Node.js npm killed by force takes the script along`, async () => {
    // A shell stands for npm: the parent, with npm's mark in the environment.
    const argv = ["-c", '"$@" & wait', "sh", node, bootstrap, script, "stay"];
    const { parent, rest } = await startScript("/bin/sh", argv, { npm_lifecycle_event: "start" });
    parent.kill("SIGKILL");
    assert.equal(await rest, "asked to stop");
  });
}

test("a script that was killed is reported as killed", async () => {
  const { parent } = await startScript(hostNode, [bootstrap, script, "crash"]);
  const [, signal] = await once(parent, "exit");
  assert.equal(signal, "SIGKILL");
});

test("the bootstrap killed by force takes the script along", async () => {
  const { parent, rest } = await startScript(hostNode, [bootstrap, script, "stay"]);
  parent.kill("SIGKILL");
  assert.equal(await rest, "asked to stop");
});

test("a script started without npm outlives the shell it came from", async () => {
  const { parent, reported, rest } = await startScript("/bin/sh", [
    "-c",
    '"$@" & wait',
    "sh",
    process.execPath,
    bootstrap,
    script,
    "stay",
  ]);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  await new Promise((resolve) => setTimeout(resolve, 700));
  process.kill(reported.pid, "SIGTERM");
  assert.equal(await rest, "asked to stop");
});
