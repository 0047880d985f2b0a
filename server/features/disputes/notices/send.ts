import { listDisputeReaders } from "../../staff/members/fragments.ts";
import { draftLetter, type NoticeDeps } from "./letter.ts";
import { claimBusiness, deleteNotices, listDueNotices, purgeNotices, releaseBusiness } from "./queries.ts";

/** Sending stops here, well before another worker may claim the business. */
const SENDING_MS = 600_000;

/**
 * The step that writes to members about disputes (§4.18.11): one letter per member with all news of a business. The news
 * is deleted once a letter was taken; a crash in between costs a second letter, never one that is lost. A mail server
 * that takes no letter is asked again a quarter of an hour later.
 */
export function createNoticeStep(deps: NoticeDeps & { readonly dashboardUrl: string }): () => Promise<boolean> {
  const { database, environment, mailer, log } = deps;
  return async () => {
    await purgeNotices(database, environment);
    const tenant = await claimBusiness(database, environment);
    if (tenant === null) return false;
    const due = await listDueNotices(database, tenant, { side: "merchant", disputeId: null });
    const news = due.filter(({ holds }) => holds);
    const readers = mailer === null || news.length === 0 ? [] : await listDisputeReaders(database, tenant.businessId);
    const [endsAt, failures] = [Date.now() + SENDING_MS, [] as unknown[]];
    let tried = 0;
    for (const { email, kinds } of readers) {
      const chosen = news.filter(({ kind }) => kinds.includes(kind));
      if (chosen.length === 0 || Date.now() > endsAt) continue;
      tried++;
      const draft = draftLetter(chosen, deps.dashboardUrl, tenant);
      await mailer!({ to: email, ...draft }).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) log(`${failures.length} letters about disputes could not be sent.`, failures[0]);
    if (tried === 0 || failures.length < tried) await deleteNotices(database, tenant, "merchant", due);
    if (tried === 0) await releaseBusiness(database, tenant);
    return true;
  };
}
