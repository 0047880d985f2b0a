import type { Database } from "../../../store/database.ts";
import { claimTold } from "../../buyerEmails/fragments.ts";
import type { BuyerCatalogue, BuyerWords, Finders } from "../../emails/email.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { draftNews, findHolding, type NewsDeps } from "../notices/gather.ts";
import { deleteNotices, listDueNotices, NEWS_SECONDS } from "../notices/queries.ts";
import { claimDispute, dueForBuyers, findAddress, purgeAddresses, renewLink } from "./queries.ts";

/** The step that gathers news of disputes into emails to their buyers (§16.8). */
export const createBuyerNewsStep =
  ({ database, environment }: NewsDeps) =>
  async (): Promise<boolean> => {
    await purgeAddresses(database);
    return database.transaction(async (db) => {
      const entered = await claimDispute(db, environment);
      // Where no address was entered on its page, the email goes to the one of the order.
      const claimed = entered ?? (await claimTold(db, environment, dueForBuyers(environment), NEWS_SECONDS));
      if (claimed === null) return false;
      const { businessId, disputeId, intentId, payment } = claimed;
      const recipient = entered?.email ?? intentId;
      const tenant = { businessId, environment };
      const due = await listDueNotices(db, tenant, { side: "buyer", disputeId });
      const news = draftNews(due.filter(({ holds, kind }) => holds && kind !== "opened"));
      const facts = { ...tenant, intentId, payment, news };
      if (news.length > 0) await queueEmails(db, [{ kind: "buyer_news", recipient, source: disputeId, facts }]);
      await deleteNotices(db, tenant, "buyer", due);
      return true;
    });
  };

/** What mailboxes allow (§4.22). */
export interface MailboxDeps {
  /** The confirmed address of an order; null without one. */
  readonly findConfirmed: (intentId: string) => Promise<BuyerWords | null>;
  /** The texts of emails to the buyer of an order. */
  readonly findTexts: (intentId: string) => Promise<BuyerCatalogue>;
  /** True if a press ended all emails to the address. */
  readonly isStopped: (address: string) => Promise<boolean>;
}

/** Finds the news that still holds, and the address that is confirmed: the dispute's own, or that of the order. Null without one. */
export const buyerNewsFinder =
  (database: Database, { findConfirmed, findTexts, isStopped }: MailboxDeps): Finders["buyer_news"] =>
  async (_, { businessId, environment, intentId, news }) => {
    const address = await findAddress(database, { businessId, disputeId: news[0]!.disputeId });
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
    { findTexts, isStopped }: Pick<MailboxDeps, "findTexts" | "isStopped">,
  ): Finders["address_link"] =>
  async ({ recipient }, place) => {
    if (await isStopped(recipient)) return null;
    const made = await renewLink(database, place, recipient);
    if (made === null) return null;
    const { payment, intentId, secret } = made;
    const link = `${checkoutUrl.replace(/\/$/, "")}/pay/p/${payment}/case#confirm=${secret}`;
    return { link, texts: await findTexts(intentId) };
  };
