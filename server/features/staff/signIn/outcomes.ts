import { ActionError } from "../../../domain/actionError.ts";
import { ApiError } from "../../../domain/errors.ts";
import type { StaffContext } from "../context.ts";
import { isBeyond, type Limit } from "../tries.ts";
import type { User } from "../user.ts";
import { findUserByEmail, logUser } from "./queries.ts";

/** The outcomes of attempts to sign in: as figures, in the log, and in the history of an account (§13.1.11). */

const STEPS = ["password", "code", "passkey", "company", "proof"] as const;
type Step = (typeof STEPS)[number];
const OUTCOMES = ["right", "wrong", "refused"] as const;
type Outcome = (typeof OUTCOMES)[number];

const counts = new Map<string, number>();
const keyOf = (step: Step, outcome: Outcome): string => `${step} ${outcome}`;

const COMPANY_WRONG = new Set<string>(["company_answer_invalid", "company_refused", "company_unknown"]);

/** Counts the outcome of an attempt. One that fails for another reason, such as an outage of the database, has none. */
export async function counted<Result>(step: Step, attempt: () => Promise<Result>): Promise<Result> {
  const count = (outcome: Outcome) => counts.set(keyOf(step, outcome), (counts.get(keyOf(step, outcome)) ?? 0) + 1);
  try {
    const result = await attempt();
    count("right");
    return result;
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthorized") count("wrong");
    if (error instanceof ApiError && error.code === "rate_limited") count("refused");
    if (error instanceof ActionError && error.code === "password_wrong") count("wrong");
    if (error instanceof ActionError && error.code === "password_exposed") count("refused");
    if (error instanceof ActionError && COMPANY_WRONG.has(error.code)) count("wrong");
    throw error;
  }
}

/** For /metrics. */
export const signInFigure = {
  name: "holdfast_sign_ins_total",
  kind: "counter",
  help: "Attempts to sign in or to give a recent proof, by step and outcome.",
  labels: ["step", "outcome"],
  read: async () =>
    STEPS.flatMap((step) =>
      OUTCOMES.map((outcome) => ({ labels: { step, outcome }, value: counts.get(keyOf(step, outcome)) ?? 0 })),
    ),
} as const;

/** Strangers cause these entries, which are stored for ever, so their number per user is limited. */
const LOCK_ENTRY_LIMIT: Limit = { name: "lock-entry", max: 3, seconds: 3_600, whenRight: "keep" };

/** The user whose tries were used up, or the address that may have one. */
type Tried = { readonly user: User } | { readonly emailKey: string };

/** Locks that are recorded at once. Further ones are not. */
const RECORDED_MAX = 20;
let recorded = 0;

/** Records that the tries of a limit are used up. The answer waits for none of it: it takes as long for an address without a user. */
export function recordLock(ctx: StaffContext, network: string, limit: Limit, tried: Tried): void {
  if (recorded >= RECORDED_MAX) return;
  recorded++;
  void writeLock(ctx, network, limit, tried)
    .catch((error: unknown) => ctx.log("Tries to sign in that were used up could not be recorded.", error))
    .finally(() => recorded--);
}

async function writeLock(
  { database, log }: StaffContext,
  network: string,
  { name, seconds }: Limit,
  tried: Tried,
): Promise<void> {
  const user = "user" in tried ? tried.user : await findUserByEmail(database, tried.emailKey);
  const whose = user === null ? "an address that has no user" : user.id;
  log(`Sign-in: too many tries (${name}) for ${whose}, the last from ${network}; refused for ${seconds / 60} minutes.`);
  if (user !== null && !(await isBeyond(database, { limit: LOCK_ENTRY_LIMIT, subject: user.id })))
    await logUser(database, { kind: "service" }, user.id, "tries_used_up", { network, limit: name });
}
