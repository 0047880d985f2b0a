import { type Check, type Failure, type Group, type Need, textOf } from "./check.ts";
import { ANSWERING } from "./checks/answering.ts";
import { AUTHENTICITY } from "./checks/authenticity.ts";
import { EFFECTS } from "./checks/effects.ts";
import { ROBUSTNESS } from "./checks/robustness.ts";
import { type Exchange, Handler, type HandlerOptions, isTaken } from "./handler.ts";
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

/** How far a run has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface ConformOptions extends HandlerOptions {
  /** Only the checks and groups of these names. */
  readonly only?: readonly string[] | undefined;
  /** A handler that is not on this machine gets forged and repeated deliveries only if you say that it is yours. */
  readonly ownHost?: boolean | undefined;
  /** Called with each result as it comes. */
  readonly onResult?: ((result: CheckResult, progress: Progress) => void) | undefined;
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

const BASELINE = [GENUINE, REDIRECT, TIMELY];
const CHECKS: readonly Check[] = [...AUTHENTICITY, ...ANSWERING, ...EFFECTS, ...ROBUSTNESS];
/** The names that `only` takes. */
export const CHECK_NAMES: readonly string[] = [
  ...new Set([...BASELINE.map(({ name }) => name), ...CHECKS.flatMap(({ name, group }) => [name, group])]),
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

/** After so many checks in a row in which a delivery had no answer in time, the others are not tried. */
const LATE_CHECKS_MAX = 3;
const STOPPED = `${LATE_CHECKS_MAX} checks in a row had no answer in time`;

async function tryHandler(handler: Handler, options: ConformOptions): Promise<Report> {
  const startedAt = performance.now();
  const { only, onResult } = options;
  const isAsked = ({ name, group }: Pick<Check, "name" | "group">) =>
    only === undefined || only.includes(name) || only.includes(group);
  const asked = CHECKS.filter(isAsked);
  const checks: CheckResult[] = [];
  const add = (...results: readonly CheckResult[]) => {
    for (const result of results) {
      checks.push(result);
      onResult?.(result, { done: checks.length, total: asked.length + BASELINE.length });
    }
  };
  const { genuine, redirect, schemes } = await tryGenuine(handler);
  add(genuine, redirect);
  const isReached = [genuine, redirect].every(({ verdict }) => verdict === "ok") && handler.late === null;
  const kept = isReached ? await findKept(handler) : new Set<Need>();
  let firstLate = handler.late;
  let lateChecks = 0;
  for (const check of asked) {
    handler.late = null;
    const reason = !isReached
      ? "the handler does not take a genuine delivery"
      : lateChecks === LATE_CHECKS_MAX
        ? STOPPED
        : reasonToSkip(check, kept);
    add(reason === null ? await judge(check, handler) : resultOf(check, "not_judged", null, reason));
    if (reason !== null) continue;
    lateChecks = handler.late === null ? 0 : lateChecks + 1;
    firstLate ??= handler.late;
  }
  add(firstLate === null ? resultOf(TIMELY, "ok", null) : resultOf(TIMELY, "fail", failureOf(firstLate)));
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

const failureOf = (exchange: Exchange): Failure => ({ sent: exchange.sent, came: textOf(exchange) });

/** Delivers as the service does: with both schemes, and with each alone. */
async function tryGenuine(handler: Handler) {
  const both = await handler.deliver((await handler.order()).created());
  const isLate = handler.late !== null;
  const alone = async (headers: Readonly<Record<string, null>>) =>
    !isLate && isTaken(await handler.deliver((await handler.order()).created(), { headers }));
  const own = await alone({ "webhook-id": null, "webhook-timestamp": null, "webhook-signature": null });
  const standard = await alone({ "Service-Signature": null });
  const schemes = [
    ...(own ? (["Service-Signature"] as const) : []),
    ...(standard ? (["Standard Webhooks"] as const) : []),
  ];
  const isRedirect = both.status !== null && both.status >= 300 && both.status < 400;
  const judged = (check: Omit<Check, "run">, isMistake: boolean) =>
    resultOf(check, isMistake ? "fail" : "ok", isMistake ? failureOf(both) : null);
  return {
    genuine: judged(GENUINE, !isTaken(both) && !isRedirect && !isLate),
    redirect: judged(REDIRECT, isRedirect),
    schemes,
  };
}

/** What the options give, and what the probe keeps: checks that need more are not judged. */
async function findKept(handler: Handler): Promise<ReadonlySet<Need>> {
  const { secrets, probe, restart, returnUrl } = handler.options;
  const effects = await probe?.((await handler.order()).reference);
  const needs: readonly (readonly [Need, boolean])[] = [
    ["two secrets", secrets.length > 1],
    ["probe", effects !== undefined],
    ["refunds", effects?.refunded !== undefined],
    ["refunded amounts", effects?.refundedAmount !== undefined],
    ["restart", restart !== undefined],
    ["return URL", returnUrl !== undefined],
  ];
  return new Set(needs.flatMap(([need, isGiven]) => (isGiven ? [need] : [])));
}

const MISSING: Readonly<Record<Need, string>> = {
  "two secrets": "it needs a second secret",
  probe: "it needs a probe, which says what the shop did",
  refunds: "the probe does not count refunds",
  "refunded amounts": "the probe does not say refundedAmount",
  restart: "it needs a way to restart the shop",
  "return URL": "it needs the shop's return URL",
};

function reasonToSkip({ needs = [] }: Check, kept: ReadonlySet<Need>): string | null {
  const missing = needs.find((need) => !kept.has(need));
  return missing === undefined ? null : MISSING[missing];
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
