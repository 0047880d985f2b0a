import type { SignedTransaction, TermsText } from "../../../chain/builder.ts";
import { isHeld } from "../../../chain/chain.ts";
import { awaitFinality, type Finality, fetchFinality } from "../../../chain/finality.ts";
import { readDeadline } from "../../../chain/port.ts";
import { isIntentId, newTermsNonce } from "../../../domain/ids.ts";
import type { JsonText } from "../../../domain/show.ts";
import { noPayment } from "../../../edge/acts/refusals.ts";
import { tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Reply } from "../../../edge/http/route.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { Payment } from "../../payments/payment.ts";
import type { BuyerContext } from "../context.ts";
import { termsOf } from "../paying/build.ts";
import { held, requirePayable } from "../paying/refusals.ts";
import { submitTransaction } from "../paying/submit.ts";
import { countUse, ratesOfBuild } from "../rates.ts";
import type { LookUps } from "../receipt/find.ts";
import { findOrder, type Order } from "./queries.ts";
import { faultOf, type Payload, parsePayload, showPaymentRequired, showSettled } from "./requirements.ts";

/** The time in which a payment may become final while its request waits. */
const WAIT_MS = 15_000;
/** Requests of one process that wait. Beyond them a payment is sent, and its request is to be repeated. */
const WAITING_MAX = 200;
const RECORD_MS = 10_000;
/** Refusals of a transaction after which the payer may sign another one. */
const SIGNED_AGAIN = new Set(["invalid_transaction", "simulation_failed", "expired"]);

/** Answers those who pay intents by x402. */
export function createX402(ctx: BuyerContext, lookUps: LookUps) {
  const running = new Map<string, Promise<Reply>>();
  /** Repeats at the same time wait for the same answer. */
  async function settleOnce(order: Order, payload: Payload, network: string | null): Promise<Reply> {
    const name = `${order.intent.id} ${JSON.stringify(payload)}`;
    const current = running.get(name) ?? settle(ctx, order, payload, { network, mayWait: running.size < WAITING_MAX });
    running.set(name, current);
    try {
      return await current;
    } finally {
      running.delete(name);
    }
  }
  return {
    /** Answers a request for an intent. Strangers get the offer, for which nothing is written. */
    async answer(intentId: string, header: unknown, network: string): Promise<Reply> {
      const order = await requireOrder(ctx, intentId);
      if (header === undefined) return offer(ctx, order, null);
      const payload = parsePayload(String(header), order);
      if (payload.kind !== "signature" || madeBy(order, payload.signature) !== null)
        return settleOnce(order, payload, network);
      const waitSeconds = lookUps.use(network);
      if (waitSeconds !== null) throw tooMany(waitSeconds);
      return lookUps.run(() => settleOnce(order, payload, network));
    },
    /** Settles the payment of an intent that was made for it. A merchant asks, within the rate of its key. */
    settle: async (intentId: string, payload: Payload): Promise<Reply> =>
      settleOnce(await requireOrder(ctx, intentId), payload, null),
  };
}
export type X402 = ReturnType<typeof createX402>;

async function requireOrder({ database }: BuyerContext, intentId: string): Promise<Order> {
  const order = isIntentId(intentId) ? await findOrder(database, intentId) : null;
  if (order === null) throw noPayment();
  return order;
}

/** Drafts the terms text that an intent has now. */
async function draftTerms(ctx: BuyerContext, order: Order, nonce: string) {
  const arbiter = requireArbiter(ctx, order);
  return {
    arbiter,
    terms: await ctx.chainOf(order.intent.environment).builder.draftTerms(termsOf(order, nonce), arbiter),
  };
}

/** The arbiter of new payments. Throws `checkout_held`. */
function requireArbiter({ chainOf }: BuyerContext, { intent: { environment } }: Order): string {
  const chain = chainOf(environment);
  const { arbiter } = chain.deployment;
  if (arbiter === null || isHeld(chain, arbiter)) throw held();
  return arbiter;
}

/** Offers the payment. `error`: the reason why the last payload was refused. Throws if the intent can no longer be paid. */
async function offer(ctx: BuyerContext, order: Order, error: string | null): Promise<Reply> {
  requirePayable(order);
  const drafted = await draftTerms(ctx, order, order.termsNonce ?? newTermsNonce());
  return showPaymentRequired(order, { ...drafted, error }, ctx.checkoutUrl);
}

const offerAgain = async (ctx: BuyerContext, { intent }: Order, error: string): Promise<Reply> =>
  offer(ctx, await requireOrder(ctx, intent.id), error);

const pending = (transaction: string) =>
  new BuyerError("payment_pending", (texts) => texts.x402.pending, {
    details: { transaction },
    retryAfterSeconds: 2,
  });

const madeBy = ({ payments }: Order, signature: string) => payments.find((one) => one.signature === signature) ?? null;

interface Asking {
  /** The network of a stranger; null for a merchant. */
  readonly network: string | null;
  /** True if there is room to wait for finality. */
  readonly mayWait: boolean;
}

async function settle(ctx: BuyerContext, order: Order, payload: Payload, { network, mayWait }: Asking): Promise<Reply> {
  const { environment } = order.intent;
  const { builder } = ctx.chainOf(environment);
  const signed = payload.kind === "signature" ? null : await builder.readSigned(payload.transaction);
  if (signed?.kind === "invalid") return offer(ctx, order, `invalid_transaction: ${signed.reason}`);
  const signature = payload.kind === "signature" ? payload.signature : signed!.signature;
  const isKnown = madeBy(order, signature) !== null;
  const isSent = payload.kind !== "signature" && !isKnown;
  if (isSent) {
    const refusal = await handInUnlessLanded(ctx, order, payload, signed!, network);
    if (refusal !== null) return offerAgain(ctx, order, refusal);
    failpoint("agent.after_submit");
  }
  // Anybody can name a signature: its request takes no place of those that wait.
  const until = mayWait && (isKnown || isSent) ? AbortSignal.timeout(WAIT_MS) : AbortSignal.abort();
  const finality = await awaitFinality(ctx.chainOf(environment).reader, signature, { isSent, until });
  if (finality === "final") return answerFinal(ctx, order, payload, signature);
  const refusal = await refusalOf(finality, () =>
    payload.kind === "signature"
      ? builder.canSignatureLand(signature, readDeadline())
      : builder.canStillLand(payload.transaction, readDeadline()),
  );
  if (refusal === null) throw pending(signature);
  return offerAgain(ctx, order, refusal);
}

async function refusalOf(finality: Finality, canStillLand: () => Promise<boolean>): Promise<string | null> {
  if (finality === "failed") return "failed: the transaction failed on chain, and nothing was paid";
  return finality === "unknown" && !(await canStillLand()) ? "expired: the transaction did not land in time" : null;
}

/** The same as {@link handIn}, but for a transaction that was sent before and has landed: then it goes on as sent. */
async function handInUnlessLanded(...given: Parameters<typeof handIn>): Promise<string | null> {
  const [ctx, { intent }, , { payments, signature }] = given;
  const hasLanded = async () =>
    payments.some(({ paymentId }) => paymentId === intent.paymentId) &&
    (await fetchFinality(ctx.chainOf(intent.environment).reader, signature)) !== "unknown";
  try {
    const refusal = await handIn(...given);
    return refusal === null || (await hasLanded()) ? null : refusal;
  } catch (error) {
    if (error instanceof BuyerError && (await hasLanded())) return null;
    throw error;
  }
}

/** Has the transaction sent, if it pays the order and nothing else. Returns the reason why it is refused; null if it is not. */
async function handIn(
  ctx: BuyerContext,
  order: Order,
  payload: Exclude<Payload, { readonly kind: "signature" }>,
  signed: SignedTransaction,
  network: string | null,
): Promise<string | null> {
  requirePayable(order);
  const drafted =
    payload.kind === "offered"
      ? { arbiter: requireArbiter(ctx, order), terms: payload.terms }
      : await draftTerms(ctx, order, payload.nonce);
  const fault = faultOf(signed, order, drafted);
  if (fault !== null) return fault;
  const { environment, recipient, asset, amount } = order.intent;
  // Each sender is a new question to the operator's screening, as with builds.
  const rates = ratesOfBuild(order.intent.id);
  const waitSeconds = network === null ? null : await countUse(ctx.database, network, rates);
  if (waitSeconds !== null) throw tooMany(waitSeconds);
  try {
    await ctx.screen({ environment, sender: signed.payments[0]!.sender, recipient, asset, amount });
    await submitTransaction(ctx, order.intent.id, payload.transaction, drafted.terms);
    return null;
  } catch (error) {
    // Another request may have been first with this transaction.
    if (madeBy(await requireOrder(ctx, order.intent.id), signed.signature) !== null) return null;
    if (error instanceof BuyerError && SIGNED_AGAIN.has(error.code)) return `${error.code}: ${error.message}`;
    throw error;
  }
}

/** Answers for a final transaction: from now on the receipt is the same. */
async function answerFinal(ctx: BuyerContext, order: Order, payload: Payload, signature: string): Promise<Reply> {
  const { intent } = order;
  const isRecorded =
    madeBy(order, signature) !== null ||
    (await ctx.recordTransaction(intent.environment, signature, AbortSignal.timeout(RECORD_MS)));
  if (!isRecorded) throw pending(signature);
  const after = await requireOrder(ctx, intent.id);
  const payment = madeBy(after, signature);
  if (payment === null)
    return offer(ctx, after, "mismatch: the transaction made no payment on the terms of this intent");
  if (payment.role !== "primary" || payment.overLimit)
    throw new BuyerError("paid", (texts) => texts.x402.paidBefore, {
      details: { payment: payment.id },
    });
  const fault = payload.kind === "offered" ? faultOfBought(payment, payload.terms) : null;
  if (fault !== null) return { status: 402, body: JSON.stringify({ error: fault }) as JsonText };
  return showSettled(after, payment, ctx.checkoutUrl);
}

/**
 * The reason why a payment buys no call: it names other terms than the offer, the money may go back, or the payer can no longer
 * dispute. Null: it does.
 */
function faultOfBought({ status, refundTotal, termsHash }: Payment, { hash }: TermsText): string | null {
  if (termsHash !== hash) return "mismatch: terms";
  if (status === "disputed") return "disputed: the payment is in dispute";
  if (refundTotal !== "0") return "refunded: the payment goes back, or a part of it";
  return status === "protected" ? null : `${status}: the payment has ended`;
}
