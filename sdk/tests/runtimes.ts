import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Not part of the installation: together they take 450 MB. `npm run runtimes` installs them. */
export const RUNTIMES_FOLDER = fileURLToPath(new URL("../../.data/runtimes/", import.meta.url));
const RUN_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 10_000_000;

const ARCH = process.arch === "arm64" ? "arm64" : "x64";

/** A runtime in which the SDK is tried. */
export interface Runtime {
  readonly name: string;
  /** As `npm install` takes it; null: always there. */
  readonly install: string | null;
  readonly path: string;
  /** Runs a module whose default export returns a text, and returns that text. */
  readonly run: (path: string, module: string, folder: string) => Promise<string>;
}

const inFolder = (path: string): string => join(RUNTIMES_FOLDER, "node_modules", path);

const byCommand =
  (...words: readonly string[]) =>
  async (path: string, module: string, folder: string): Promise<string> => {
    const main = join(folder, "main.mjs");
    await writeFile(main, `import work from ${JSON.stringify(module)};\nconsole.log(await work());\n`);
    const { stdout } = await run(path, [...words, main], { timeout: RUN_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX });
    return stdout;
  };

/** The runtime of Cloudflare's workers has no standard output: a test of its own logs the text. */
async function byWorkerd(path: string, module: string, folder: string): Promise<string> {
  const worker = `import work from "./module.js";
export default { async test() { const text = await work(); for (let at = 0; at < text.length; at += 4000) console.log("PART " + btoa(unescape(encodeURIComponent(text.slice(at, at + 4000))))); } };
`;
  await writeFile(join(folder, "worker.js"), worker);
  const config = join(folder, "config.capnp");
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "module.js", esModule = embed ${JSON.stringify(module.slice(folder.length + 1))})],
  compatibilityDate = "2026-01-01");
`,
  );
  const { stdout, stderr } = await run(path, ["test", "--verbose", config], {
    timeout: RUN_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const parts = [...`${stdout}\n${stderr}`.matchAll(/PART ([A-Za-z0-9+/=]+)/g)];
  return parts.map(([, part]) => Buffer.from(part!, "base64").toString()).join("");
}

export const RUNTIMES: readonly Runtime[] = [
  { name: "Node.js 24", install: null, path: process.execPath, run: byCommand() },
  {
    name: "Node.js 20",
    install: `node20@npm:node-linux-${ARCH}@20.20.2`,
    path: inFolder("node20/bin/node"),
    run: byCommand(),
  },
  {
    name: "Deno",
    install: `@deno/linux-${ARCH}-glibc@2.9.6`,
    path: inFolder(`@deno/linux-${ARCH}-glibc/deno`),
    run: byCommand("run", "--no-config", "--no-remote"),
  },
  {
    name: "Bun",
    install: `@oven/bun-linux-${ARCH === "arm64" ? "aarch64" : "x64"}@1.4.5`,
    path: inFolder(`@oven/bun-linux-${ARCH === "arm64" ? "aarch64" : "x64"}/bin/bun`),
    run: byCommand("run"),
  },
  {
    name: "workerd",
    install: `@cloudflare/workerd-linux-${ARCH === "arm64" ? "arm64" : "64"}@1.20261117.1`,
    path: inFolder(`@cloudflare/workerd-linux-${ARCH === "arm64" ? "arm64" : "64"}/bin/workerd`),
    run: byWorkerd,
  },
];

/** The reason why a runtime cannot be tried here; null if it can. */
export const reasonToSkip = ({ name, path }: Runtime): string | null =>
  existsSync(path) ? null : `${name} is not installed: npm run runtimes`;
