// Rehearses a deployment (`npm run rehearse`): pays by each wallet, disputes, rules, refunds and releases, on the local chain,
// on a validator or on a cluster, and writes a signed report. docs/how-to/rehearse.md says how, and how a report is verified.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { address } from "@solana/kit";
import { ChainProcess } from "../tests/faults/chainProcess.ts";
import type { Nodes } from "../tests/faults/standaloneService.ts";
import { RealNode } from "../tests/realnode/realNode.ts";
import { openCluster } from "../tests/rehearsal/cluster.ts";
import { rehearse } from "../tests/rehearsal/rehearse.ts";
import { examineReport } from "../tests/rehearsal/report.ts";

const USAGE = `usage: npm run rehearse -- [--node FILE | --cluster devnet | --rpc URL [--ws URL]] [--program ADDRESS] [--wallet NAME=ADDRESS]… [--out FILE]
       npm run rehearse -- verify FILE [--rpc URL]`;
const DEVNET = "https://api.devnet.solana.com";
const PROGRAM_FILE = fileURLToPath(import.meta.resolve("@holdfast/program/holdfast_escrow.so"));
const FOLDER = join(import.meta.dirname, "../.data/rehearsal");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: "string" },
    cluster: { type: "string" },
    rpc: { type: "string" },
    ws: { type: "string" },
    program: { type: "string" },
    wallet: { type: "string", multiple: true, default: [] },
    out: { type: "string" },
  },
});

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

async function openNodes(folder: string): Promise<Nodes> {
  const { node, cluster, rpc, ws, program } = values;
  const file = await readFile(PROGRAM_FILE);
  if (node !== undefined) return RealNode.start(resolve(node), folder, "alpenglow", file);
  const rpcUrl = rpc ?? (cluster === "devnet" ? DEVNET : undefined);
  if (rpcUrl === undefined) return ChainProcess.start(join(folder, "devnet"), { slotMs: 400, finalizedSlots: 32 });
  return openCluster({
    ...{ rpcUrl, wsUrl: ws ?? rpcUrl.replace(/^http/, "ws"), program: file, say: console.error },
    folder: join(FOLDER, cluster ?? new URL(rpcUrl).host),
    programId: program === undefined ? undefined : address(program),
  });
}

async function run(): Promise<void> {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  const commit = `${git("rev-parse", "HEAD")}${git("status", "--porcelain") === "" ? "" : " with changes"}`;
  const startedAt = performance.now();
  const text = await rehearse({ openNodes, people: values.wallet, commit, say: console.error });
  const out = resolve(values.out ?? join(FOLDER, "report.json"));
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, text);
  console.log(`${out}, signed, after ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
}

async function verify(path: string): Promise<void> {
  const problems = await examineReport(await readFile(path, "utf8"), values.rpc === undefined ? [] : [values.rpc]);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exit(1);
  console.log(
    `The report holds together${values.rpc === undefined ? "; no node was asked" : ", and the node confirms it"}.`,
  );
}

// What was started ends with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const [word, path, ...more] = positionals;
if (values.cluster !== undefined && !["devnet", "local"].includes(values.cluster)) refuse(USAGE);
if (word === undefined) await run();
else if (word === "verify" && path !== undefined && more.length === 0) await verify(path);
else refuse(USAGE);
