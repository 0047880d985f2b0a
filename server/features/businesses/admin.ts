import { readFile } from "node:fs/promises";
import { findNameProblem, normalizeName } from "../../domain/names.ts";
import { type Kind, TEXT } from "../../domain/values.ts";
import {
  type AdminAnswer,
  AdminError,
  type Argument,
  adminVerb,
  BUSINESS,
  clearable,
  maybe,
  option,
  positional,
} from "../../edge/admin.ts";
import type { Database } from "../../store/database.ts";
import { addBusiness, listBusinesses, listSavedOnly, setProfile, showProfile } from "./actions.ts";
import { type BusinessProfile, INTENT_LIFETIME, type Logo, readLogo } from "./business.ts";
import type { SavedOnly } from "./queries.ts";

/** Businesses on one page of the list. */
const LISTED_MAX = 100;
const NAME = positional(TEXT, "name");
/** Left out, it stays; an empty text clears it. */
const field = <Value>(kind: Kind<Value>, name: string): Argument<Value | null | undefined> => ({
  ...clearable(option(kind, name)),
  fallback: undefined,
});

export const businessVerbs = [
  adminVerb({
    words: "business add",
    takes: { name: NAME },
    does: "Adds a business.",
    run: async ({ database, actor, name }) => {
      const business = await addBusiness(database, actor, name);
      return {
        result: { object: "business", ...business },
        text: `Added ${business.id} (${business.name}). Next: key add ${business.id}`,
      };
    },
  }),
  adminVerb({
    words: "business list",
    takes: { after: maybe(option(TEXT, "business id")) },
    does: "Lists businesses, oldest first, 100 per page.",
    run: async ({ database, after }) => {
      const found = await listBusinesses(database, after ?? "", LISTED_MAX + 1);
      const data = found.slice(0, LISTED_MAX);
      const hasMore = found.length > LISTED_MAX;
      const lines = data.map(
        ({ id, name, createdAt, activeKeys }) =>
          `${id}  ${createdAt.toISOString()}  ${activeKeys} active keys  ${name}`,
      );
      if (hasMore) lines.push(`Next page: business list --after ${data.at(-1)!.id}`);
      return {
        result: { object: "list", data: data.map((one) => ({ object: "business", ...one })), hasMore },
        text: lines.length === 0 ? "No businesses." : lines.join("\n"),
      };
    },
  }),
  adminVerb({
    words: "business names",
    does: "Lists the businesses whose name the present rules refuse, each with the reason.",
    run: ({ database }) => listRefusedNames(database),
  }),
  adminVerb({
    words: "business show",
    takes: { business: BUSINESS },
    does: "Shows the profile of a business and the recipients that its API keys can use.",
    run: async ({ database, business }) => {
      const profile = await showProfile(database, business);
      const savedRecipientsOnly = await listSavedOnly(database, business);
      return {
        result: { object: "business_profile", ...profile, savedRecipientsOnly },
        text: `${describeProfile(profile)}\nrecipients     ${describeRecipients(savedRecipientsOnly)}`,
      };
    },
  }),
  adminVerb({
    words: "business rename",
    takes: { business: BUSINESS, name: NAME },
    does: "Changes the name of a business.",
    run: async ({ database, actor, business, name }) =>
      answerWith(await setProfile(database, actor, business, { name })),
  }),
  adminVerb({
    words: "business set",
    takes: {
      business: BUSINESS,
      name: maybe(option(TEXT, "name")),
      support: field(TEXT, "email|https://…"),
      refundPolicyFile: field(TEXT, "file"),
      returnUrl: field(TEXT, "https://…"),
      intentLifetime: field(INTENT_LIFETIME, "minutes"),
      currency: field(TEXT, "code"),
      timeZone: field(TEXT, "name"),
      locale: field(TEXT, "tag"),
      color: field(TEXT, "#rrggbb"),
      logoFile: field(TEXT, "file"),
    },
    does: "Changes the profile of a business. The value \"\" clears a field. The return URL may contain {intentId} and {merchantReference}. The intent lifetime is 15 to 10080 minutes; without one, the deployment default applies. The currency is the one in which the books show values; the time zone is that of exports; the locale is the default language of buyers' pages. Colour and logo are shown on buyers' pages; the logo is a PNG, JPEG or WebP picture of at most 100 kB and 1 megapixel.",
    run: async ({ database, actor, business, name, refundPolicyFile: file, logoFile, ...given }) => {
      const profile = await setProfile(database, actor, business, {
        name: name ?? undefined,
        supportContact: given.support,
        refundPolicy: typeof file === "string" ? await readPolicy(file) : file,
        returnUrl: given.returnUrl,
        intentLifetimeMinutes: given.intentLifetime,
        reportingCurrency: given.currency,
        timeZone: given.timeZone,
        locale: given.locale,
        color: given.color,
        logo: typeof logoFile === "string" ? await readLogoFile(logoFile) : logoFile,
      });
      return answerWith(profile);
    },
  }),
];

/** Names per read, and per command. */
const NAMES_READ = 1_000;
const NAMES_READ_MAX = 1_000_000;

async function listRefusedNames(database: Database): Promise<AdminAnswer> {
  const data: { id: string; name: string; domain: string | null; problem: string }[] = [];
  let after = "";
  for (let read = 0; read < NAMES_READ_MAX; read += NAMES_READ) {
    const found = await listBusinesses(database, after, NAMES_READ);
    for (const { id, name, domain } of found) {
      const problem = findNameProblem(normalizeName(name), domain);
      if (problem !== null) data.push({ id, name, domain, problem });
    }
    if (found.length < NAMES_READ) break;
    after = found.at(-1)!.id;
  }
  return {
    result: { object: "list", data, hasMore: false },
    // JSON escapes the invisible characters of a name.
    text:
      data.map(({ id, name, problem }) => `${id}  ${JSON.stringify(name)}  ${problem}`).join("\n") || "No businesses.",
  };
}

const answerWith = (profile: BusinessProfile): AdminAnswer => ({
  result: { object: "business_profile", ...profile },
  text: describeProfile(profile),
});

const readBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new AdminError(`The file ${file} cannot be read (${error.code}).`);
  });

async function readLogoFile(file: string): Promise<Logo> {
  const logo = readLogo(await readBytes(file));
  if (typeof logo === "string") throw new AdminError(logo);
  return logo;
}

async function readPolicy(file: string): Promise<string> {
  const bytes = await readBytes(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AdminError(`The file ${file} is not UTF-8 text.`);
  }
}

const describeRecipients = (rules: readonly SavedOnly[]): string =>
  rules
    .map(({ environment, endsAt }) => `${environment}: saved only${endsAt === null ? "" : ` until ${endsAt}`}`)
    .join("; ") || "any";

const describeProfile = (profile: BusinessProfile): string =>
  [
    `${profile.id}  ${profile.name}`,
    `domain         ${profile.domain ?? "none"}`,
    `support        ${profile.supportContact ?? "none"}`,
    `refund policy  ${profile.refundPolicyHash === null ? "none" : `SHA-256 ${profile.refundPolicyHash}`}`,
    `return URL     ${profile.returnUrl ?? "none"}`,
    `time to pay    ${profile.intentLifetimeMinutes === null ? "deployment default" : `${profile.intentLifetimeMinutes} minutes`}`,
    `currency       ${profile.reportingCurrency ?? "none"}`,
    `time zone      ${profile.timeZone ?? "UTC"}`,
    `language       ${profile.locale ?? "English"}`,
    `colour         ${profile.color ?? "none"}`,
    `logo           ${profile.logo === null ? "none" : `SHA-256 ${profile.logo}`}`,
  ].join("\n");
