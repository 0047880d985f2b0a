import type { DisputeNotice } from "../../../domain/notices.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Log } from "../../../lib/log.ts";
import type { Database } from "../../../store/database.ts";
import { listDisputeReaders } from "../../staff/members/fragments.ts";
import { claimBusiness, deleteNotices, listDueNotices, purgeNotices, releaseBusiness } from "./queries.ts";

export interface NoticeDeps {
  readonly database: Database;
  readonly environment: Environment;
  readonly dashboardUrl: string;
  /** Sends a letter within its own time limit; null: no mail is set up, and news is not kept. */
  readonly mailer:
    | ((letter: { readonly to: string; readonly subject: string; readonly text: string }) => Promise<void>)
    | null;
  readonly log: Log;
}

/** Sending stops here, well before another worker may claim the business. */
const SENDING_MS = 600_000;

/**
 * The step that writes to members about disputes (§4.18.11): one letter per member with all news of a business. The news
 * is deleted once a letter was taken; a crash in between costs a second letter, never one that is lost. A mail server
 * that takes no letter is asked again a quarter of an hour later.
 */
export function createNoticeStep(deps: NoticeDeps): () => Promise<boolean> {
  const { database, environment, mailer, log } = deps;
  return async () => {
    await purgeNotices(database, environment);
    const tenant = await claimBusiness(database, environment);
    if (tenant === null) return false;
    const due = await listDueNotices(database, tenant);
    const news = due.filter(({ holds }) => holds);
    const readers = mailer === null || news.length === 0 ? [] : await listDisputeReaders(database, tenant.businessId);
    const [endsAt, failures] = [Date.now() + SENDING_MS, [] as unknown[]];
    let tried = 0;
    for (const { email, kinds } of readers) {
      const chosen = news.filter(({ kind }) => kinds.includes(kind));
      if (chosen.length === 0 || Date.now() > endsAt) continue;
      tried++;
      const draft = draftLetter(chosen, `${deps.dashboardUrl}/${tenant.businessId}/${environment}`, environment);
      await mailer!({ to: email, ...draft }).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) log(`${failures.length} letters about disputes could not be sent.`, failures[0]);
    if (tried === 0 || failures.length < tried) await deleteNotices(database, tenant, due);
    if (tried === 0) await releaseBusiness(database, tenant);
    return true;
  };
}

interface News {
  readonly disputeId: string;
  readonly kind: DisputeNotice;
  readonly until: Date | null;
}

/** Cases that a letter names. Further ones are a number. */
const NAMED_MAX = 20;
const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

const SENTENCES: Readonly<Record<DisputeNotice, (until: string) => string>> = {
  opened: () => "A dispute was opened.",
  offer: () => "The buyer made an offer.",
  turn: (until) => `It is your turn until ${until}.`,
  due_soon: (until) => `Your turn ends on ${until}.`,
  closed: () => "The dispute was decided or closed.",
};

/** No word of a case is in a letter, and nothing that a buyer chose. */
export function draftLetter(news: readonly News[], tenantUrl: string, environment: Environment) {
  const cases = Map.groupBy(news, ({ disputeId }) => disputeId);
  const lines = [...cases].slice(0, NAMED_MAX).map(([id, all]) => {
    const told = all.filter(({ kind }) => kind !== "due_soon" || !all.some((one) => one.kind === "turn"));
    const sentences = new Set(told.map(({ kind, until }) => SENTENCES[kind](until ? `${TIME.format(until)} UTC` : "")));
    return `${[...sentences].join(" ")}\n${tenantUrl}/disputes/${id}\n`;
  });
  const more = cases.size > NAMED_MAX ? `\nAnd ${cases.size - NAMED_MAX} more disputes: ${tenantUrl}/disputes\n` : "";
  const [only] = cases.size === 1 ? news : [];
  const subject = only === undefined ? `News of ${cases.size} disputes` : SUBJECTS[only.kind];
  return {
    subject: environment === "test" ? `[Test] ${subject}` : subject,
    text: `${lines.join("\n")}${more}\nChoose these letters in your account: ${tenantUrl.split("/").slice(0, -2).join("/")}/account?tab=letters\n`,
  };
}

const SUBJECTS: Readonly<Record<DisputeNotice, string>> = {
  opened: "A dispute was opened",
  offer: "The buyer of a dispute made an offer",
  turn: "It is your turn in a dispute",
  due_soon: "Your turn in a dispute ends soon",
  closed: "A dispute was decided or closed",
};
