import { amountText, inOne } from "@holdfast/ui/amount.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Sealing } from "../../domain/sealing.ts";
import type { Environment } from "../../domain/terms.ts";
import { symbolOf } from "../../domain/tokens.ts";
import type { Languages } from "../../edge/buyer/languages.ts";
import type { Db } from "../../store/database.ts";
import type { ChainContext, Context } from "../context.ts";
import type { BuyerCatalogue, BuyerWords, Finders } from "../emails/email.ts";
import { queueEmails } from "../emails/fragments.ts";
import { receiptUrlOf } from "../payments/payment.ts";
import { openAddress, requireSecret } from "./actions.ts";
import { canObject, eraseFrom, hashMailbox, hashPerson, holdsNotice, keyOfMailbox } from "./buyerEmail.ts";
import {
  type Addressed,
  type ClaimedNotice,
  claimNotice,
  countRequest,
  countUpdate,
  deleteNotice,
  findMailbox,
  languagesOf,
  parkNotice,
  postponeNotice,
  postponeRequest,
  readAddressed,
  readSpoken,
  type Spoken,
  sourceOf,
  useMailbox,
  wasAsked,
} from "./queries.ts";

/**
 * The step that turns a notice that is due into an email, if its mailbox was confirmed, or asks for that
 * (§4.22). The email is queued in the transaction that deletes the notice.
 */
export const createBuyerEmailStep =
  ({ database, chain: { environment }, log }: ChainContext, sealing: Sealing) =>
  async (): Promise<boolean> =>
    database.transaction(async (db) => {
      const notice = await claimNotice(db, environment);
      if (notice === null) return false;
      try {
        await follow(db, sealing, notice, environment);
      } catch (error) {
        // Its key is missing: the others go on.
        if (!(error instanceof ApiError)) throw error;
        log(`The address of ${notice.intentId} cannot be opened.`, error);
        await postponeNotice(db, notice);
      }
      return true;
    });

async function follow(db: Db, sealing: Sealing, notice: ClaimedNotice, environment: Environment): Promise<void> {
  const { businessId, intentId, kind } = notice;
  const [addressed] = await readAddressed(db, [intentId]);
  const address = addressed === undefined ? null : openAddress(sealing, addressed);
  if (addressed === undefined || address === null) return void (await deleteNotice(db, notice));
  const secret = await requireSecret(db, sealing);
  const hash = hashMailbox(secret, address);
  const mailbox = await useMailbox(db, addressed, hash);
  if (mailbox === null) return void (await deleteNotice(db, notice));
  const { isConfirmed, isStopped } = mailbox;
  const facts = { businessId, environment, intentId };
  // The address is found again when the email is sent, and stands in no row of its own.
  const row = { recipient: intentId, source: sourceOf(environment, businessId) };
  if (isConfirmed && (await countUpdate(db, businessId, hash)))
    await queueEmails(db, [{ ...row, kind: "buyer_update", facts: { ...facts, notice: kind } }]);
  if (isConfirmed || isStopped) return void (await deleteNotice(db, notice));
  if (kind !== "paid" || (await wasAsked(db, notice, hash))) return void (await parkNotice(db, notice));
  if (!(await countRequest(db, addressed, hash, hashPerson(secret, address))))
    return void (await postponeRequest(db, environment, notice));
  await parkNotice(db, notice);
  await queueEmails(db, [{ ...row, kind: "buyer_confirmation", facts: { ...facts, mailbox: hash.toString("hex") } }]);
}

/** The languages of a deployment, as emails to buyers speak them. */
export type BuyerLanguages = Languages<{ readonly tag: string; readonly emails: BuyerCatalogue }>;

/** The texts in the language of the intent, else of the business. */
const textsFor = (languages: BuyerLanguages, spoken: Spoken): BuyerCatalogue =>
  languages.choose(languagesOf(spoken)).emails;

/** The texts for the buyer of an intent. */
export async function findTexts({ database }: Context, languages: BuyerLanguages, intentId: string) {
  const [found] = await readSpoken(database, [intentId]);
  return found === undefined ? languages.all[0].emails : textsFor(languages, found);
}

/** The link and the words of every email to a buyer; null if the address was erased. */
async function wordsFor(ctx: Context, languages: BuyerLanguages, addressed: Addressed): Promise<BuyerWords | null> {
  const { database, sealing } = ctx;
  if (sealing === null) throw new Error("This process lacks the key for addresses of buyers.");
  const { business, payment, intent } = addressed;
  const to = openAddress(sealing, addressed);
  if (to === null || payment === null) return null;
  const secret = await requireSecret(database, sealing);
  const checkoutUrl = ctx.checkoutUrl.replace(/\/$/, "");
  return {
    to,
    replyTo: business.emailReplyTo,
    shop: business.emailName ?? business.name,
    line: business.emailLine,
    environment: intent.environment,
    consent: `${checkoutUrl}/pay/emails?key=${keyOfMailbox(secret, hashMailbox(secret, to))}`,
    erasedFrom: eraseFrom(payment).toISOString(),
    texts: textsFor(languages, addressed),
  };
}

/** Finds the words of a request for a confirmation, unless the mailbox has answered, or the address names another by now. */
export const buyerConfirmationFinder =
  (ctx: Context, languages: BuyerLanguages): Finders["buyer_confirmation"] =>
  async (_, { intentId, mailbox }) => {
    const [found] = await readAddressed(ctx.database, [intentId]);
    const isAsked = found?.address.mailbox === mailbox && !found.address.isConfirmed && !found.address.isStopped;
    const words = isAsked ? await wordsFor(ctx, languages, found) : null;
    // An answer would hand the shop the link by which the mailbox is confirmed.
    return words && { ...words, replyTo: null };
  };

/** Finds the facts of an email about a payment, as far as the notice holds and the mailbox is still confirmed. */
export const buyerUpdateFinder =
  (ctx: Context, languages: BuyerLanguages): Finders["buyer_update"] =>
  async (_, { intentId, notice }) => {
    const [found] = await readAddressed(ctx.database, [intentId]);
    if (found === undefined || !found.address.isConfirmed) return null;
    const { payment, token, now } = found;
    if (payment === null || !holdsNotice(notice, payment, now)) return null;
    const words = await wordsFor(ctx, languages, found);
    if (words === null) return null;
    const show = (amount: string) =>
      inOne(amountText(words.texts, amount, { symbol: symbolOf(payment.asset), decimals: token.decimals }));
    return {
      ...words,
      amount: show(payment.amount),
      rest: show(String(BigInt(payment.amount) - BigInt(payment.refundTotal))),
      refunded: show(payment.amountRefunded),
      until: payment.protectionDeadline.toISOString(),
      canObject: canObject(payment, now),
      isLate: payment.lateReason !== null && payment.lateReason !== "found_after_expiry",
      receipt: receiptUrlOf(payment, ctx.checkoutUrl.replace(/\/$/, "")),
    };
  };

/** True if a press ended all emails to an address. A process without keys cannot know. */
export async function isStopped({ database, sealing }: Context, address: string): Promise<boolean> {
  if (sealing === null) return false;
  const found = await findMailbox(database, hashMailbox(await requireSecret(database, sealing), address));
  return found?.isStopped ?? false;
}

/** The confirmed address of an intent's buyer, with the link that ends its emails; null without one. */
export async function findConfirmed(
  ctx: Context,
  languages: BuyerLanguages,
  intentId: string,
): Promise<BuyerWords | null> {
  const [found] = await readAddressed(ctx.database, [intentId]);
  return found === undefined || !found.address.isConfirmed ? null : wordsFor(ctx, languages, found);
}
