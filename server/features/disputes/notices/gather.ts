import type { Tenant } from "../../../domain/callers.ts";
import type { Database, Db } from "../../../store/database.ts";
import type { ChainContext } from "../../context.ts";
import type { DisputeNews, Finders } from "../../emails/email.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { listDisputeReaders } from "../../staff/members/fragments.ts";
import type { Side } from "../dispute.ts";
import {
  claimBusiness,
  type DueNotice,
  deleteNotices,
  listDueNotices,
  listHolding,
  purgeNotices,
  releaseBusiness,
} from "./queries.ts";

/** An email tells these facts of its notices. */
export const draftNews = (notices: readonly DueNotice[]): DisputeNews[] =>
  notices.map(({ disputeId, kind, until }) => ({ disputeId, kind, until: until?.toISOString() ?? null }));

/**
 * The step that gathers news of disputes into emails to members (§4.18.11): one for each member with all news of a
 * business.
 */
export const createNewsStep =
  ({ database, chain: { environment } }: ChainContext) =>
  async (): Promise<boolean> => {
    await purgeNotices(database, environment);
    return database.transaction(async (db) => {
      const tenant = await claimBusiness(db, environment);
      if (tenant === null) return false;
      const due = await listDueNotices(db, tenant, { side: "merchant", disputeId: null });
      const holding = due.filter(({ holds }) => holds);
      const readers = holding.length === 0 ? [] : await listDisputeReaders(db, tenant.businessId);
      const emails = readers.flatMap(({ email: recipient, kinds }) => {
        const news = draftNews(holding.filter(({ kind }) => kinds.includes(kind)));
        const source = `${tenant.businessId} ${recipient}`;
        return news.length === 0
          ? []
          : [{ kind: "member_news" as const, recipient, source, facts: { ...tenant, news } }];
      });
      await queueEmails(db, emails);
      await deleteNotices(db, tenant, "merchant", due);
      if (emails.length === 0) await releaseBusiness(db, tenant);
      return true;
    });
  };

/** The news that still holds; null if there is none. */
export async function findHolding(
  db: Db,
  tenant: Tenant,
  side: Side,
  all: readonly DisputeNews[],
): Promise<{ readonly news: readonly DisputeNews[] } | null> {
  const news = all.length === 0 ? [] : await listHolding(db, tenant, side, all);
  return news.length === 0 ? null : { news };
}

/** Finds the news that still holds, as far as the member still wants it. */
export const memberNewsFinder =
  (database: Database): Finders["member_news"] =>
  async ({ recipient }, { businessId, environment, news }) => {
    const reader = (await listDisputeReaders(database, businessId)).find(({ email }) => email === recipient);
    const wanted = news.filter(({ kind }) => reader?.kinds.includes(kind));
    return findHolding(database, { businessId, environment }, "merchant", wanted);
  };
