import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { conform, type Effects, newSecret, type Report } from "@holdfast/testing";
import { findFreePorts } from "../../../tests/harness/ports.ts";
import { HUNG_MS } from "../../../tests/harness/wait.ts";

const START_MS_MAX = 90_000;
const STOP_MS_MAX = 5_000;
const POLL_MS = 100;

/** A busy machine is no mistake of a handler. */
const PATIENT = { effectMsMax: HUNG_MS };

interface Setting {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The handler answers the kit's probe on its own port. */
  readonly hasOneServer?: boolean;
}

/** Starts a handler as its own process, and tries it by the kit with two secrets and a probe. */
export async function tryHandler(
  name: string,
  program: string,
  words: readonly string[],
  { cwd, env, hasOneServer = false }: Setting = {},
): Promise<Report> {
  const port = await findFreePorts(2);
  const probePort = hasOneServer ? port : port + 1;
  const secrets = [newSecret(), newSecret()];
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(program, words, {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
    env: {
      ...inherited,
      ...{ PORT: String(port), HOLDFAST_WEBHOOK_SECRET: secrets.join(" "), ENVIRONMENT: "test" },
      ...(hasOneServer ? {} : { PROBE_PORT: String(probePort) }),
      ...env,
    },
  });
  try {
    await listens(name, child, port);
    const probe = async (reference: string): Promise<Effects> => {
      const answer = await fetch(`http://127.0.0.1:${probePort}/${encodeURIComponent(reference)}`);
      return (await answer.json()) as Effects;
    };
    return await conform({ url: `http://127.0.0.1:${port}/hooks`, secrets, probe, ...PATIENT });
  } finally {
    await end(child);
  }
}

async function listens(name: string, child: ChildProcess, port: number): Promise<void> {
  for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(POLL_MS)) {
    if (child.exitCode !== null || child.pid === undefined)
      throw new Error(`The handler in ${name} ended at its start.`);
    const socket = connect({ host: "127.0.0.1", port });
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error(`The handler in ${name} does not listen.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGTERM");
  const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), STOP_MS_MAX);
  await ended;
  clearTimeout(timer);
}
