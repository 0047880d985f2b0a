import { NEWS_TEXTS } from "@holdfast/ui/disputeTexts.ts";
import type { BuyerFrame } from "../../domain/buyerTexts.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Widened } from "../../lib/widened.ts";
import type {
  AccountChange,
  BusinessNotice,
  BuyerWords,
  DisputeNews,
  EmailFacts,
  EmailKind,
  FoundFacts,
  Read,
} from "./email.ts";

/** The texts of all emails. None has a word of a dispute, or a secret but that of its link. */

/** The addresses to which emails lead. */
export interface Sites {
  readonly dashboardUrl: string;
  readonly checkoutUrl: string;
}

interface Text {
  readonly subject: string;
  readonly text: string;
}
type FactsOf<Kind extends EmailKind> = Read<EmailFacts[Kind]> &
  (Kind extends keyof FoundFacts ? FoundFacts[Kind] : unknown);
type Texts = { readonly [Kind in EmailKind]: (facts: FactsOf<Kind>, sites: Sites) => Text };

/** Drafts an email from the facts of its row and those that were found for it. */
export const draftText = (kind: EmailKind, facts: unknown, sites: Sites): Text =>
  TEXTS[kind](facts as Parameters<Texts[EmailKind]>[0] & never, sites);

const LOCALE = "en-GB";
const showTime = (time: string, locale: string = LOCALE): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(new Date(time))} UTC`;
const marked = (subject: string, environment: Environment): string =>
  environment === "test" ? `[Test] ${subject}` : subject;
const tenantUrl = (
  { dashboardUrl }: Sites,
  { businessId, environment }: { readonly businessId: string; readonly environment: Environment },
): string => `${dashboardUrl}/${businessId}/${environment}`;

/** Characters of a name in an email. A longer text is no name. */
const NAME_CHARACTERS_MAX = 40;

/**
 * A user-chosen name for an email: cut, in quotation marks that it cannot close, and without characters from which a mail
 * program makes a link.
 */
export const quoteName = (name: string): string => quote(name, NAME_CHARACTERS_MAX);

function quote(text: string, charactersMax: number): string {
  const plain = text
    .replaceAll(/["“”]|:\/\//gu, " ")
    .replaceAll(/(?<=\S)[.\u3002\uFF0E\uFF61]+(?=\S)/gu, " ")
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  return `“${[...plain].slice(0, charactersMax).join("").trim()}”`;
}

/** A business's line, which may hold an address of its own as little as a name may. */
const LINE_CHARACTERS_MAX = 200;

/** The parts of an email to a buyer, as its texts need them. */
const frameOf = ({ shop, line, consent, erasedFrom, texts }: BuyerWords): BuyerFrame => ({
  shop: quoteName(shop),
  line: line === null ? null : quote(line, LINE_CHARACTERS_MAX),
  consent,
  erasedFrom: new Intl.DateTimeFormat(texts.locale, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(erasedFrom),
  ),
});

const IF_NOT_ASKED = "\n\nIf you did not request this, you can ignore this email.\n";
const IF_NOT_INTENDED =
  "If no owner of the business intended this, end that user's sessions, remove their role, and roll your API keys.";

const ACCOUNT_CHANGES: Readonly<Record<AccountChange["notice"], string>> = {
  password_changed: "Your password was changed",
  password_exposed: "Someone else may know your password",
  passkey_added: "A passkey was added to your account",
  passkey_removed: "A passkey was removed from your account",
  second_factor_added: "An authenticator app was added to your account",
  second_factor_removed: "The authenticator app was removed from your account",
  backup_codes_renewed: "Your backup codes were replaced",
  company_linked: "Your account was linked to your company's sign-in",
  company_unlinked: "Your account is no longer linked to your company's sign-in",
  signed_in: "Your account was signed in to from a new browser",
  role_changed: "Your role in a business was changed",
};

/** A further sentence, with a blank in front. */
function detailOf(change: AccountChange): string {
  switch (change.notice) {
    case "password_changed":
      return change.passkeysRemoved === null
        ? " All other sessions have ended."
        : ` It was set by a link, all sessions have ended, and ${change.passkeysRemoved} of your passkeys were removed.`;
    case "passkey_added":
      return ` It is called ${quoteName(change.name)}.`;
    case "passkey_removed":
      return ` It was called ${quoteName(change.name)}.`;
    case "company_linked":
      return ` The person there is ${quoteName(change.person)}.`;
    case "role_changed":
      return change.role === null ? " You are no longer a member." : ` It is ${change.role} now.`;
    default:
      return "";
  }
}

function adviceOn(notice: AccountChange["notice"], { dashboardUrl }: Sites): string {
  if (notice === "role_changed") return "";
  if (notice === "password_exposed")
    return `Thirty wrong codes followed your password within one day. Set a new password: ${dashboardUrl}/forgot\nUntil then, your password works only in browsers that you have signed in with before.\n\n`;
  return `If this was you, you need not do anything. If it was not, set a new password, which ends all sessions and removes passkeys: ${dashboardUrl}/forgot\n\n`;
}

const BUSINESS_CHANGES: Readonly<Record<BusinessNotice, string>> = {
  key_issued: "An API key was created",
  key_rolled: "An API key was rolled",
  endpoint_added: "A webhook endpoint was added",
  endpoint_moved: "The URL of a webhook endpoint was changed",
  role_changed: "The role of a member was changed",
  member_removed: "A member was removed",
  member_joined: "A member joined",
};

type NewsTexts = Pick<Widened<(typeof NEWS_TEXTS)[keyof typeof NEWS_TEXTS]>, "sentences">;

/** Disputes that an email names. Further ones are a number. */
const NAMED_MAX = 20;

/** The news of one dispute in sentences, each once. A turn that begins needs no reminder. */
function showNews(news: readonly DisputeNews[], { sentences }: NewsTexts, locale?: string): string {
  const told = news.filter(({ kind }) => kind !== "due_soon" || !news.some((one) => one.kind === "turn"));
  const say = ({ kind, until }: DisputeNews) =>
    sentences[kind].replace("{time}", until === null ? "" : showTime(until, locale));
  return [...new Set(told.map(say))].join(" ");
}

const disputePage = ({ checkoutUrl }: Sites, payment: string): string =>
  `${checkoutUrl.replace(/\/$/, "")}/pay/p/${payment}/case`;

const TEXTS: Texts = {
  password_link: ({ link, network }) => ({
    subject: "Set a new password",
    text: `Set a new password for the dashboard within the next hour:\n\n${link}\n\nSomeone in the network ${network} requested this link.${IF_NOT_ASKED}`,
  }),

  invitation: ({ business, by, link }) => ({
    subject: "Invitation to the dashboard",
    text: `A member called ${quoteName(by)} invites you to the dashboard of a business called ${quoteName(business)}. Accept within the next seven days:\n\n${link}${IF_NOT_ASKED}`,
  }),

  account_change: ({ network, at, ...change }, sites) => ({
    subject: ACCOUNT_CHANGES[change.notice],
    text: `${ACCOUNT_CHANGES[change.notice]} on ${showTime(at)}, from the network ${network}.${detailOf(change)}\n\n${adviceOn(change.notice, sites)}The activity of your account: ${sites.dashboardUrl}/account?tab=history\n`,
  }),

  business_change: ({ notice, businessId, business, about, by, network, at }, { dashboardUrl }) => ({
    subject: BUSINESS_CHANGES[notice],
    text: `${BUSINESS_CHANGES[notice]} in your business ${quoteName(business)}: ${quoteName(about)}, by ${by} on ${showTime(at)}, from the network ${network}.\n\nSee the audit log: ${dashboardUrl}/${businessId}/test/audit\n`,
  }),

  // Neither has a text that a user chose, such as a label.
  recipient_added: ({ by, address, ...tenant }, sites) => ({
    subject: "A recipient was added",
    text: `${by} added the recipient ${address} to your business ${tenant.businessId}, in ${tenant.environment}. It can be paid in 24 hours. Any owner or admin can remove it until then:\n\n${tenantUrl(sites, tenant)}/recipients\n\n${IF_NOT_INTENDED}\n`,
  }),

  saved_only_ending: ({ by, endsAt, ...tenant }, sites) => ({
    subject: "Any recipient will be allowed in 24 hours",
    text: `${by} requested that the ${tenant.environment} API keys of your business ${tenant.businessId} can use any recipient. Until ${endsAt} they can use saved recipients only, and any owner can keep it that way:\n\n${tenantUrl(sites, tenant)}/recipients\n\n${IF_NOT_INTENDED}\n`,
  }),

  address_link: ({ link, texts: { dispute } }) => ({ subject: dispute.confirm, text: dispute.confirmText(link) }),

  member_news: ({ news, ...tenant }, sites) => {
    const { environment } = tenant;
    const disputes = Map.groupBy(news, ({ disputeId }) => disputeId);
    const url = `${tenantUrl(sites, tenant)}/disputes`;
    const lines = [...disputes]
      .slice(0, NAMED_MAX)
      .map(([id, all]) => `${showNews(all, NEWS_TEXTS.merchant)}\n${url}/${id}\n`);
    const more = disputes.size > NAMED_MAX ? `\nAnd ${disputes.size - NAMED_MAX} more disputes: ${url}\n` : "";
    const subject =
      disputes.size === 1 ? NEWS_TEXTS.merchant.subjects[news[0]!.kind] : `News of ${disputes.size} disputes`;
    return {
      subject: marked(subject, environment),
      text: `${lines.join("\n")}${more}\nChoose these emails in your account: ${sites.dashboardUrl}/account?tab=emails\n`,
    };
  },

  buyer_news: ({ news, payment, environment, words, texts }, sites) => ({
    subject: marked(texts.dispute.subjects[news[0]!.kind], environment),
    text: `${showNews(news, texts.dispute, texts.locale)}\n\n${disputePage(sites, payment)}\n\n${
      words === null ? `${texts.dispute.remove}\n` : texts.footer(frameOf(words))
    }`,
  }),

  buyer_confirmation: ({ environment, ...words }) => {
    const { subject, text } = words.texts.confirmation(frameOf({ environment, ...words }));
    return { subject: marked(subject, environment), text };
  },

  buyer_update: ({ environment, notice, amount, refunded, rest, until, canObject, isLate, receipt, ...words }) => {
    const { texts } = words;
    const facts = { amount, refunded, rest, until: showTime(until, texts.locale), canObject, isLate, receipt };
    const frame = frameOf({ environment, ...words });
    const { subject, text } = texts[notice](frame, facts);
    return { subject: marked(subject, environment), text: `${text}\n\n${texts.footer(frame)}` };
  },

  arbiter_warning: ({ disputeId, warning, dueAt }, { dashboardUrl }) =>
    warning === "due_soon"
      ? {
          subject: "A dispute is to be decided soon",
          text: `A dispute is to be decided by ${showTime(dueAt)}.\n\nThe dispute: ${dashboardUrl}/desk/${disputeId}\n`,
        }
      : {
          subject: "A dispute ends soon without a decision",
          text: `Nobody has decided a dispute. If nobody does by ${showTime(dueAt)}, anyone can then send what is in the escrow back to the buyer.\n\nThe dispute: ${dashboardUrl}/desk/${disputeId}\n`,
        },
};
