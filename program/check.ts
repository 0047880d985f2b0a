import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const PROGRAM = "holdfast_escrow.so";
const MANIFEST = "manifest.json";
const BUILD_MS_MAX = 300_000;

interface Manifest {
  /** sha256 over the names and contents of the program's sources. */
  readonly sources: string;
  /** sha256 of the committed program. */
  readonly program: string;
  readonly bytes: number;
  readonly tools: Readonly<Record<string, string>>;
}

export interface ProgramCheck {
  /** The deviations from the manifest; empty if there are none. */
  readonly problems: readonly string[];
  /** A line for a person. */
  readonly summary: string;
}

/** Compares the committed program and its sources with the manifest and, where the same tools are here, with a build made in a temporary folder. */
export async function checkProgram(options: { rebuild: boolean } = { rebuild: true }): Promise<ProgramCheck> {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as Manifest;
  const program = readFileSync(join(folder, PROGRAM));
  const problems: string[] = [];
  if (hashSources() !== manifest.sources) problems.push("the sources changed since the program was built");
  if (sha256(program) !== manifest.program) problems.push(`${PROGRAM} is not the file the manifest names`);

  const why = options.rebuild ? missingTool(manifest.tools) : "not asked for";
  if (why !== null) return { problems, summary: `hashes compared; not rebuilt: ${why}` };
  const built = await buildAside();
  if (typeof built === "string") problems.push(`the build failed: ${built}`);
  else if (!built.equals(program)) problems.push(`a build from the sources differs: sha256 ${sha256(built)}`);
  return { problems, summary: "hashes compared; rebuilt and compared byte by byte" };
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function hashSources(): string {
  const sources = readdirSync(join(folder, "src")).map((name) => `src/${name}`);
  const names = ["Cargo.toml", "Cargo.lock", "build.sh", ...sources].sort();
  return sha256(names.map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`).join(""));
}

const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  rustc: ["/usr/bin/rustc", "--version"],
  cargo: ["/usr/bin/cargo", "--version"],
  "sbpf-linker": [join(cargoHome, "bin/sbpf-linker"), "--version"],
};

function readTools(): Record<string, string> {
  const versions = Object.entries(TOOLS).map(([name, [command, ...flags]]) => {
    const ran = spawnSync(command!, flags, { encoding: "utf8" });
    return [name, ran.status === 0 ? ran.stdout.trim().replaceAll("\n", "; ") : "missing"] as const;
  });
  return Object.fromEntries(versions);
}

/** The first tool that is missing in the version that built the program; null if all are here. */
function missingTool(wanted: Manifest["tools"]): string | null {
  const here = readTools();
  const other = Object.keys(wanted).find((name) => here[name] !== wanted[name]);
  if (other !== undefined) return `${other} here is "${here[other]}", the program was built with "${wanted[other]}"`;
  return existsSync("/usr/lib/rustlib/bpfel-unknown-none") ? null : "no standard library for bpfel-unknown-none";
}

/** Builds from a copy in another folder, which also shows that the bytes do not depend on where they are built. */
async function buildAside(): Promise<Buffer | string> {
  const aside = await mkdtemp(join(tmpdir(), "holdfast-program-"));
  try {
    const examples = ["tests/smart_wallet.rs", "tests/transfer_hook.rs", "golden/write.rs"];
    for (const name of ["Cargo.toml", "Cargo.lock", "build.sh", "src", ...examples]) {
      await cp(join(folder, name), join(aside, name), { recursive: true });
    }
    const env = { ...process.env, CARGO_TARGET_DIR: join(aside, "target") };
    const ran = spawnSync(join(aside, "build.sh"), [join(aside, PROGRAM)], {
      env,
      encoding: "utf8",
      timeout: BUILD_MS_MAX,
    });
    return ran.status === 0 ? readFileSync(join(aside, PROGRAM)) : ran.stderr.slice(-2000);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Records in the manifest, after a build, the sources, the program and the tools. */
function writeManifest(): void {
  const program = readFileSync(join(folder, PROGRAM));
  const manifest: Manifest = {
    sources: hashSources(),
    program: sha256(program),
    bytes: program.length,
    tools: readTools(),
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes("--write")) writeManifest();
  const { problems, summary } = await checkProgram();
  for (const problem of problems) console.error(`program: ${problem}`);
  console.log(`program: ${summary}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
