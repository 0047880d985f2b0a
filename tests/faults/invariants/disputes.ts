import type { Finding, Invariant } from "../checker.ts";
import type { DatabaseSnapshot, DisputeRow, PaymentRow } from "../databaseSnapshot.ts";

/** Compares each dispute with its payment as it is recorded, and with its texts. */
export const disputesFollowTheChain: Invariant = {
  id: "disputes",
  promise: "each disputed payment has one dispute in the chain's state, with all its texts and at most one agreement",
  check: ({ snapshot }) => {
    const violations: string[] = [];
    const payments = new Map(snapshot.payments.map((row) => [row.address, row]));
    const disputes = new Map(snapshot.disputes.map((row) => [row.payment_address, row]));
    for (const [address, { disputed_at }] of payments)
      if (disputed_at !== null && !disputes.has(address))
        violations.push(`${address} is disputed on chain and has no dispute`);
    for (const row of snapshot.disputes) {
      const wrong = (text: string) => void violations.push(`${row.id} (${row.status}): ${text}`);
      compareWithPayment(row, payments.get(row.payment_address), wrong);
      compareTexts(snapshot, row, wrong);
    }
    const checked = { disputes: snapshot.disputes.length, statements: snapshot.statements.length };
    return { checked, violations } satisfies Finding;
  },
};

const LIVE = ["talking", "deciding", "agreed"];

function compareWithPayment(row: DisputeRow, payment: PaymentRow | undefined, wrong: (text: string) => void): void {
  if (payment === undefined || payment.disputed_at === null) {
    if (row.status !== "paused") wrong("the chain took the dispute back");
    return;
  }
  if (row.opened_at.getTime() !== payment.disputed_at.getTime()) wrong("it was opened at another time");
  if (row.refund_total !== payment.refund_total) wrong(`${payment.refund_total} is bound, not ${row.refund_total}`);
  const { status, outcome } = payment;
  const allowed =
    status === "released" || status === "refunded"
      ? ["closed"]
      : outcome === null
        ? LIVE
        : [outcome === "resolved" ? "decided" : "closed"];
  if (!allowed.includes(row.status)) wrong(`its payment is ${status}, ${outcome}`);
}

function compareTexts(
  { statements, offers, agreements }: DatabaseSnapshot,
  row: DisputeRow,
  wrong: (text: string) => void,
) {
  const mine = <Row extends { readonly dispute_id: string }>(rows: readonly Row[]) =>
    rows.filter(({ dispute_id }) => dispute_id === row.id);
  const sent = mine(statements).toSorted((one, other) => one.number - other.number);
  if (sent.some(({ number }, index) => number !== index + 1)) wrong("its statements have gaps");
  for (const side of ["buyer", "merchant"] as const) {
    const counted = [row[`${side}_statements`], row[`${side}_offers`]];
    const kept = [sent, mine(offers)].map((rows) => rows.filter((one) => one.side === side).length);
    if (counted.join() !== kept.join()) wrong(`the ${side} sent ${kept}, not ${counted}`);
  }
  const accepted = mine(offers).filter(({ status }) => status === "accepted");
  if (accepted.length !== mine(agreements).length)
    wrong(`${accepted.length} accepted offers, another number of agreements`);
  if (row.status === "agreed" && mine(agreements).every(({ failed_at }) => failed_at !== null))
    wrong("no agreement holds");
}
