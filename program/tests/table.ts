import type { Outcome, PaymentAccount, ProgramErrorName, Side, Status } from "@holdfast/escrow-client";
import { ARBITRATION, RETENTION } from "./scenario.ts";

/** A state of the table in `SPECIFICATION.md`; the table is written here cell by cell, apart from the Rust code. */
export interface State {
  readonly status: Status;
  readonly outcome: Outcome | null;
  readonly amount: bigint;
  readonly refundTotal: bigint;
  readonly amountRefunded: bigint;
  readonly amountReleased: bigint;
  readonly deadline: bigint;
  readonly disputedAt: bigint | null;
  readonly settledAt: bigint | null;
  readonly refundedAt: bigint | null;
  /** Tokens in the vault; null if it does not exist. */
  readonly vault: bigint | null;
  readonly closed: boolean;
}

export type Action =
  | { readonly kind: "create_payment" | "open_dispute" }
  | { readonly kind: "resolve" | "release" | "refund"; readonly total: bigint }
  | { readonly kind: "pay_out"; readonly side: Side }
  | { readonly kind: "close_payment"; readonly signed: boolean };

export type Verdict =
  | { readonly refusal: ProgramErrorName }
  | { readonly next: State; readonly sent: Readonly<Record<Side, bigint>> };

export function stateOf(account: PaymentAccount, vault: bigint | null): State {
  const { status, outcome, amount, refundTotal, amountRefunded, amountReleased } = account;
  const { deadline, disputedAt, settledAt, refundedAt } = account;
  const amounts = { amount, refundTotal, amountRefunded, amountReleased };
  return { status, outcome, ...amounts, deadline, disputedAt, settledAt, refundedAt, vault, closed: false };
}

/** P protected, D disputed, B bound with something due, F finished, T tombstone. */
export function letterOf(state: State): "P" | "D" | "B" | "F" | "T" {
  if (state.closed) return "T";
  if (state.status === "released" || state.status === "refunded") return "F";
  if (state.outcome !== null) return "B";
  return state.status === "protected" ? "P" : "D";
}

const refusal = (name: ProgramErrorName): Verdict => ({ refusal: name });
const unpaid = (next: State): Verdict => ({ next, sent: { sender: 0n, recipient: 0n } });
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Returns the table's verdict on this action by anyone who may take it, at this time. */
export function consult(state: State, action: Action, now: bigint): Verdict {
  if (action.kind === "create_payment") return refusal("payment_exists");
  const letter = letterOf(state);
  if (letter === "T") return refusal("payment_closed");
  switch (action.kind) {
    case "open_dispute":
      if (letter === "F") return refusal("already_paid_out");
      if (letter === "B") return refusal("already_decided");
      if (letter === "D") return refusal("already_disputed");
      return now < state.deadline
        ? unpaid({ ...state, status: "disputed", disputedAt: now })
        : refusal("protection_over");
    case "resolve":
      if (letter === "F") return refusal("already_paid_out");
      if (letter === "B") return refusal("already_decided");
      if (letter === "P") return refusal("not_disputed");
      if (now >= state.disputedAt! + ARBITRATION) return refusal("arbitration_over");
      if (action.total > state.amount) return refusal("invalid_total");
      return unpaid({ ...state, outcome: "resolved", refundTotal: most(state.refundTotal, action.total) });
    case "release":
      if (letter === "F") return refusal("already_paid_out");
      if (letter === "B") return refusal("already_decided");
      if (state.refundTotal < action.total) return refusal("less_bound");
      return unpaid({ ...state, outcome: "released_by_sender" });
    case "refund": {
      if (letter === "F" || state.amountReleased > 0n) return refusal("already_paid_out");
      if (action.total <= state.refundTotal || action.total > state.amount) return refusal("invalid_total");
      const outcome = action.total === state.amount ? "refunded_by_recipient" : state.outcome;
      return unpaid({ ...state, refundTotal: action.total, outcome });
    }
    case "pay_out":
      return action.side === "sender" ? payOutSender(state, now) : payOutRecipient(state, now);
    case "close_payment":
      return closing(state, action.signed, now);
  }
}

function payOutSender(state: State, now: bigint): Verdict {
  const letter = letterOf(state);
  const due = state.refundTotal - state.amountRefunded;
  if (letter === "F") return sweep(state, "sender");
  if (letter === "D" && now >= state.disputedAt! + ARBITRATION) {
    const all = { ...state, refundTotal: state.amount, outcome: "refunded_unresolved" as const };
    return part(all, "sender", state.amount - state.amountRefunded, now);
  }
  if (letter === "D" && due === 0n) return refusal("arbitration_running");
  return due === 0n ? refusal("nothing_due") : part(state, "sender", due, now);
}

function payOutRecipient(state: State, now: bigint): Verdict {
  const letter = letterOf(state);
  if (letter === "F") return sweep(state, "recipient");
  if (letter === "D") return refusal("already_disputed");
  if (letter === "P") {
    if (now < state.deadline) return refusal("protection_running");
    return part({ ...state, outcome: "settled" }, "recipient", state.amount - state.refundTotal, now);
  }
  const due = state.amount - state.refundTotal - state.amountReleased;
  return due === 0n ? refusal("nothing_due") : part(state, "recipient", due, now);
}

function part(state: State, side: Side, due: bigint, now: bigint): Verdict {
  const toSender = side === "sender";
  const amountRefunded = state.amountRefunded + (toSender ? due : 0n);
  const amountReleased = state.amountReleased + (toSender ? 0n : due);
  const last = amountRefunded + amountReleased === state.amount;
  // The last part takes everything along that lies in the vault.
  const leaves = last ? state.vault! : due;
  const next: State = {
    ...state,
    amountRefunded,
    amountReleased,
    refundedAt: toSender ? now : state.refundedAt,
    settledAt: toSender ? state.settledAt : now,
    status: last ? (amountReleased > 0n ? "released" : "refunded") : state.status,
    vault: last ? null : state.vault! - due,
  };
  return { next, sent: { sender: toSender ? leaves : 0n, recipient: toSender ? 0n : leaves } };
}

function sweep(state: State, side: Side): Verdict {
  const to = state.amountReleased > 0n ? "recipient" : "sender";
  if (side !== to || state.vault === null) return refusal("already_paid_out");
  const sent = { sender: 0n, recipient: 0n, [to]: state.vault };
  return { next: { ...state, vault: null }, sent };
}

function closing(state: State, signed: boolean, now: bigint): Verdict {
  if (letterOf(state) !== "F") return refusal("not_paid_out");
  const lastAt = most(state.settledAt ?? 0n, state.refundedAt ?? 0n);
  if (now < lastAt + RETENTION) return refusal("retention_running");
  if (!signed && state.vault !== null) return refusal("vault_open");
  return unpaid({ ...state, closed: true });
}

/** Returns the claims that a state breaks, by itself and against the one before. */
export function violations(state: State, before: State | null): string[] {
  const { amount, refundTotal, amountRefunded, amountReleased, outcome, vault } = state;
  const left = amount - amountRefunded - amountReleased;
  const letter = letterOf(state);
  const claims: [boolean, string][] = [
    [amountRefunded <= refundTotal && refundTotal <= amount, "refunded <= total <= amount"],
    [amountReleased === 0n || amountReleased === amount - refundTotal, "released is nothing or the rest"],
    [amountReleased === 0n || outcome !== null, "nothing is released without an outcome"],
    [outcome !== null || refundTotal < amount, "giving back everything is an outcome"],
    [letter === "T" || (vault ?? 0n) >= left, "the vault holds what is left"],
    [(letter === "F" || letter === "T") === (left === 0n), "finished exactly if nothing is left"],
    [before === null || refundTotal >= before.refundTotal, "the total never falls"],
    [before === null || amountRefunded >= before.amountRefunded, "refunded never falls"],
    [before === null || amountReleased >= before.amountReleased, "released never falls"],
    [before === null || before.outcome === null || outcome !== null, "an outcome stays"],
    [before === null || before.disputedAt === null || state.disputedAt === before.disputedAt, "a dispute stays"],
  ];
  return claims.filter(([holds]) => !holds).map(([, claim]) => claim);
}
