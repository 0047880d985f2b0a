import type { Tenant } from "../../../domain/callers.ts";
import type { DisputeNotice } from "../../../domain/notices.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Log } from "../../../lib/log.ts";
import type { Database } from "../../../store/database.ts";

export interface NoticeDeps {
  readonly database: Database;
  readonly environment: Environment;
  /** Sends a letter within its own time limit; null: no mail is set up, and news is not kept. */
  readonly mailer:
    | ((letter: { readonly to: string; readonly subject: string; readonly text: string }) => Promise<void>)
    | null;
  readonly log: Log;
}

/** The other side, in a letter. */
type Other = "buyer" | "shop";

interface News {
  readonly disputeId: string;
  readonly kind: DisputeNotice;
  readonly until: Date | null;
}

/** Cases that a letter names. Further ones are a number. */
const NAMED_MAX = 20;
const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

const SENTENCES: Readonly<Record<DisputeNotice, (until: string, other: Other) => string>> = {
  opened: () => "A dispute was opened.",
  offer: (_, other) => `The ${other} made an offer.`,
  turn: (until) => `It is your turn until ${until}.`,
  due_soon: (until) => `Your turn ends on ${until}.`,
  closed: () => "The dispute was decided or closed.",
};
const SUBJECTS: Readonly<Record<DisputeNotice, (other: Other) => string>> = {
  opened: () => "A dispute was opened",
  offer: (other) => `The ${other} of a dispute made an offer`,
  turn: () => "It is your turn in a dispute",
  due_soon: () => "Your turn in a dispute ends soon",
  closed: () => "A dispute was decided or closed",
};

const marked = (subject: string, environment: Environment): string =>
  environment === "test" ? `[Test] ${subject}` : subject;
export const subjectOf = (kind: DisputeNotice, other: Other, environment: Environment): string =>
  marked(SUBJECTS[kind](other), environment);

/** The news of one case in sentences, each once. A turn that begins needs no reminder. */
export function saySentences(news: readonly News[], other: Other): string {
  const told = news.filter(({ kind }) => kind !== "due_soon" || !news.some((one) => one.kind === "turn"));
  const say = ({ kind, until }: News) => SENTENCES[kind](until === null ? "" : `${TIME.format(until)} UTC`, other);
  return [...new Set(told.map(say))].join(" ");
}

/** A letter to a member. No word of a case is in it, and nothing that a buyer chose. */
export function draftLetter(news: readonly News[], dashboardUrl: string, { businessId, environment }: Tenant) {
  const tenantUrl = `${dashboardUrl}/${businessId}/${environment}`;
  const cases = Map.groupBy(news, ({ disputeId }) => disputeId);
  const lines = [...cases]
    .slice(0, NAMED_MAX)
    .map(([id, all]) => `${saySentences(all, "buyer")}\n${tenantUrl}/disputes/${id}\n`);
  const more = cases.size > NAMED_MAX ? `\nAnd ${cases.size - NAMED_MAX} more disputes: ${tenantUrl}/disputes\n` : "";
  const [only] = cases.size === 1 ? news : [];
  return {
    subject:
      only === undefined
        ? marked(`News of ${cases.size} disputes`, environment)
        : subjectOf(only.kind, "buyer", environment),
    text: `${lines.join("\n")}${more}\nChoose these letters in your account: ${dashboardUrl}/account?tab=letters\n`,
  };
}
