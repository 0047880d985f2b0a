import { findVaultAddress, SYSTEM_PROGRAM_ID, TOMBSTONE_ACCOUNT_SIZE } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { isPlainKey } from "../../domain/addresses.ts";
import {
  type ActionCommand,
  type ActionRefusal,
  actNamed,
  type BuiltAction,
  findObstacle,
  obstacleIn,
} from "../acts.ts";
import { type ChainPayment, isClosed } from "../port.ts";
import { fetchAtHead, NO_DATA, parsePayment, type RawAccount } from "./account.ts";
import { type ActionFacts, findSideAccounts, planAction } from "./actionPlan.ts";
import { signerOf } from "./acts.ts";
import type { BuildDeps } from "./draft.ts";
import { fetchBlockhash } from "./latestBlockhash.ts";
import { NodeError } from "./nodeError.ts";
import { showPlain } from "./plain.ts";
import type { NodeSession } from "./pool.ts";
import type { Stop } from "./refusal.ts";
import { paymentRef } from "./settlement.ts";
import { associatedAccountSize } from "./tokenAccounts.ts";
import { tryPlans } from "./trial.ts";

/** Builds an act on a payment by what one node shows, and tries it there. */
export async function buildAction(
  session: NodeSession,
  command: ActionCommand,
  deps: BuildDeps,
): Promise<BuiltAction | ActionRefusal> {
  const { action, account, sponsor, now } = command;
  const { programId } = deps.settings;
  const [record] = await fetchAtHead(session, [command.payment]);
  const payment = parsePayment(command.payment, record ?? null, deps.settings);
  if (payment === null) return { kind: "not_found" };
  if (isClosed(payment)) return { kind: "not_possible", reason: "payment_closed" };
  const needed = signerOf(payment, action);
  if (needed !== null && needed !== account) return { kind: "other_wallet", needed };
  const total = command.total ?? BigInt(payment.refundTotal);
  const obstacle = findObstacle(payment, action, total, now);
  if (obstacle !== null) return { kind: "not_possible", reason: obstacle };

  const [facts, ...prices] = await Promise.all([
    fetchFacts(session, payment, command, { record: record!.lamports, deps }),
    fetchBlockhash(session),
    deps.fetchUnitPrice(session, command.payment),
  ]);
  const payer = {
    address: (sponsor ?? account) as Address,
    isSponsor: sponsor !== undefined,
    lamports: facts.lamports,
    rent: facts.rents.wallet,
    // A multisignature's vault often holds no SOL: another wallet pays for its plain instructions.
    mayLackSol: sponsor === undefined && (command.mayLackSol === true || !isPlainKey(account)),
  };
  const explain = (stop: Stop, slot: number): ActionRefusal => {
    // A node that is behind does not know yet what became of the payment.
    session.acceptAbsence(slot);
    const reason = obstacleIn(stop.reason);
    return reason === null ? { kind: "would_fail", reason: stop.reason } : { kind: "not_possible", reason };
  };
  const plans = await planAction(payment, { ...command, total }, facts, programId);
  const tried = await tryPlans(session, plans, { payer, programId, prices, explain });
  if (tried.kind !== "tried") return tried;
  const { plan, transaction, network, lastValidBlockHeight } = tried;
  return {
    kind: "built",
    transaction,
    payment,
    lastValidBlockHeight,
    returns: plan.returns,
    total: actNamed(action).namesTotal ? total.toString() : null,
    fee: { network, tokenAccount: plan.spent },
    instructions: plan.instructions.map(showPlain),
  };
}

const NO_ACCOUNTS = {
  vault: null,
  hasAccount: { sender: false, recipient: false },
  rentPayer: { lamports: 0n, least: 0n },
};

/**
 * Reads what an act depends on besides the payment, and the rents. The data of fee payer and rent payer is left out: no
 * build waits for accounts that a side can make large, or choose. An act that pays nothing depends on the fee payer alone.
 */
async function fetchFacts(
  session: NodeSession,
  payment: ChainPayment,
  { action, account, sponsor }: ActionCommand,
  { record, deps: { fetchRent } }: { readonly record: bigint; readonly deps: BuildDeps },
): Promise<ActionFacts> {
  const lamportsOf = (one: RawAccount | null | undefined) => (one?.owner === SYSTEM_PROGRAM_ID ? one.lamports : 0n);
  if (actNamed(action).pays.length === 0) {
    const [[payer], wallet] = await Promise.all([
      fetchAtHead(session, [sponsor ?? account], NO_DATA),
      fetchRent(session, 0),
    ]);
    return { record, ...NO_ACCOUNTS, lamports: lamportsOf(payer), rents: { wallet, tokenAccount: 0n, tombstone: 0n } };
  }
  const { address, mint, tokenProgram, rentPayer } = paymentRef(payment);
  const accounts = await findSideAccounts(payment);
  const vaultAddress = await findVaultAddress({ payment: address, mint, tokenProgram });
  const [[vault, mintAccount, ofSender, ofRecipient], [payer, feePayer]] = await Promise.all([
    fetchAtHead(session, [vaultAddress, mint, accounts.sender, accounts.recipient]),
    fetchAtHead(session, [rentPayer, sponsor ?? account], NO_DATA),
  ]);
  // The mint existed when the payment was made: this node is behind, or wrong.
  if (!mintAccount) throw new NodeError("no mint where one was", { rests: false });
  // Anyone may send lamports to an address before there is a token account.
  const isToken = (one: RawAccount | null | undefined) => one?.owner === tokenProgram;
  const [wallet, tokenAccount, tombstone, least] = await Promise.all(
    [0, associatedAccountSize(mintAccount), TOMBSTONE_ACCOUNT_SIZE, payer?.space ?? 0].map((size) =>
      fetchRent(session, size),
    ),
  );
  return {
    record,
    vault: isToken(vault) ? vault! : null,
    hasAccount: { sender: isToken(ofSender), recipient: isToken(ofRecipient) },
    rentPayer: { lamports: payer?.lamports ?? 0n, least: least! },
    lamports: lamportsOf(feePayer),
    rents: { wallet: wallet!, tokenAccount: tokenAccount!, tombstone: tombstone! },
  };
}
