import type { AddressBook } from "../../../domain/buyerAddress.ts";
import type { Database } from "../../../store/database.ts";
import { claimTold } from "../../buyerEmails/fragments.ts";
import type { ChainContext, Context } from "../../context.ts";
import type { BuyerCatalogue, BuyerWords, Finders } from "../../emails/email.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { draftNews, findHolding } from "../notices/gather.ts";
import { deleteNotices, listDueNotices, NEWS_SECONDS } from "../notices/queries.ts";
import {
  claimDispute,
  type DisputeKey,
  dueForBuyers,
  findAddress,
  listPlainAddresses,
  purgeAddresses,
  renewLink,
  type StoredAddress,
  sealPlainAddress,
} from "./queries.ts";

/** The step that gathers news of disputes into emails to their buyers (§16.8). */
export const createBuyerNewsStep =
  ({ database, chain: { environment } }: ChainContext) =>
  async (): Promise<boolean> =>
    database.transaction(async (db) => {
      const entered = await claimDispute(db, environment);
      // Where no address was entered on its page, the email goes to the one of the order.
      const claimed = entered ?? (await claimTold(db, environment, dueForBuyers(environment), NEWS_SECONDS));
      if (claimed === null) return false;
      const { businessId, disputeId, intentId, payment } = claimed;
      const recipient = entered === null ? intentId : disputeId;
      const tenant = { businessId, environment };
      const due = await listDueNotices(db, tenant, { side: "buyer", disputeId });
      const news = draftNews(due.filter(({ holds, kind }) => holds && kind !== "opened"));
      const facts = { ...tenant, intentId, payment, news };
      if (news.length > 0) await queueEmails(db, [{ kind: "buyer_news", recipient, source: disputeId, facts }]);
      await deleteNotices(db, tenant, "buyer", due);
      return true;
    });

/** The step that deletes addresses whose time is over, and encrypts those of before. `book` null: this process has no keys. */
export const createAddressStep =
  ({ database }: Context, book: AddressBook | null) =>
  async (): Promise<boolean> => {
    await purgeAddresses(database);
    const plain = book === null ? [] : await listPlainAddresses(database);
    for (const one of plain)
      await sealPlainAddress(database, one, {
        sealed: book!.seal(one.businessId, one.email),
        mailbox: await book!.mailboxOf(one.email),
      });
    return plain.length > 0;
  };

/** The address that was entered for a dispute; null without one. */
export async function openEntered(database: Database, book: AddressBook | null, place: DisputeKey) {
  const found = await findAddress(database, place);
  const email = found && openStored(book, place, found);
  return email === null ? null : { email, isConfirmed: found!.isConfirmed };
}

function openStored(book: AddressBook | null, { businessId }: DisputeKey, { plain, sealed }: StoredAddress) {
  if (plain === null && book === null) throw new Error("This process lacks the key for addresses of buyers.");
  return plain ?? book!.open(businessId, sealed);
}

/** What mailboxes allow (§4.22). */
export interface MailboxDeps {
  /** The value is null in a process without keys: these emails fail until another tries them. */
  readonly book: AddressBook | null;
  /** The confirmed address of an order; null without one. */
  readonly findConfirmed: (intentId: string) => Promise<BuyerWords | null>;
  /** The texts of emails to the buyer of an order. */
  readonly findTexts: (intentId: string) => Promise<BuyerCatalogue>;
  /** True if a press ended all emails to the address. */
  readonly isStopped: (address: string) => Promise<boolean>;
}

/** Finds the news that still holds, and the address that is confirmed: the dispute's own, or that of the order. Null without one. */
export const buyerNewsFinder =
  (database: Database, { book, findConfirmed, findTexts, isStopped }: MailboxDeps): Finders["buyer_news"] =>
  async (_, { businessId, environment, intentId, news }) => {
    const address = await openEntered(database, book, { businessId, disputeId: news[0]!.disputeId });
    const words = address === null ? await findConfirmed(intentId) : null;
    const to = address?.isConfirmed ? address.email : words?.to;
    if (to === undefined || (words === null && (await isStopped(to)))) return null;
    const held = await findHolding(database, { businessId, environment }, "buyer", news);
    return held && { ...held, to, words, texts: words?.texts ?? (await findTexts(intentId)) };
  };

/** Makes the link that confirms an address. */
export const addressLinkFinder =
  (
    database: Database,
    checkoutUrl: string,
    { book, findTexts, isStopped }: Omit<MailboxDeps, "findConfirmed">,
  ): Finders["address_link"] =>
  async (_, { mailbox = null, ...place }) => {
    const made = await renewLink(database, place, mailbox);
    const to = made && openStored(book, place, made);
    if (made === null || to === null || (await isStopped(to))) return null;
    const { payment, intentId, secret } = made;
    const link = `${checkoutUrl.replace(/\/$/, "")}/pay/p/${payment}/case#confirm=${secret}`;
    return { to, link, texts: await findTexts(intentId) };
  };
