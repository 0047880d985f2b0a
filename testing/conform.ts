import type { Check, Failure, Group } from "./check.ts";
import { ANSWERING } from "./checks/answering.ts";
import { AUTHENTICITY } from "./checks/authenticity.ts";
import { EFFECTS } from "./checks/effects.ts";
import { ROBUSTNESS } from "./checks/robustness.ts";
import { type ConformOptions, Handler, isTaken } from "./handler.ts";
import { MENDS, type Mend } from "./mend.ts";

/** The result of a check. A `note` is a difference that no money depends on. */
export interface CheckResult {
  readonly name: string;
  readonly group: Group;
  readonly verdict: "ok" | "fail" | "note" | "not_judged";
  readonly says: string;
  /** Why it was not judged. */
  readonly reason: string | null;
  readonly finding: Finding | null;
}

export interface Finding extends Failure {
  readonly costs: string;
  readonly mend: Mend;
}

export interface Report {
  readonly url: string;
  /** True if no check failed. */
  readonly passed: boolean;
  /** The signature schemes by which the handler verifies. */
  readonly schemes: readonly ("Service-Signature" | "Standard Webhooks")[];
  readonly checks: readonly CheckResult[];
  readonly tookMs: number;
}

/** The options are no handler, or one that must not be tried. */
export class ConformError extends Error {
  override readonly name = "ConformError";
}

const GENUINE: Omit<Check, "run"> = {
  name: "genuine",
  group: "answering",
  says: "A delivery of the service is answered by a 2xx in time.",
  costs: "No event arrives, so no order is ever shipped.",
  mend: MENDS.VERIFY,
};
const REDIRECT: Omit<Check, "run"> = {
  ...GENUINE,
  name: "redirect",
  says: "The handler answers under its own address.",
  mend: MENDS.HERE,
};
const TIMELY: Omit<Check, "run"> = {
  ...GENUINE,
  name: "timely",
  says: "The handler answers before its work is done.",
  costs: "The service gives up after ten seconds and sends the event again, and a handler that works on does it twice.",
  mend: MENDS.AT_ONCE,
};

const CHECKS: readonly Check[] = [...AUTHENTICITY, ...ANSWERING, ...EFFECTS, ...ROBUSTNESS];
/** The names that `only` takes. */
export const CHECK_NAMES: readonly string[] = [
  ...new Set(["genuine", "redirect", "timely", ...CHECKS.flatMap(({ name, group }) => [name, group])]),
];

/**
 * Tries a handler as the service, a careless network and a forger would. It sends forged, repeated and odd deliveries to
 * the address, so that has to be on this machine, unless `ownHost` says that it is yours. Throws {@link ConformError}.
 */
export async function conform(options: ConformOptions): Promise<Report> {
  checkOptions(options);
  const handler = new Handler(options);
  if (options.apiPort === undefined) return tryHandler(handler, options);
  try {
    await handler.standIn.listen(options.apiPort);
    return await tryHandler(handler, options);
  } finally {
    handler.standIn.close();
  }
}

async function tryHandler(handler: Handler, options: ConformOptions): Promise<Report> {
  const startedAt = performance.now();
  const { only } = options;
  const isAsked = ({ name, group }: Pick<Check, "name" | "group">) =>
    only === undefined || only.includes(name) || only.includes(group);
  const { baseline, schemes } = await tryGenuine(handler);
  const isReached = baseline.every(({ verdict }) => verdict === "ok");
  const counts = { secrets: options.secrets.length, refunds: await countsRefunds(handler) };
  const checks: CheckResult[] = [...baseline];
  for (const check of CHECKS.filter(isAsked)) {
    const reason = isReached ? reasonToSkip(check, counts) : "the handler does not take a genuine delivery";
    checks.push(reason === null ? await judge(check, handler) : resultOf(check, "not_judged", null, reason));
  }
  const passed = checks.every(({ verdict }) => verdict !== "fail");
  return { url: options.url, passed, schemes, checks, tookMs: Math.round(performance.now() - startedAt) };
}

function checkOptions({ url, secrets, only, ownHost }: ConformOptions): void {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) throw new ConformError(`${url} is no address.`);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(address.hostname) && ownHost !== true)
    throw new ConformError(
      `${address.hostname} is not this machine. Forged and repeated deliveries go there only if you say that it is yours: ownHost (--i-own-this-host).`,
    );
  if (secrets.length === 0 || secrets.some((secret) => secret === ""))
    throw new ConformError("Give the signing secret.");
  const unknown = only?.find((name) => !CHECK_NAMES.includes(name));
  if (unknown !== undefined) throw new ConformError(`There is no check ${unknown}. Checks: ${CHECK_NAMES.join(", ")}`);
}

/** Delivers as the service does: with both schemes, and with each alone. */
async function tryGenuine(handler: Handler) {
  const both = await handler.deliver((await handler.order()).created());
  const own = await handler.deliver((await handler.order()).created(), {
    headers: { "webhook-id": null, "webhook-timestamp": null, "webhook-signature": null },
  });
  const standard = await handler.deliver((await handler.order()).created(), { headers: { "Service-Signature": null } });
  const schemes = [
    ...(isTaken(own) ? (["Service-Signature"] as const) : []),
    ...(isTaken(standard) ? (["Standard Webhooks"] as const) : []),
  ];
  const isRedirect = both.status !== null && both.status >= 300 && both.status < 400;
  const isLate = both.status === null && both.ms >= handler.answerMsMax;
  const verdicts = [
    [GENUINE, !isTaken(both) && !isRedirect && !isLate],
    [REDIRECT, isRedirect],
    [TIMELY, isLate],
  ] as const;
  const came = both.status === null ? `${both.error} after ${both.ms} ms` : `${both.status} after ${both.ms} ms`;
  const baseline = verdicts.map(([check, isMistake]) =>
    resultOf(check, isMistake ? "fail" : "ok", isMistake ? { sent: both.sent, came } : null),
  );
  return { baseline, schemes };
}

/** True if the probe counts refunds, false if it does not; null without a probe. */
async function countsRefunds(handler: Handler): Promise<boolean | null> {
  const { probe } = handler.options;
  return probe === undefined ? null : (await probe((await handler.order()).reference)).refunded !== undefined;
}

function reasonToSkip(
  { needs }: Check,
  { secrets, refunds }: { readonly secrets: number; readonly refunds: boolean | null },
): string | null {
  if (needs === undefined) return null;
  if (needs === "two secrets") return secrets > 1 ? null : "it needs a second secret";
  if (refunds === null) return "it needs a probe, which says what the shop did";
  return needs === "refunds" && !refunds ? "the probe does not count refunds" : null;
}

async function judge(check: Check, handler: Handler): Promise<CheckResult> {
  const failure = await check.run(handler);
  return resultOf(check, failure === null ? "ok" : check.isNote ? "note" : "fail", failure);
}

const resultOf = (
  { name, group, says, costs, mend }: Omit<Check, "run">,
  verdict: CheckResult["verdict"],
  failure: Failure | null,
  reason: string | null = null,
): CheckResult => ({
  ...{ name, group, verdict, says, reason },
  finding: failure === null ? null : { ...failure, costs, mend },
});
