import {
  instructionKind,
  OPERATOR_ACCOUNT_INDEX,
  PAYMENT_ACCOUNT_INDEX,
  resolveInstruction,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { isPlainKey } from "../../domain/addresses.ts";
import { obstacleIn } from "../actions.ts";
import { type ChainPayment, isClosed, type LandedRuling, type RulingMemo } from "../port.ts";
import type { BuiltRuling, RulingCommand, RulingRefusal, WantedRuling } from "../ruling.ts";
import { parsePayment } from "./account.ts";
import { type BuildDeps, compile, feeOf, TRIAL_UNITS, unitsToAskFor } from "./draft.ts";
import { fetchBlockhash } from "./latestBlockhash.ts";
import {
  COMPUTE_BUDGET,
  isGuard,
  MEMO,
  MEMO_PROGRAMS,
  memoInstruction,
  type RanInstruction,
  readData,
  readText,
  readWhole,
} from "./memo.ts";
import { NodeError } from "./nodeError.ts";
import { fetchFunded } from "./paymentFacts.ts";
import { showPlain } from "./plain.ts";
import type { NodeSession } from "./pool.ts";
import { parseStop } from "./refusal.ts";
import { paymentRef } from "./settlement.ts";
import { simulate } from "./simulation.ts";
import { areSigned } from "./wireTransaction.ts";

/**
 * Builds the ruling by what one node shows, and tries it there. It goes alone: no obstacle of a part can stop it, and the
 * keeper sends the parts after it.
 */
export async function buildRuling(
  session: NodeSession,
  { payment: address, total, memo }: RulingCommand,
  deps: BuildDeps,
): Promise<BuiltRuling | RulingRefusal> {
  const { programId } = deps.settings;
  const [record] = await fetchFunded(session, [address]);
  const payment = parsePayment(address, record?.raw ?? null, deps.settings);
  if (payment === null) return { kind: "not_found" };
  if (isClosed(payment)) return { kind: "not_possible", reason: "payment_closed" };
  const obstacle = obstacleTo(payment, total);
  if (obstacle !== null) return { kind: "not_possible", reason: obstacle };
  const arbiter = payment.arbiter as Address;
  const [[wallet], lifetime, unitPrice] = await Promise.all([
    fetchFunded(session, [arbiter]),
    fetchBlockhash(session),
    deps.fetchUnitPrice(session, address),
  ]);
  const input = { programId: programId as Address, payment: paymentRef(payment), total };
  const instructions = [resolveInstruction(input), memoInstruction(arbiter, memo)];
  const draft = { feePayer: arbiter, instructions, lifetime };
  const built = (units: number): BuiltRuling => ({
    kind: "built",
    transaction: compile({ ...draft, units, unitPrice }),
    network: feeOf(1n, units, unitPrice),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    instructions: instructions.map(showPlain),
  });
  // A multisignature's vault often holds no SOL: another wallet pays for its plain instructions.
  const mayLackSol = !isPlainKey(arbiter);
  const missing = (units: number) => feeOf(1n, units, unitPrice) - (wallet?.lamports ?? 0n);
  if (missing(TRIAL_UNITS) > 0n)
    return mayLackSol ? built(TRIAL_UNITS) : { kind: "sol_missing", missing: missing(TRIAL_UNITS) };
  const trial = await simulate(session, compile({ ...draft, units: TRIAL_UNITS, unitPrice: 0n }), false);
  if (trial.err === null) return built(unitsToAskFor(trial.units ?? 0));
  const stop = parseStop(trial.err, trial.logs, programId);
  if (stop.kind === "blockhash") throw new NodeError("does not know the blockhash", { rests: false });
  session.acceptAbsence(trial.slot, "confirmed");
  const reason = obstacleIn(stop.reason);
  return reason === null ? { kind: "would_fail", reason: stop.reason } : { kind: "not_possible", reason };
}

function obstacleTo(payment: ChainPayment, total: bigint) {
  if (payment.status === "released" || payment.status === "refunded") return "already_paid_out" as const;
  if (payment.outcome !== null) return "already_decided" as const;
  if (payment.disputedAt === null) return "not_disputed" as const;
  // The program binds what was bound before, where that is more: a decision says what the buyer has in the end.
  if (total < BigInt(payment.refundTotal)) return "less_bound" as const;
  return total > BigInt(payment.amount) ? ("invalid_total" as const) : null;
}

const INSTRUCTIONS_MAX = 20;
/** The data of a decision: its number and the total. */
const DECISION_SIZE = 9;

const readTotal = (data: Parameters<typeof instructionKind>[0]): string | null =>
  instructionKind(data) === "resolve" && data.length === DECISION_SIZE
    ? Buffer.from(data).readBigUInt64LE(1).toString()
    : null;

/** Returns true for this ruling with its memo, signed by the arbiter alone, that could have no other effect. */
export async function isRuling(
  text: string,
  { payment, arbiter, total, memo }: WantedRuling,
  { programId, operator }: { readonly programId: string; readonly operator: string },
): Promise<boolean> {
  const read = readWhole(text);
  if (read === null || read.instructions.length > INSTRUCTIONS_MAX) return false;
  const { wire, signers, instructions } = read;
  if (signers.length !== 1 || signers[0] !== arbiter) return false;
  // Prices, and the guards of a wallet.
  const acting = instructions.filter(
    ({ program, accounts, data }) =>
      !(program === COMPUTE_BUDGET && accounts.length === 0) && !isGuard(program, data[0]),
  );
  const [ruling, note] = acting;
  if (ruling === undefined || note === undefined || acting.length > 2) return false;
  const isWanted =
    ruling.program === programId &&
    ruling.accounts[OPERATOR_ACCOUNT_INDEX] === operator &&
    ruling.accounts[PAYMENT_ACCOUNT_INDEX] === payment &&
    readTotal(ruling.data) === total &&
    note.program === MEMO &&
    note.accounts.length === 1 &&
    note.accounts[0] === arbiter &&
    readText(note.data) === memo;
  return isWanted && areSigned(wire, Object.entries(wire.signatures));
}

/** The index of the arbiter in `resolve`. */
const ARBITER_INDEX = 2;

/** Finds the rulings of a transaction that succeeded, each with its memo. */
export function findLandedRulings(
  ran: readonly RanInstruction[],
  { programId, operator }: { readonly programId: string; readonly operator: string },
): readonly LandedRuling[] {
  return ran.flatMap(({ program, accounts, data }) => {
    const bytes = program === programId && accounts[OPERATOR_ACCOUNT_INDEX] === operator ? readData(data) : null;
    const total = bytes && readTotal(bytes);
    const [payment, arbiter] = [accounts[PAYMENT_ACCOUNT_INDEX], accounts[ARBITER_INDEX]];
    if (total === null || payment === undefined || arbiter === undefined) return [];
    return [{ payment, arbiter, total, memo: findMemoOf(ran, arbiter) }];
  });
}

/** The program of memos checks that each account that a memo names has signed, at any depth; its first version does not. */
function findMemoOf(ran: readonly RanInstruction[], arbiter: string): RulingMemo {
  const memos = ran.filter(({ program }) => MEMO_PROGRAMS.has(program));
  const own = memos.filter(({ program, accounts }) => program === MEMO && accounts.includes(arbiter));
  const [memo] = own;
  if (memo === undefined) return { kind: memos.length === 0 ? "none" : "other_signer", text: null };
  if (own.length > 1) return { kind: "several", text: null };
  const bytes = readData(memo.data);
  return { kind: "one", text: bytes && readText(bytes) };
}
