import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePorts } from "../harness/ports.ts";
import { eventually } from "../harness/wait.ts";

const RULES = fileURLToPath(new URL("../../deploy/prometheus/rules.yml", import.meta.url));
/** The same rules without their waits, so that a drill takes minutes. */
const HASTE: readonly (readonly [RegExp, string])[] = [
  [/\bfor: \w+/g, "for: 0s"],
  [/\[(5m|15m|1h)\]/g, "[30s]"],
  [/(loop_overdue_seconds) > 300/g, "$1 > 30"],
];

export const ruleNames = (): string[] =>
  [...readFileSync(RULES, "utf8").matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!);

/** Debian's Prometheus with the project's rules, beside one process of the service. */
export class Alerts {
  readonly #process: ChildProcess;
  readonly #url: string;
  readonly #seen = new Map<string, string>();

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  static async start(folder: string, servicePort: number): Promise<Alerts> {
    if (spawnSync("prometheus", ["--version"]).error !== undefined)
      throw new Error("The drill needs Prometheus: apt-get install prometheus");
    const place = join(folder, "prometheus");
    mkdirSync(place);
    const rules = HASTE.reduce((text, [found, put]) => text.replaceAll(found, put), readFileSync(RULES, "utf8"));
    writeFileSync(join(place, "rules.yml"), rules);
    const port = await findFreePorts(1);
    const config = {
      global: { scrape_interval: "2s", evaluation_interval: "2s" },
      rule_files: ["rules.yml"],
      scrape_configs: [{ job_name: "holdfast", static_configs: [{ targets: [`localhost:${servicePort}`] }] }],
    };
    writeFileSync(join(place, "prometheus.yml"), JSON.stringify(config));
    const flags = [
      `--config.file=${join(place, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(place, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const alerts = new Alerts(spawn("prometheus", flags, { stdio: "ignore" }), `http://127.0.0.1:${port}`);
    await eventually("Prometheus answers", () => alerts.#firing().catch(() => null));
    return alerts;
  }

  async #firing(): Promise<ReadonlyMap<string, string>> {
    const response = await fetch(`${this.#url}/api/v1/alerts`);
    const { data } = (await response.json()) as {
      data: { alerts: { labels: { alertname: string }; annotations: { summary: string }; state: string }[] };
    };
    const firing = data.alerts.filter(({ state }) => state === "firing");
    return new Map(firing.map(({ labels, annotations }) => [labels.alertname, annotations.summary]));
  }

  /** Waits until all of these fire; `poke` is called meanwhile. */
  async awaitFiring(names: readonly string[], poke: () => Promise<unknown> = async () => undefined): Promise<void> {
    const missing = new Set(names);
    await eventually("the alerts fire", async () => {
      await poke();
      for (const [name, summary] of await this.#firing()) {
        this.#seen.set(name, summary);
        missing.delete(name);
      }
      return missing.size === 0;
    }).catch((error: unknown) => {
      throw new Error(`${[...missing].join(" and ")} did not fire.`, { cause: error });
    });
  }

  async awaitResolved(names: readonly string[]): Promise<void> {
    let left: readonly string[] = names;
    await eventually("the alerts are resolved", async () => {
      const firing = await this.#firing();
      left = names.filter((name) => firing.has(name)).map((name) => `${name} (${firing.get(name)})`);
      return left.length === 0;
    }).catch((error: unknown) => {
      throw new Error(`${left.join(" and ")} still fires.`, { cause: error });
    });
  }

  /** What each alert that fired said. */
  get summaries(): ReadonlyMap<string, string> {
    return this.#seen;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    await ended;
  }
}
