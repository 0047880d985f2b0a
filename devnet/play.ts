import { findPaymentAddress } from "@holdfast/escrow-client";
import { type Address, address } from "@solana/kit";
import {
  actOnPayment,
  type Done,
  fundBuyer,
  type IntentTerms,
  type Market,
  type PaymentAction,
  payIntent,
  readPayment,
} from "./buyer.ts";
import { BUYER_NAMES, type Wallets } from "./chain.ts";
import { callRpc } from "./client.ts";
import type { LocalWallet } from "./wallets.ts";

/** An intent as the API shows it, as far as a buyer needs it. */
export interface ShownIntent extends IntentTerms {
  readonly id: string;
  readonly expiresAt: string;
  readonly payment: { readonly id: string } | null;
}

/** A chain with the wallets of everybody who acts on a payment. */
export interface Stage extends Market {
  readonly wallets: Wallets;
  /** Moves the clock of chain and service together. */
  readonly advance: (seconds: number) => Promise<unknown>;
}

/** One act of a local player. */
export interface Play {
  readonly action: "pay" | Exclude<PaymentAction, "settle" | "refund_unresolved">;
  /** Pays as a buyer who has not paid the intent yet; another action is meant for the newest such payment. */
  readonly again?: boolean;
  /** Moves the clock beyond the intent's expiry, then pays. */
  readonly late?: boolean;
  /** Pays another amount than the intent's, in smallest units. */
  readonly amount?: string;
  /** The buyer's total in the end, for `refund` (default: all) and `resolve_split`. */
  readonly total?: bigint;
  /** Of a ruling: leaves the payouts to the keeper. */
  readonly decideOnly?: boolean;
}

const ACTIONS: Readonly<Record<Play["action"], true>> = {
  ...{ pay: true, dispute: true, release: true, refund: true, close: true },
  ...{ resolve_release: true, resolve_refund: true, resolve_split: true },
};
export const isAction = (text: unknown): text is Play["action"] =>
  typeof text === "string" && Object.hasOwn(ACTIONS, text);

/** Plays a buyer, the recipient or the arbiter of an intent by a real transaction, and waits until it is confirmed. */
export const play = (stage: Stage, intent: ShownIntent, asked: Play): Promise<Done> =>
  asked.action === "pay" ? pay(stage, intent, asked) : act(stage, intent, asked.action, asked);

/** The local buyers with the address of the payment each makes, or made, for the intent. */
async function listBuyers({ rpcUrl, programId, operator, wallets }: Stage, intent: ShownIntent) {
  const paymentId = BigInt(intent.paymentId);
  return Promise.all(
    BUYER_NAMES.map(async (name) => {
      const wallet = wallets[name];
      const payment = await findPaymentAddress({ programId, operator, sender: wallet.address, paymentId });
      return { name, wallet, payment, hasPaid: (await readPayment(rpcUrl, payment)) !== null };
    }),
  );
}

async function pay(stage: Stage, intent: ShownIntent, { again, late, amount }: Play): Promise<Done> {
  const buyers = await listBuyers(stage, intent);
  const buyer = again ? buyers.slice(1).find((one) => !one.hasPaid) : buyers[0];
  if (!buyer) throw new Error("every local buyer has paid this intent already");
  if (buyer.hasPaid) throw new Error(`${buyer.name} has paid this intent already; --again pays as another buyer`);
  const expiresAt = Date.parse(intent.expiresAt);
  if (late) {
    const { now } = await callRpc<{ now: string }>(stage.rpcUrl, "devnet_clock", []);
    const missing = Math.floor((expiresAt - Date.parse(now)) / 1000) + 2;
    if (missing > 0) await stage.advance(missing);
  }
  const terms = { ...intent, amount: amount ?? intent.amount };
  await fundBuyer(stage.rpcUrl, buyer.wallet.address, intent.asset, BigInt(terms.amount));
  return payIntent(stage, buyer.wallet, terms, { notAfter: late ? 0 : expiresAt / 1000 });
}

async function act(
  stage: Stage,
  intent: ShownIntent,
  action: Exclude<Play["action"], "pay">,
  { again = false, total, decideOnly = false }: Play,
): Promise<Done> {
  const payment = await findTarget(stage, intent, again);
  const account = await readPayment(stage.rpcUrl, payment);
  if (!account) throw new Error("this intent has no payment to act on");
  const signer = action.startsWith("resolve")
    ? account.arbiter
    : action === "refund"
      ? account.recipient
      : account.sender;
  return actOnPayment(stage, holderOf(stage, signer), action, payment, {
    rulingAlone: true,
    decideOnly,
    ...(total === undefined ? {} : { total }),
  });
}

async function findTarget(stage: Stage, intent: ShownIntent, again: boolean): Promise<Address> {
  if (intent.payment && !again) return address(intent.payment.id);
  const paid = (await listBuyers(stage, intent)).filter(
    (buyer) => buyer.hasPaid && buyer.payment !== intent.payment?.id,
  );
  const target = again ? paid.at(-1) : paid[0];
  if (!target) throw new Error("no local buyer has paid this intent");
  return target.payment;
}

function holderOf({ wallets }: Stage, owner: string): LocalWallet {
  const wallet = Object.values(wallets).find((one) => one.address === owner);
  if (!wallet) throw new Error(`no wallet of this instance has the key of ${owner}`);
  return wallet;
}
