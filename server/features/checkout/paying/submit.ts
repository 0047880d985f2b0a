import type { ChainBuilder, SignedPayment, SignedTransaction, TermsText } from "../../../chain/builder.ts";
import type { TransactionLife } from "../../../chain/lifetime.ts";
import { readDeadline, unlessAway } from "../../../chain/port.ts";
import { mismatches } from "../../../domain/terms.ts";
import { failedPayment, tooLate } from "../../../edge/acts/refusals.ts";
import { fetchActLife } from "../../../edge/acts/steps.ts";
import { tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Database, Db } from "../../../store/database.ts";
import type { Intent } from "../../intents/intent.ts";
import { askPlace, takeSeat } from "../../links/fragments.ts";
import type { BuyerContext } from "../context.ts";
import { complete } from "../sponsoring/cosign.ts";
import { requireView } from "./build.ts";
import { requireSeat } from "./place.ts";
import { isTermsKept, type PayableView, type SentAttempt, saveSent } from "./queries.ts";
import { requirePayable } from "./refusals.ts";

/**
 * Accepts a transaction that a wallet signed, and sends it until it lands or no longer can. Wallets change
 * transactions, so only the effect counts: it must make this intent's payment, on the terms that buyers were shown.
 * `offered`: the terms text that this payer was shown and that is kept only now, with a transaction that can land.
 */
export async function submitTransaction(
  ctx: BuyerContext,
  intentId: string,
  given: string | null,
  offered: TermsText | null = null,
): Promise<string> {
  const view = await requireView(ctx.database, intentId);
  requirePayable(view);
  const { intent } = view;
  const { builder } = ctx.chainOf(intent.environment);
  const transaction = given && (await complete(ctx, builder, intent, given));
  if (transaction === null) throw new BuyerError("invalid_transaction", (texts) => texts.notSigned);
  const signed = await builder.readSigned(transaction);
  if (signed.kind === "invalid")
    throw new BuyerError("invalid_transaction", (texts) => texts.notSigned, { details: { reason: signed.reason } });
  const sent = await readSent(ctx.database, intent, signed, transaction, offered);
  if (sent === null) throw new BuyerError("invalid_transaction", (texts) => texts.notThisPayment);
  if (sent.until < view.now) throw failedPayment("offer_expired: the time for this payment has passed");

  const trial = await builder.tryTransaction(transaction, readDeadline());
  if (trial.kind === "would_fail") throw failedPayment(trial.reason);
  if (trial.kind === "ended") throw tooLate();
  const canLand = trial.kind === "would_land";
  // No node knows its blockhash: nothing is kept of it, and another one can be signed.
  if (!canLand && offered !== null) throw tooLate();
  // Written first, so that a crash before it is sent sends it later instead of never.
  const followIn = (db: Db) => follow(db, view, { ...sent, canLand });
  const hasSeat = await requireSeat(view, sent.account!, (request) =>
    canLand ? holdPlace(ctx, { ...request, until: sent.until }, followIn) : askPlace(ctx.database, request),
  );
  if (!(hasSeat && canLand)) await followIn(ctx.database);
  await sendFirst(ctx, builder, transaction);
  return sent.signature;
}

const holdPlace = (
  { database, seats }: BuyerContext,
  request: Parameters<typeof takeSeat>[1],
  followIn: (db: Db) => Promise<void>,
) => seats.run(request.linkId, () => takeSeat(database, request, followIn));

/** The attempt of a signed transaction; null if it does not make the intent's payment on terms that were shown. */
async function readSent(
  database: Database,
  intent: Intent,
  { signature, payments }: SignedTransaction,
  transaction: string,
  offered: TermsText | null = null,
): Promise<Omit<SentAttempt, "canLand"> | null> {
  const payment = payments.find((one) => paysIntent(intent, one));
  if (payment === undefined || !isInTime(intent, payment)) return null;
  const sent = { signature, account: payment.sender, until: payment.notAfter!, transaction };
  if (offered !== null && payment.termsHash === offered.hash) return { ...sent, terms: offered };
  return (await isShown(database, intent, payment)) ? sent : null;
}

/** The relay tries again, so a failing node is no reason to report an error. */
const sendFirst = ({ log }: BuyerContext, builder: ChainBuilder, transaction: string): Promise<void> =>
  builder
    .sendTransaction(transaction, readDeadline())
    .catch((error: unknown) => log("A signed transaction could not be sent at once; the relay tries again.", error));

const paysIntent = (intent: Intent, payment: SignedPayment): boolean =>
  payment.paymentId === intent.paymentId && mismatches(intent, payment).length === 0;

const isInTime = ({ expiresAt }: Intent, { notAfter }: SignedPayment): boolean =>
  notAfter !== null && notAfter <= expiresAt;

const isShown = async (database: Database, intent: Intent, { termsHash }: SignedPayment): Promise<boolean> =>
  termsHash !== null && isTermsKept(database, intent, termsHash);

/**
 * Judges a transaction of the intent. Of one that a wallet may have sent without an answer, nobody knows the signature:
 * then the payment that it makes is looked for, once its time is over.
 */
export async function fetchPaymentLife(
  { database, chainOf }: BuyerContext,
  intentId: string,
  { transaction, payment }: { readonly transaction: string | null; readonly payment: string | null },
): Promise<TransactionLife> {
  const { intent } = await requireView(database, intentId);
  const deadline = readDeadline();
  const life = await fetchActLife(chainOf(intent.environment).builder, transaction, "buyer", deadline);
  if (life.kind !== "ended" || payment === null) return life;
  const { value } = await chainOf(intent.environment).reader.fetchPayments([payment], {
    ...deadline,
    minSlot: life.slot,
  });
  return value[0] === null ? life : { kind: "landed" };
}

/** A report is followed for this long at most; heights of blocks end it earlier. */
const REPORTED_MS = 150_000;

/**
 * Follows a transaction that a wallet sent itself: the relay asks the chain about its signature. This is accepted even
 * if the intent was paid, canceled or expired while the wallet was open: the payment may be on its way, so its buyer
 * must not be sent to a new link. No built transaction lands after the time to pay.
 *
 * Anyone with the link can name any signature, and sign for a wallet without money, so a signature alone is shown as a
 * report. `transaction`, the built one with this signature, proves it if the wallet changed nothing and a node says
 * that it can land: then every page says that a payment is on its way, and the relay sends it too.
 */
export async function reportSignature(
  ctx: BuyerContext,
  intentId: string,
  signature: string,
  transaction: string | null,
): Promise<void> {
  const view = await requireView(ctx.database, intentId);
  if (view.now.getTime() > view.intent.expiresAt.getTime() + REPORTED_MS) requirePayable(view);
  const until = new Date(view.now.getTime() + REPORTED_MS);
  const proven = await prove(ctx, view, signature, transaction);
  const followIn = (db: Db) =>
    follow(db, view, proven ?? { signature, account: null, until, transaction: null, canLand: false });
  // The wallet has sent it: without a place it may land all the same.
  if (proven?.canLand && view.linkId !== null) {
    const { businessId, environment, id } = view.intent;
    const place = { businessId, environment, linkId: view.linkId, intentId: id, wallet: proven.account! };
    if ((await holdPlace(ctx, { ...place, until: proven.until }, followIn)) === "taken") return;
  }
  await followIn(ctx.database);
}

async function prove(
  { database, chainOf }: BuyerContext,
  { intent, now }: PayableView,
  signature: string,
  transaction: string | null,
): Promise<SentAttempt | null> {
  if (transaction === null) return null;
  const { builder } = chainOf(intent.environment);
  const signed = await builder.readSigned(transaction);
  if (signed.kind === "invalid" || signed.signature !== signature) return null;
  const sent = await readSent(database, intent, signed, transaction);
  if (sent === null || sent.until < now) return null;
  const trial = await unlessAway(builder.tryTransaction(transaction, readDeadline()));
  if (trial?.kind === "would_fail" || trial?.kind === "ended") return null;
  if (trial?.kind === "would_land") return { ...sent, canLand: true };
  // A transaction that no node could try stays a report until a node of the relay can.
  return { ...sent, until: new Date(Math.min(sent.until.getTime(), now.getTime() + REPORTED_MS)), canLand: false };
}

async function follow(db: Db, { intent, now }: PayableView, sent: SentAttempt): Promise<void> {
  if (!(await saveSent(db, intent, sent, now))) throw tooMany(FULL_SECONDS);
}
/** The attempts that are followed end within minutes. */
const FULL_SECONDS = 60;
