import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../..", import.meta.url));
const RUN_MS_MAX = 600_000;
/** The files that a build reads. */
const BUILT_FROM = [
  ...["Cargo.toml", "Cargo.lock", "build.sh", "src"],
  ...["golden/write.rs", "tests/smart_wallet.rs", "tests/transfer_hook.rs"],
];

export const SOURCES = join(folder, "src");

/** A folder in which changed sources are built; the second build there takes seconds. */
export class Workshop {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static async open(): Promise<Workshop> {
    const path = await mkdtemp(join(tmpdir(), "holdfast-workshop-"));
    for (const name of BUILT_FROM) await cp(join(folder, name), join(path, name), { recursive: true });
    return new Workshop(path);
  }

  get program(): string {
    return join(this.#path, "changed.so");
  }

  /** Builds with these texts in place of files in `src/`; returns null if that succeeds, else the compiler's message. */
  async build(changed: ReadonlyMap<string, string>): Promise<string | null> {
    await rm(this.program, { force: true });
    await cp(SOURCES, join(this.#path, "src"), { recursive: true, force: true });
    for (const [file, text] of changed) await writeFile(join(this.#path, "src", file), text);
    const env = { ...process.env, CARGO_TARGET_DIR: join(this.#path, "target") };
    const { code, errors } = await run(join(this.#path, "build.sh"), [this.program], env);
    return code === 0 ? null : errors.slice(-500);
  }

  readProgram(): Promise<Buffer> {
    return readFile(this.program);
  }

  /** Returns true when this test file passes in its long form with the program that was built last. */
  async passes(test: string): Promise<boolean> {
    // Without the runner's mark the tests run on their own, not as a part of a test.
    const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
    const env = { ...outside, ESCROW_PROGRAM: this.program, TEST_FORM: "long" };
    return (await run(process.execPath, [join(folder, "tests", `${test}.test.ts`)], env)).code === 0;
  }

  close(): Promise<void> {
    return rm(this.#path, { recursive: true, force: true });
  }
}

function run(
  command: string,
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, flags, { env, stdio: ["ignore", "ignore", "pipe"], timeout: RUN_MS_MAX });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-4_000);
    });
    child.on("error", reject).on("close", (code) => resolve({ code, errors }));
  });
}
