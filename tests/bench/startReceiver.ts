import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Arrivals, ReceiverStart } from "./receiver.ts";

const RECEIVER = fileURLToPath(new URL("./receiver.ts", import.meta.url));

export interface Receiving {
  readonly port: number;
  /** Distinct events so far. */
  count(): Promise<number>;
  take(): Promise<Arrivals>;
  stop(): void;
}

/** Runs a receiver in a process of its own; it ends with this one or with `stop`. */
export async function startReceiving(certificate: ReceiverStart): Promise<Receiving> {
  const child = fork(RECEIVER, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ask = async <Answer>(message: ReceiverStart | "count" | "take"): Promise<Answer> => {
    child.send(message);
    const [answer] = (await once(child, "message")) as [Answer];
    return answer;
  };
  return {
    port: await ask<number>(certificate),
    count: () => ask("count"),
    take: () => ask("take"),
    stop: () => child.disconnect(),
  };
}
