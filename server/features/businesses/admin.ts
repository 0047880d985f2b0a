import { readFile } from "node:fs/promises";
import { findNameProblem, normalizeName } from "../../domain/names.ts";
import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, TEXT } from "../../edge/admin.ts";
import type { Database } from "../../store/database.ts";
import { addBusiness, listBusinesses, listSavedOnly, setProfile, showProfile } from "./actions.ts";
import { type BusinessProfile, type Logo, readLogo } from "./business.ts";
import type { SavedOnly } from "./queries.ts";

export const businessVerbs: readonly AdminVerb[] = [
  {
    usage: "business add <name>",
    does: "Adds a business.",
    run: async ({ database, actor, positionals: [name] }) => {
      if (name === undefined) throw new AdminError("Enter a name of 1 to 100 characters.");
      const business = await addBusiness(database, actor, name);
      return {
        result: { object: "business", ...business },
        text: `Added ${business.id} (${business.name}). Next: key add ${business.id}`,
      };
    },
  },
  {
    usage: "business list [--after <business id>]",
    does: "Lists businesses, oldest first, 100 per page.",
    options: { after: TEXT },
    run: list,
  },
  {
    usage: "business names",
    does: "Lists the businesses whose name the present rules refuse, each with the reason.",
    run: ({ database }) => listRefusedNames(database),
  },
  {
    usage: "business show <business id>",
    does: "Shows the profile of a business and the recipients that its API keys can use.",
    run: async ({ database, positionals: [businessId] }) => {
      if (businessId === undefined) throw new AdminError("Name the business: business show <business id>.");
      const profile = await showProfile(database, businessId);
      const savedRecipientsOnly = await listSavedOnly(database, businessId);
      return {
        result: { object: "business_profile", ...profile, savedRecipientsOnly },
        text: `${describeProfile(profile)}\nrecipients     ${describeRecipients(savedRecipientsOnly)}`,
      };
    },
  },
  {
    usage: "business rename <business id> <name>",
    does: "Changes the name of a business.",
    run: async ({ database, actor, positionals: [businessId, name] }) => {
      if (businessId === undefined || name === undefined)
        throw new AdminError("Name the business and its new name: business rename <business id> <name>.");
      return answerWith(await setProfile(database, actor, businessId, { name }));
    },
  },
  {
    usage:
      "business set <business id> [--name <name>] [--support <email|https://…>] [--refund-policy-file <file>] [--return-url <https://…>] [--intent-lifetime <minutes>] [--currency <code>] [--time-zone <name>] [--locale <tag>] [--color <#rrggbb>] [--logo-file <file>]",
    does: "Changes the profile of a business. The value \"\" clears a field. The return URL may contain {intentId} and {merchantReference}. The intent lifetime is 15 to 10080 minutes; without one, the deployment default applies. The currency is the one in which the books show values; the time zone is that of exports; the locale is the default language of buyers' pages. Colour and logo are shown on buyers' pages; the logo is a PNG, JPEG or WebP picture of at most 100 kB and 1 megapixel.",
    options: {
      name: TEXT,
      support: TEXT,
      "refund-policy-file": TEXT,
      "return-url": TEXT,
      "intent-lifetime": TEXT,
      currency: TEXT,
      "time-zone": TEXT,
      locale: TEXT,
      color: TEXT,
      "logo-file": TEXT,
    },
    run: set,
  },
];

async function set({ database, actor, positionals: [businessId], options }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: business set <business id>.");
  const file = readText(options["refund-policy-file"]);
  const logo = readText(options["logo-file"]);
  const profile = await setProfile(database, actor, businessId, {
    name: options.name === undefined ? undefined : String(options.name),
    supportContact: readText(options.support),
    refundPolicy: typeof file === "string" ? await readPolicy(file) : file,
    returnUrl: readText(options["return-url"]),
    intentLifetimeMinutes: readMinutes(readText(options["intent-lifetime"])),
    reportingCurrency: readText(options.currency),
    timeZone: readText(options["time-zone"]),
    locale: readText(options.locale),
    color: readText(options.color),
    logo: typeof logo === "string" ? await readLogoFile(logo) : logo,
  });
  return answerWith(profile);
}

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

/** Businesses on one page of the list. */
const LISTED_MAX = 100;

async function list({ database, options }: AdminCall): Promise<AdminAnswer> {
  const found = await listBusinesses(database, String(options.after ?? ""), LISTED_MAX + 1);
  const data = found.slice(0, LISTED_MAX);
  const hasMore = found.length > LISTED_MAX;
  const lines = data.map(
    ({ id, name, createdAt, activeKeys }) => `${id}  ${createdAt.toISOString()}  ${activeKeys} active keys  ${name}`,
  );
  if (hasMore) lines.push(`Next page: business list --after ${data.at(-1)!.id}`);
  return {
    result: { object: "list", data: data.map((one) => ({ object: "business", ...one })), hasMore },
    text: lines.length === 0 ? "No businesses." : lines.join("\n"),
  };
}

const answerWith = (profile: BusinessProfile): AdminAnswer => ({
  result: { object: "business_profile", ...profile },
  text: describeProfile(profile),
});

/** Undefined if the option is missing; null if its value is empty. */
const readText = (option: string | boolean | undefined): string | null | undefined =>
  option === undefined ? undefined : option === "" ? null : String(option);

/** If the text is no number, the action refuses it. */
const readMinutes = (text: string | null | undefined): number | null | undefined =>
  typeof text === "string" ? (/^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN) : text;

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
