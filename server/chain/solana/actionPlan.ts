import {
  createTokenAccountInstruction,
  findTokenAccountAddress,
  NATIVE_MINTS,
  type ProgramInstruction,
  type Side,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { type ActionCommand, actNamed, type BuiltAction, isLapsed, type PaymentAct } from "../acts.ts";
import type { ChainPayment, DuePart } from "../port.ts";
import type { RawAccount } from "./account.ts";
import { INSTRUCTIONS } from "./acts.ts";
import type { Plan } from "./draft.ts";
import { memoInstruction } from "./memo.ts";
import { draftParts, paymentRef, withHarvests } from "./settlement.ts";
import { balanceOf, withheldIn } from "./tokenAccounts.ts";

/** The state on chain of the accounts that an action names, besides the payment's own. */
export interface ActionFacts {
  /** Lamports of the payment's record. */
  readonly record: bigint;
  readonly vault: RawAccount | null;
  /** True if the side's associated token account exists. */
  readonly hasAccount: Readonly<Record<Side, boolean>>;
  /** Lamports of the rent payer, and the minimum for the size of its account. */
  readonly rentPayer: { readonly lamports: bigint; readonly least: bigint };
  /** Lamports of the wallet that pays the fee. */
  readonly lamports: bigint;
  readonly rents: { readonly wallet: bigint; readonly tokenAccount: bigint; readonly tombstone: bigint };
}

/** The instructions of an act, in one of the ways in which it can be done. */
export interface ActionPlan extends Plan {
  readonly returns: BuiltAction["returns"];
}

type Action = Omit<ActionCommand, "total"> & { readonly total: bigint };

/** A built transaction lands within this time or never, by a chain whose clock may be ahead. */
const LANDS_WITHIN_MS = 600_000;

/**
 * Plans an act in the ways in which it can be done, the best first. A decision goes with the part that it makes due;
 * where that part cannot leave now, the decision goes alone. So does one that a sponsor pays for, which names nothing but
 * the payment and its signer. A part that was bound earlier never goes with a decision: anyone may send it first, and the
 * whole transaction would fail. Nor does a payout go with a refund that may land after the dispute's lapse: it would
 * refund everything.
 */
export async function planAction(
  payment: ChainPayment,
  command: Action,
  facts: ActionFacts,
  programId: string,
): Promise<readonly ActionPlan[]> {
  const decision = draftDecision(payment, command, programId as Address);
  const free = { spent: 0n, lent: 0n, returns: null };
  const alone = decision.length === 0 ? [] : [{ instructions: decision, ...free }];
  const parts = partsOf(payment, command.action, facts.vault !== null);
  const landsBy = new Date(command.now.getTime() + LANDS_WITHIN_MS);
  const goesAlone = command.sponsor !== undefined || (command.action === "refund" && isLapsed(payment, landsBy));
  if (parts.length === 0 || (decision.length > 0 && goesAlone)) return alone;
  const own = ownAccountSide(payment, parts, command, facts);
  const made = own === null ? [] : [await makeAccount(payment, own)];
  const drafted = await draftParts(parts, programId);
  const isWithheld = withheldIn(facts.vault) > 0n;
  const steps = withHarvests(drafted, () => isWithheld).map(({ instruction }) => instruction);
  const whole = {
    instructions: [...decision, ...made, ...steps],
    spent: own === null ? 0n : facts.rents.tokenAccount,
    lent: 0n,
    returns: returnsOf(payment, command, parts, facts),
  };
  return [whole, ...alone];
}

/** The instructions of the act itself: none if a payout alone does it. */
function draftDecision(payment: ChainPayment, { action, account, total, memo }: Action, programId: Address) {
  const decision = INSTRUCTIONS[action].draft?.({ programId, payment: paymentRef(payment), total });
  if (decision === undefined) return [];
  return memo === undefined ? [decision] : [decision, memoInstruction(account as Address, memo)];
}

/** The parts that leave with an act. A vault that is still there is emptied and closed before the record. */
function partsOf(payment: ChainPayment, action: PaymentAct, hasVault: boolean): readonly DuePart[] {
  const { pays } = actNamed(action);
  if (!pays.includes("record")) return pays.map((side) => ({ payment, side }));
  const swept: DuePart = { payment, side: payment.status === "released" ? "recipient" : "sender" };
  return [...(hasVault ? [swept] : []), { payment, side: "record" }];
}

/** Returns the side whose missing token account the signer pays for: the signer's own alone. No sponsor pays for one. */
function ownAccountSide(
  payment: ChainPayment,
  parts: readonly DuePart[],
  { account, sponsor }: Action,
  { hasAccount }: ActionFacts,
): Side | null {
  if (sponsor !== undefined) return null;
  const sides = parts.map(({ side }) => side).filter((side) => side !== "record");
  return sides.find((side) => payment[side] === account && !hasAccount[side]) ?? null;
}

function makeAccount(payment: ChainPayment, side: Side): Promise<ProgramInstruction> {
  const { mint, tokenProgram, ...ref } = paymentRef(payment);
  return createTokenAccountInstruction({ payer: ref[side], owner: ref[side], mint, tokenProgram });
}

/** Returns the rents that come back with the parts, as the program decides it (program/SPECIFICATION.md §5.6, §6). */
function returnsOf(
  payment: ChainPayment,
  command: Action,
  parts: readonly DuePart[],
  { record, vault, rentPayer, rents }: ActionFacts,
): ActionPlan["returns"] {
  const closesRecord = command.action === "close";
  const ofRecord = closesRecord ? record - rents.tombstone : 0n;
  const moved = closesRecord ? balanceOf(vault) : movedLast(payment, command, parts);
  const isNative = NATIVE_MINTS.includes(payment.asset as Address);
  const ofVault = vault === null || moved === null ? 0n : vault.lamports - (isNative ? moved : 0n);
  const lamports = ofRecord + (ofVault > 0n ? ofVault : 0n);
  return lamports <= 0n || rentPayer.lamports + lamports < rentPayer.least ? null : { lamports, to: payment.rentPayer };
}

/** Returns the amount that leaves with the last part; null if something stays in the vault. */
function movedLast(payment: ChainPayment, { action, total }: Action, parts: readonly DuePart[]): bigint | null {
  const amount = BigInt(payment.amount);
  const sides = parts.map(({ side }) => side);
  const isDecided = payment.outcome !== null || actNamed(action).decides || (action === "refund" && total === amount);
  const senderTotal =
    action === "refund_unresolved" ? amount : action === "refund" ? total : BigInt(payment.refundTotal);
  const refunded = sides.includes("sender") ? senderTotal : BigInt(payment.amountRefunded);
  const released = sides.includes("recipient") ? amount - senderTotal : BigInt(payment.amountReleased);
  const before = BigInt(payment.amountRefunded) + BigInt(payment.amountReleased);
  return isDecided && refunded + released === amount ? amount - before : null;
}

/** Finds the associated token accounts of both sides. */
export async function findSideAccounts(payment: ChainPayment): Promise<Readonly<Record<Side, Address>>> {
  const { sender, recipient, mint, tokenProgram } = paymentRef(payment);
  const accountOf = (owner: Address) => findTokenAccountAddress({ owner, mint, tokenProgram });
  return { sender: await accountOf(sender), recipient: await accountOf(recipient) };
}
