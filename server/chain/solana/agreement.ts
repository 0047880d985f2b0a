import {
  instructionKind,
  OPERATOR_ACCOUNT_INDEX,
  PAYMENT_ACCOUNT_INDEX,
  type ProgramInstruction,
  refundInstruction,
  releaseInstruction,
  TOKEN_2022_PROGRAM_ID,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { obstacleIn } from "../actions.ts";
import type {
  AgreementOrder,
  AgreementRefusal,
  BuiltAgreement,
  SignedAgreement,
  WantedAgreement,
} from "../agreement.ts";
import { type ChainPayment, type DuePart, isClosed } from "../port.ts";
import { parsePayment } from "./account.ts";
import { findObstacle } from "./actionPlan.ts";
import { type BuildDeps, compile, feeOf, TRIAL_UNITS, unitsToAskFor } from "./draft.ts";
import { fetchBlockhash } from "./latestBlockhash.ts";
import { isGuard, readWhole } from "./memo.ts";
import { NodeError } from "./nodeError.ts";
import { fetchFunded } from "./paymentFacts.ts";
import { showPlain } from "./plain.ts";
import type { NodeSession } from "./pool.ts";
import { parseStop } from "./refusal.ts";
import { draftParts, mayWithhold, paymentRef, withHarvests } from "./settlement.ts";
import { simulate } from "./simulation.ts";
import { areSigned, type ReadTransaction } from "./wireTransaction.ts";

/** Both sides sign. */
const SIGNATURES = 2n;

/** Builds an agreement by what one node shows, and tries it there. Parts that cannot leave now are left to the keeper. */
export async function buildAgreement(
  session: NodeSession,
  order: AgreementOrder,
  deps: BuildDeps,
): Promise<BuiltAgreement | AgreementRefusal> {
  const { programId } = deps.settings;
  const { account, total } = order;
  const [record, feePayer] = await fetchFunded(session, [order.payment, account]);
  const payment = parsePayment(order.payment, record?.raw ?? null, deps.settings);
  if (payment === null) return { kind: "not_found" };
  if (isClosed(payment)) return { kind: "not_possible", reason: "payment_closed" };
  if (account !== payment.sender && account !== payment.recipient)
    return { kind: "other_wallet", needed: payment.sender };
  const obstacle = obstacleTo(payment, total);
  if (obstacle !== null) return { kind: "not_possible", reason: obstacle };
  const [lifetime, unitPrice] = await Promise.all([
    fetchBlockhash(session),
    deps.fetchUnitPrice(session, order.payment),
  ]);
  const decisions = draftDecisions(payment, total, programId);
  const draft = { feePayer: account as Address, lifetime, units: TRIAL_UNITS, unitPrice: 0n };
  for (const instructions of [[...decisions, ...(await draftPayouts(payment, programId))], decisions]) {
    const trial = await simulate(session, compile({ ...draft, instructions }), false);
    const units = unitsToAskFor(trial.units ?? 0);
    const network = feeOf(SIGNATURES, units, unitPrice);
    if (trial.err === null) {
      const lamports = feePayer?.lamports ?? 0n;
      if (lamports < network) return { kind: "sol_missing", missing: network - lamports };
      const transaction = compile({ ...draft, instructions, units, unitPrice });
      return {
        ...{ kind: "built", transaction, payment, network },
        total: total.toString(),
        instructions: instructions.map(showPlain),
      };
    }
    const stop = parseStop(trial.err, trial.logs, programId);
    if (stop.kind === "blockhash") throw new NodeError("does not know the blockhash", { rests: false });
    if (stop.kind === "fee_payer") return { kind: "sol_missing", missing: feeOf(SIGNATURES, TRIAL_UNITS, unitPrice) };
    session.acceptAbsence(trial.slot, "confirmed");
    if (instructions.length > decisions.length) continue;
    const reason = obstacleIn(stop.reason);
    return reason === null ? { kind: "would_fail", reason: stop.reason } : { kind: "not_possible", reason };
  }
  throw new Error("The decisions alone are the last that is tried.");
}

/** Where one side's decision is all that is missing, that side acts alone. */
function obstacleTo(payment: ChainPayment, total: bigint) {
  if (total <= BigInt(payment.refundTotal) || total >= BigInt(payment.amount)) return "invalid_total" as const;
  // A release with the total that is bound then is possible wherever an agreement is.
  return findObstacle(payment, "release", BigInt(payment.refundTotal), new Date(0));
}

/** The recipient binds the total, then the sender gives up the rest. */
function draftDecisions(payment: ChainPayment, total: bigint, programId: string): ProgramInstruction[] {
  const input = { programId: programId as Address, payment: paymentRef(payment), total };
  return [refundInstruction(input), releaseInstruction(input)];
}

/** The parts that the decisions make due. */
async function draftPayouts(payment: ChainPayment, programId: string): Promise<ProgramInstruction[]> {
  const parts: DuePart[] = [
    { payment, side: "sender" },
    { payment, side: "recipient" },
  ];
  const drafted = await draftParts(parts, programId);
  return withHarvests(drafted, () => parts.some(mayWithhold)).map(({ instruction }) => instruction);
}

const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const INSTRUCTIONS_MAX = 20;

/**
 * Reads an agreement that one side or both have signed; null if it is another one, does anything else, or has a wrong
 * signature. Nobody else signs it, so a side that signs second gives nothing but this agreement.
 */
export async function readAgreement(
  text: string,
  wanted: WantedAgreement,
  ours: { readonly programId: string; readonly operator: string },
): Promise<SignedAgreement | null> {
  const read = readWhole(text);
  if (read === null || read.instructions.length > INSTRUCTIONS_MAX) return null;
  const { wire, signers } = read;
  const sides = [wanted.sender, wanted.recipient];
  if (signers.length !== sides.length || !sides.every((side) => signers.includes(side))) return null;
  if (!isAgreement(read, wanted, ours)) return null;
  const given = Object.entries(wire.signatures).filter(([, signature]) => signature !== null);
  if (given.length === 0 || !(await areSigned(wire, given))) return null;
  const isMissing = (side: string) => !given.some(([address]) => address === side);
  return { missing: isMissing(wanted.sender) ? "sender" : isMissing(wanted.recipient) ? "recipient" : null };
}

/** Returns true if the instructions bind exactly this total, and do nothing else but to pay it out. */
function isAgreement(
  { instructions }: ReadTransaction,
  { payment, total }: WantedAgreement,
  { programId, operator }: { readonly programId: string; readonly operator: string },
): boolean {
  const kinds: string[] = [];
  for (const { program, accounts, data } of instructions) {
    if (program === COMPUTE_BUDGET && accounts.length === 0) continue;
    if (isGuard(program, data[0])) continue;
    // Fees that the token withheld in the vault move to the mint, so that the vault can close.
    if (program === TOKEN_2022_PROGRAM_ID && data[0] === 26 && data[1] === 4) continue;
    if (program !== programId || accounts[OPERATOR_ACCOUNT_INDEX] !== operator) return false;
    if (accounts[PAYMENT_ACCOUNT_INDEX] !== payment) return false;
    const kind = instructionKind(data);
    const isDecision = kind === "refund" || kind === "release";
    if (isDecision && (data.length !== 9 || Buffer.from(data).readBigUInt64LE(1) !== BigInt(total))) return false;
    if (!isDecision && kind !== "pay_out") return false;
    kinds.push(kind);
  }
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  return count("refund") === 1 && count("release") === 1 && count("pay_out") <= 2;
}
