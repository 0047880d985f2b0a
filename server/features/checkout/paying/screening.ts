import type { Log } from "../../../lib/log.ts";
import { Lru } from "../../../lib/lru.ts";
import type { Screen } from "../context.ts";
import { notScreened, refusedByScreening } from "./refusals.ts";

/** The operator's own service that says whether a wallet may pay (§4.14.10). */
export interface ScreeningSettings {
  readonly url: string;
  /** Sent as `Authorization: Bearer`; null: nothing is. */
  readonly token: string | null;
  /** The meaning of no answer in time, or of an unknown one. */
  readonly silence: "allow" | "refuse";
}

const ANSWER_MS_MAX = 1_000;
const ANSWER_BYTES_MAX = 1_024;
const KEPT_MS = 300_000;
const KEPT_MAX = 10_000;
/**
 * Questions in flight of this process. Beyond them nothing is built while the service answers: strangers who ask at once must
 * not make it silent for somebody whom it refuses.
 */
const ASKED_MAX = 64;

interface ScreeningDeps {
  readonly settings: ScreeningSettings | null;
  readonly log: Log;
  readonly answerMsMax?: number;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

/** Asks before a checkout is built. Answers are kept for five minutes, by what was asked; silence is not kept. */
export function createScreen(deps: ScreeningDeps): Screen {
  const { settings, log, answerMsMax = ANSWER_MS_MAX, now = () => performance.now() } = deps;
  if (settings === null) return async () => undefined;
  const kept = new Lru<string, { readonly allowed: boolean; readonly atMs: number }>(KEPT_MAX);
  let asked = 0;
  let isSilent = false;

  /** Null: silence. */
  async function ask(body: string): Promise<boolean | null> {
    if (asked >= ASKED_MAX) {
      if (!isSilent) throw notScreened();
      return null;
    }
    asked += 1;
    try {
      return await fetchAnswer(settings!, body, answerMsMax);
    } catch {
      return null; // Its reasons differ, and may name the address: the log says once that there is no answer.
    } finally {
      asked -= 1;
    }
  }

  return async ({ environment, sender, recipient, asset, amount }) => {
    const body = JSON.stringify({ environment, sender, recipient, asset, amount });
    const last = kept.get(body);
    const answer = last !== undefined && now() - last.atMs < KEPT_MS ? last.allowed : await ask(body);
    if (answer === null) {
      if (!isSilent)
        log(`The screening does not answer: ${settings.silence} is what the settings say.`, undefined, "error");
      isSilent = true;
      if (settings.silence === "refuse") throw notScreened();
      return;
    }
    if (last === undefined || answer !== last.allowed || now() - last.atMs >= KEPT_MS)
      kept.set(body, { allowed: answer, atMs: now() });
    if (isSilent) log("The screening answers again.", undefined, "info");
    isSilent = false;
    if (!answer) throw refusedByScreening();
  };
}

async function fetchAnswer(
  { url, token }: ScreeningSettings,
  body: string,
  answerMsMax: number,
): Promise<boolean | null> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(answerMsMax),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  const answer = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { allowed?: unknown } | null;
  return typeof answer?.allowed === "boolean" ? answer.allowed : null;
}
