import type { Invariant } from "../checker.ts";
import type { PaymentRow } from "../databaseSnapshot.ts";

/** An intent has at most one primary; it is paid exactly when it has one, which is its oldest payment. */
export const onePrimary: Invariant = {
  id: "primaries",
  promise: "at most one primary per intent, every payment address once",
  check: ({ snapshot: { intents, payments } }) => {
    const violations: string[] = [];
    const byIntent = Map.groupBy(payments, (payment) => payment.intent_id);
    for (const intent of intents) {
      const mine = byIntent.get(intent.id) ?? [];
      const primaries = mine.filter((payment) => payment.role === "primary");
      const named = primaries.map((payment) => payment.address).join(", ");
      if (primaries.length > 1) violations.push(`${intent.id} has ${primaries.length} primaries: ${named}`);
      if ((intent.status === "paid") !== primaries.length > 0)
        violations.push(`${intent.id} is ${intent.status} with ${primaries.length} primaries`);
      if (intent.payment_address !== (primaries[0]?.address ?? null))
        violations.push(
          `${intent.id} names ${intent.payment_address} as its payment; the primary is ${named || "none"}`,
        );
      const oldest = mine.toSorted(byRecording)[0];
      if (oldest !== undefined && oldest.role !== "primary")
        violations.push(`${intent.id}: ${oldest.address}, recorded first, is no primary`);
    }
    for (const [address, same] of Map.groupBy(payments, (payment) => payment.address))
      if (same.length > 1) violations.push(`${address} is recorded ${same.length} times`);
    return { checked: { intents: intents.length, payments: payments.length }, violations };
  },
};

const byRecording = (a: PaymentRow, b: PaymentRow): number => Number(a.recorded_sequence) - Number(b.recorded_sequence);
