import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import {
  CHECK_NAMES,
  ConformError,
  type ConformOptions,
  conform,
  describeEnd,
  describeResult,
  type Effects,
  junitOf,
} from "@holdfast/testing";
import { type Command, InvalidArgumentError, Option } from "commander";
import { command } from "../command.ts";
import { CommandError, EXIT } from "../exit.ts";
import { type Common, outputOf } from "../output.ts";
import { findInstance } from "../profiles.ts";
import { SECRET_NAME } from "../secretFile.ts";
import { findThisMachine } from "../thisMachine.ts";
import { readState } from "./listen.ts";

interface Options extends Common {
  readonly secretEnv?: string[];
  readonly probe?: string;
  readonly order?: string;
  readonly apiPort?: number;
  readonly environment?: "test" | "live";
  readonly returnUrl?: string;
  readonly restart?: string;
  readonly only?: string[];
  readonly junit?: string;
  readonly iOwnThisHost?: boolean;
}

const PLACE = "{reference}";
const INTENT_PLACE = "{intent}";
const NOT_FOUND = 404;
const SHOP_MS_MAX = 10_000;

/** The secrets of the handler: of the named variables, else of HOLDFAST_WEBHOOK_SECRET, else the one with which `listen` signs. */
function findSecrets(names: readonly string[] | undefined, profile: string | undefined): string[] {
  const wanted = names ?? (process.env[SECRET_NAME] ? [SECRET_NAME] : []);
  if (wanted.length === 0) return [readState(findInstance(profile).name).secret];
  return wanted.map((name) => {
    const secret = process.env[name];
    if (!secret) throw new CommandError(`The variable ${name} is not set.`, EXIT.usage);
    return secret;
  });
}

/** Returns null if the shop has no such page. */
async function askShop(method: string, url: string): Promise<Readonly<Record<string, unknown>> | null> {
  const failed = (says: string) => new CommandError(`${method} ${url}: ${says}`, EXIT.refused);
  const answer = await fetch(url, { method, redirect: "error", signal: AbortSignal.timeout(SHOP_MS_MAX) }).catch(
    (error: Error) => {
      throw failed(error.message);
    },
  );
  if (answer.status === NOT_FOUND) return null;
  const json: unknown = await answer.json().catch(() => null);
  if (answer.ok && typeof json === "object" && json !== null) return json as Record<string, unknown>;
  throw failed(`expected JSON, got ${answer.status}`);
}

/** Whatever the command sends stays on this machine, unless its user says whose host it is. */
async function checkHost(url: string): Promise<void> {
  const host = URL.parse(url)?.hostname;
  if (host === undefined || (await findThisMachine(host)) === null)
    throw new CommandError(`${url} is no address of this machine. If the host is yours: --i-own-this-host`, EXIT.usage);
}

const NO_EFFECTS: Readonly<Record<string, unknown>> = { fulfilled: 0, refunded: 0 };

const probeAt =
  (url: string) =>
  async (reference: string): Promise<Effects> => {
    // A shop may know nothing of an order for which it has done nothing.
    const effects = (await askShop("GET", url.replaceAll(PLACE, encodeURIComponent(reference)))) ?? NO_EFFECTS;
    const isCount = (value: unknown) => Number.isInteger(value);
    const { fulfilled, refunded = 0, refundedAmount = "0" } = effects;
    if (isCount(fulfilled) && isCount(refunded) && typeof refundedAmount === "string")
      return effects as unknown as Effects;
    throw new CommandError(`${url} has to answer {"fulfilled": 0, "refunded": 0}, with how often.`, EXIT.refused);
  };

const orderAt = (url: string) => async (): Promise<string> => {
  const { reference } = (await askShop("POST", url)) ?? {};
  if (typeof reference === "string" && reference !== "") return reference;
  throw new CommandError(`${url} has to answer {"reference": "…"}, of a new order.`, EXIT.refused);
};

const returnUrlAt =
  (url: string) =>
  (reference: string, intentId: string): string =>
    url.replaceAll(PLACE, encodeURIComponent(reference)).replaceAll(INTENT_PLACE, intentId);

/** Runs the user's command, which ends when the shop is back. */
const restartBy = (line: string) => async (): Promise<void> => {
  const child = spawn(line, { shell: true, stdio: ["ignore", process.stderr, process.stderr] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new CommandError(`${line}: ended with ${code}`, EXIT.refused);
};

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError("Expected a port.");
}

export function addConform(program: Command): void {
  command(
    program,
    "conform <url>",
    "Try a webhook handler as the service, a careless network and a forger would, and say how to mend what is wrong.",
    "holdfast conform http://localhost:4000/hooks --probe 'http://localhost:4000/orders/{reference}/effects'",
  )
    .option(
      "--secret-env <name...>",
      `the variables with the signing secret, or the new and the old one (default: ${SECRET_NAME}, else that of listen)`,
    )
    .option("--probe <url>", `answers {"fulfilled": n, "refunded": n} for an order; ${PLACE} stands for it`)
    .option("--order <url>", 'a POST there makes an order and answers {"reference": "…"}; made up if left out')
    .option("--api-port <port>", "stand in for the API there, for a shop that makes and reads its intents", parsePort)
    .addOption(new Option("--environment <name>", "the environment of the deliveries").choices(["test", "live"]))
    .option(
      "--return-url <url>",
      `the page to which buyers come back; ${PLACE} and ${INTENT_PLACE} stand for the order`,
    )
    .option("--restart <command>", "kills the shop's process at once, starts it again, and ends when it listens")
    .option("--only <name...>", "only these checks or groups")
    .option("--junit <file>", "write the report as JUnit XML, too")
    .option("--i-own-this-host", "send forged deliveries to a host that is not this machine")
    .addHelpText("after", `\nChecks: ${CHECK_NAMES.join(", ")}`)
    .action(async (url: string, given: Options) => {
      const { secretEnv, probe, order, returnUrl, restart, apiPort, environment, only, junit, profile, json } = given;
      const pages = [url, probe, order, returnUrl].filter((page) => page !== undefined);
      if (!given.iOwnThisHost) await Promise.all(pages.map(checkHost));
      const { print, say } = outputOf(json);
      const options: ConformOptions = {
        ...{ url, apiPort, environment, only, ownHost: true, secrets: findSecrets(secretEnv, profile) },
        probe: probe === undefined ? undefined : probeAt(probe),
        createOrder: order === undefined ? undefined : orderAt(order),
        returnUrl: returnUrl === undefined ? undefined : returnUrlAt(returnUrl),
        restart: restart === undefined ? undefined : restartBy(restart),
        onResult: (result, { done, total }) => say(`${`${done}/${total}`.padStart(5)}  ${describeResult(result)}`),
      };
      const report = await conform(options).catch((error: unknown) => {
        throw error instanceof ConformError ? new CommandError(error.message, EXIT.usage) : error;
      });
      if (junit !== undefined) writeFileSync(junit, junitOf(report));
      print(report, (one) => `\n${describeEnd(one)}`);
      if (!report.passed) throw new CommandError("", EXIT.refused);
    });
}
