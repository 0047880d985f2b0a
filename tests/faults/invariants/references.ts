import type { Invariant } from "../checker.ts";

/** A reference has at most one open intent, and an intent that can still be paid in time holds its reference. */
export const oneOpenReference: Invariant = {
  id: "references",
  promise: "no two open intents share business, environment and merchantReference",
  check: ({ snapshot: { intents, now } }) => {
    const violations: string[] = [];
    const open = intents.filter((intent) => intent.holds_reference);
    const holders = Map.groupBy(open, (intent) =>
      JSON.stringify([intent.business_id, intent.environment, intent.merchant_reference]),
    );
    for (const [reference, same] of holders)
      if (same.length > 1) violations.push(`${same.map(({ id }) => id).join(" and ")} are open for ${reference}`);
    for (const intent of intents) {
      if (intent.holds_reference && intent.status !== "requires_payment")
        violations.push(`${intent.id} is ${intent.status} and marked open`);
      if (!intent.holds_reference && intent.status === "requires_payment" && intent.expires_at > now)
        violations.push(`${intent.id} can still be paid and does not hold its reference`);
    }
    return { checked: { "open intents": open.length }, violations };
  },
};
