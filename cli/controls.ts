import type { PaymentIntent } from "@holdfast/sdk";
import { CommandError, EXIT } from "./exit.ts";
import type { Instance, LocalRun } from "./profiles.ts";

const CONTROL_MS_MAX = 120_000;

/** An act of a local player, as the control takes it. */
export interface Act {
  readonly action: string;
  readonly again?: boolean | undefined;
  readonly late?: boolean | undefined;
  readonly amount?: string | undefined;
  readonly total?: string | undefined;
  readonly decideOnly?: boolean;
}

/** A transaction that a local player has sent. */
export interface Acted {
  readonly signature: string;
  readonly payment: string;
  readonly sender: string;
  readonly slot: number | null;
  readonly status: string;
}

/** The local run behind the instance; without one there are no players, and no clock that can be moved. */
export function localRunOf({ url, local }: Instance): LocalRun {
  if (local !== null) return local;
  throw new CommandError(
    `This works on a local chain alone, and none is known behind ${url}. Run it in the folder of npm start, or name its data folder: HOLDFAST_DATA=<folder>/.data`,
    EXIT.refused,
  );
}

/** Calls a control of the local run. */
export async function callControl<Result>({ controlUrl }: LocalRun, path: string, body: object): Promise<Result> {
  const answer = await fetch(`${controlUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CONTROL_MS_MAX),
  }).catch((error: Error) => {
    throw new CommandError(`The local run does not answer at ${controlUrl}: ${error.message}`, EXIT.unreachable);
  });
  const json = (await answer.json()) as Result & { readonly error?: { readonly message: string } };
  if (!answer.ok) throw new CommandError(json.error?.message ?? `The control answered ${answer.status}.`, EXIT.refused);
  return json;
}

/** Plays a buyer, the recipient or the arbiter of an intent. */
export const playOn = (local: LocalRun, intent: PaymentIntent, act: Act): Promise<Acted> =>
  callControl(local, "/play", { ...act, intent });

/** Moves the clock of chain and service. */
export const advanceClock = (local: LocalRun, seconds: number): Promise<{ readonly now: string }> =>
  callControl(local, "/advance", { seconds });
