import { findVaultAddress, SYSTEM_PROGRAM_ID, TOMBSTONE_ACCOUNT_SIZE } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { isPlainKey } from "../../domain/addresses.ts";
import type { ActionCommand, ActionRefusal, BuiltAction } from "../actions.ts";
import { obstacleIn } from "../actions.ts";
import { type ChainPayment, isClosed } from "../port.ts";
import { parsePayment } from "./account.ts";
import {
  type ActionFacts,
  type ActionPlan,
  findObstacle,
  findSideAccounts,
  planAction,
  signerOf,
  totalOf,
} from "./actionPlan.ts";
import { type BuildDeps, compile, feeOf, TRIAL_UNITS, unitsToAskFor } from "./draft.ts";
import { fetchBlockhash, type LatestBlockhash } from "./latestBlockhash.ts";
import { NodeError } from "./nodeError.ts";
import { fetchFunded } from "./paymentFacts.ts";
import { lamportsMissing } from "./paymentPlan.ts";
import { showPlain } from "./plain.ts";
import type { NodeSession } from "./pool.ts";
import { parseStop } from "./refusal.ts";
import { paymentRef } from "./settlement.ts";
import { simulate } from "./simulation.ts";
import { associatedAccountSize } from "./tokenAccounts.ts";

/** Builds an action on a payment by what one node shows, and tries it there. */
export async function buildAction(
  session: NodeSession,
  command: ActionCommand,
  deps: BuildDeps,
): Promise<BuiltAction | ActionRefusal> {
  const { programId } = deps.settings;
  const [record] = await fetchFunded(session, [command.payment]);
  const payment = parsePayment(command.payment, record?.raw ?? null, deps.settings);
  if (payment === null) return { kind: "not_found" };
  if (isClosed(payment)) return { kind: "not_possible", reason: "payment_closed" };
  const needed = signerOf(payment, command.action);
  if (needed !== null && needed !== command.account) return { kind: "other_wallet", needed };
  const total = totalOf(payment, command);
  const obstacle = findObstacle(payment, command.action, total, command.now);
  if (obstacle !== null) return { kind: "not_possible", reason: obstacle };

  const [facts, lifetime, unitPrice] = await Promise.all([
    fetchFacts(session, payment, command, { record: record!.lamports, deps }),
    fetchBlockhash(session),
    deps.fetchUnitPrice(session, command.payment),
  ]);
  const plans = await planAction(payment, { ...command, total }, facts, programId);
  const chosen = await choosePlan(session, command, plans, { facts, lifetime, unitPrice, programId });
  if (chosen.kind !== "chosen") return chosen;
  const { plan, units, network } = chosen;
  const { instructions, tokenAccount, returns } = plan;
  const feePayer = (command.sponsor ?? command.account) as Address;
  return {
    kind: "built",
    transaction: compile({ feePayer, instructions, lifetime, units, unitPrice }),
    payment,
    total: command.action === "release" || command.action === "refund" ? total.toString() : null,
    fee: { network, tokenAccount },
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    returns,
    instructions: instructions.map(showPlain),
  };
}

/** Reads what an action depends on besides the payment, in one request, and the rents. */
async function fetchFacts(
  session: NodeSession,
  payment: ChainPayment,
  { account, sponsor }: ActionCommand,
  { record, deps: { fetchRent } }: { readonly record: bigint; readonly deps: BuildDeps },
): Promise<ActionFacts> {
  const { address, mint, tokenProgram, rentPayer } = paymentRef(payment);
  const accounts = await findSideAccounts(payment);
  const vaultAddress = await findVaultAddress({ payment: address, mint, tokenProgram });
  const asked = [vaultAddress, mint, accounts.sender, accounts.recipient, rentPayer, sponsor ?? account];
  const [vault, mintAccount, ofSender, ofRecipient, payer, feePayer] = await fetchFunded(session, asked);
  // The mint existed when the payment was made: this node is behind, or wrong.
  if (!mintAccount) throw new NodeError("no mint where one was", { rests: false });
  // Anyone may send lamports to an address before there is a token account.
  const isToken = (one: typeof vault) => one?.raw.owner === tokenProgram;
  const [wallet, tokenAccount, tombstone, least] = await Promise.all(
    [0, associatedAccountSize(mintAccount.raw), TOMBSTONE_ACCOUNT_SIZE, payer?.raw.data.length ?? 0].map((size) =>
      fetchRent(session, size),
    ),
  );
  return {
    record,
    vault: isToken(vault) ? vault! : null,
    hasAccount: { sender: isToken(ofSender), recipient: isToken(ofRecipient) },
    rentPayer: { lamports: payer?.lamports ?? 0n, least: least! },
    lamports: feePayer?.raw.owner === SYSTEM_PROGRAM_ID ? feePayer.lamports : 0n,
    rents: { wallet: wallet!, tokenAccount: tokenAccount!, tombstone: tombstone! },
  };
}

interface Prices {
  readonly facts: ActionFacts;
  readonly lifetime: LatestBlockhash;
  readonly unitPrice: bigint;
  readonly programId: string;
}
interface Chosen {
  readonly kind: "chosen";
  readonly plan: ActionPlan;
  readonly units: number;
  readonly network: bigint;
}

/** Returns the first plan that succeeds in a trial run, else the reason why the last one would not. */
async function choosePlan(
  session: NodeSession,
  command: ActionCommand,
  plans: readonly ActionPlan[],
  { facts, lifetime, unitPrice, programId }: Prices,
): Promise<Chosen | ActionRefusal> {
  const feePayer = (command.sponsor ?? command.account) as Address;
  const isSponsored = command.sponsor !== undefined;
  const networkFee = (units: number, price = unitPrice) => feeOf(isSponsored ? 2n : 1n, units, price);
  const missingFor = ({ tokenAccount }: ActionPlan, network: bigint) =>
    lamportsMissing({ spent: tokenAccount, lent: 0n }, network, facts);
  const short = (missing: bigint) => ({ kind: isSponsored ? "sponsor_short" : "sol_missing", missing }) as const;
  const [first, last] = [plans[0]!, plans.at(-1)!];
  // A multisignature's vault often holds no SOL: another wallet pays for its plain instructions.
  const mayLackSol = !isSponsored && (command.mayLackSol === true || !isPlainKey(command.account));
  if (missingFor(first, networkFee(TRIAL_UNITS, 0n)) > 0n) {
    if (!mayLackSol) return short(missingFor(first, networkFee(TRIAL_UNITS)));
    return { kind: "chosen", plan: last, units: TRIAL_UNITS, network: networkFee(TRIAL_UNITS) };
  }
  let refusal: ActionRefusal | null = null;
  for (const plan of plans) {
    const draft = { feePayer, instructions: plan.instructions, lifetime, units: TRIAL_UNITS, unitPrice: 0n };
    const trial = await simulate(session, compile(draft), false);
    if (trial.err === null) {
      const units = unitsToAskFor(trial.units ?? 0);
      const missing = missingFor(plan, networkFee(units));
      return missing > 0n && !mayLackSol ? short(missing) : { kind: "chosen", plan, units, network: networkFee(units) };
    }
    const stop = parseStop(trial.err, trial.logs, programId);
    if (stop.kind === "blockhash") throw new NodeError("does not know the blockhash", { rests: false });
    // A node that is behind does not know yet what became of the payment.
    session.acceptAbsence(trial.slot, "confirmed");
    const reason = obstacleIn(stop.reason);
    refusal = reason === null ? { kind: "would_fail", reason: stop.reason } : { kind: "not_possible", reason };
  }
  return refusal!;
}
