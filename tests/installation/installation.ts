import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findFreePorts } from "../harness/ports.ts";
import { eventually } from "../harness/wait.ts";
import type { Machine, Started } from "./machine.ts";

export interface Running extends Started {
  readonly port: number;
}

/** A release that is installed on the machine, as its guide says. */
export class Installation {
  readonly folder: string;
  readonly #machine: Machine;

  private constructor(machine: Machine, folder: string) {
    this.#machine = machine;
    this.folder = folder;
  }

  /** Unpacks the service of a release, and installs it. */
  static async of(machine: Machine, release: string, name: string): Promise<Installation> {
    const [archive] = await readdir(join(release, "image"));
    const folder = machine.at(name);
    await mkdir(folder);
    await machine.run(folder, ["tar", "-xzf", join(release, "image", archive!), "--strip-components=1"]);
    for (const command of ["npm run build", "npm ci --omit=dev", "npm run admin -- --help"])
      await machine.run(folder, command.split(" "));
    return new Installation(machine, folder);
  }

  /** The result of a command of the administrator's. */
  // biome-ignore lint/suspicious/noExplicitAny: results of many shapes, into which the play reads.
  async admin(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<any> {
    const command = ["npm", "run", "-s", "admin", "--", ...words, "--json"];
    return JSON.parse(await this.#machine.run(this.folder, command, { env }));
  }

  /** Has the installation examine itself; fails with each line, if one says FAIL. */
  async doctor(env: Readonly<Record<string, string>>): Promise<void> {
    await this.#machine.run(this.folder, ["npm", "run", "-s", "admin", "--", "doctor"], { env });
  }

  /** Starts a process as the units of systemd do, and waits until it is ready. */
  async start(role: "api" | "worker", env: Readonly<Record<string, string>>): Promise<Running> {
    const port = await findFreePorts(1);
    const dataDir = `${this.folder}-${role}`;
    const words = [join(this.folder, "node_modules/.bin/node"), "tools/bootstrap.mjs", "server/main.ts"];
    const own = { ROLE: role, PORT: String(port), DATA_DIR: dataDir };
    const started = await this.#machine.start(basename(dataDir), this.folder, words, { ...env, ...own });
    await eventually(`the ${role} is ready`, async () => {
      if (started.process.exitCode !== null) throw new Error(`The ${role} ended at its start: ${started.text()}`);
      return (await fetch(`http://localhost:${port}/readyz`).catch(() => null))?.ok;
    });
    return { ...started, port };
  }
}
