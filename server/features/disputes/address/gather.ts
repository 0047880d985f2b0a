import type { Database } from "../../../store/database.ts";
import type { Finders } from "../../emails/email.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { draftNews, findHolding, type NewsDeps } from "../notices/gather.ts";
import { deleteNotices, listDueNotices } from "../notices/queries.ts";
import { claimDispute, findAddress, purgeAddresses, renewLink } from "./queries.ts";

/** The step that gathers news of disputes into emails to their buyers (§16.8). */
export const createBuyerNewsStep =
  ({ database, environment }: NewsDeps) =>
  async (): Promise<boolean> => {
    await purgeAddresses(database);
    return database.transaction(async (db) => {
      const claimed = await claimDispute(db, environment);
      if (claimed === null) return false;
      const { businessId, disputeId, email: recipient, payment } = claimed;
      const tenant = { businessId, environment };
      const due = await listDueNotices(db, tenant, { side: "buyer", disputeId });
      const news = draftNews(due.filter(({ holds, kind }) => holds && kind !== "opened"));
      const facts = { ...tenant, payment, news };
      if (news.length > 0) await queueEmails(db, [{ kind: "buyer_news", recipient, source: disputeId, facts }]);
      await deleteNotices(db, tenant, "buyer", due);
      return true;
    });
  };

/** Finds the news that still holds, and the address that is confirmed; null without one. */
export const buyerNewsFinder =
  (database: Database): Finders["buyer_news"] =>
  async (_, { businessId, environment, news }) => {
    const address = await findAddress(database, { businessId, disputeId: news[0]!.disputeId });
    if (address === null || !address.isConfirmed) return null;
    const held = await findHolding(database, { businessId, environment }, "buyer", news);
    return held && { ...held, to: address.email };
  };

/** Makes the link that confirms an address. */
export const addressLinkFinder =
  (database: Database, checkoutUrl: string): Finders["address_link"] =>
  async ({ recipient }, place) => {
    const made = await renewLink(database, place, recipient);
    if (made === null) return null;
    const { payment, secret } = made;
    return { link: `${checkoutUrl.replace(/\/$/, "")}/pay/p/${payment}/case#confirm=${secret}` };
  };
