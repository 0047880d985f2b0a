import { parse } from "tldts";
import { idColumn } from "../../domain/ids.ts";
import { isNobodys } from "../../domain/publicNames.ts";
import { type FieldsOf, nullable, table, text, time, word } from "../../lib/columns.ts";

const DOMAIN_CHARACTERS_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A domain in the form of DNS, ASCII in lower case; null unless it is a public name with one owner. Letters of other
 * scripts become punycode and are shown so: no letter of one script can stand for that of another. A name under which
 * others register theirs, such as co.uk or github.io, belongs to no business.
 */
export function parseDomain(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^https:\/\//i, "")
    .replace(/\/$/, "");
  if (bare.length > DOMAIN_CHARACTERS_MAX || /[\s\p{Cc}/\\?#@:%[\]]/u.test(bare)) return null;
  const name = URL.parse(`https://${bare}`)?.hostname ?? "";
  const labels = name.split(".");
  if (name.length > DOMAIN_CHARACTERS_MAX || !labels.every((label) => LABEL.test(label))) return null;
  if (/^[\d.]+$/.test(name) || isNobodys(name)) return null;
  const { isIcann, isPrivate, domain } = parse(name, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
  return (isIcann === true || isPrivate === true) && domain !== null ? name : null;
}

const FILE_PATH = "/.well-known/holdfast-domain.txt";
const RECORD_LABEL = "_holdfast-domain";

export interface ProofPlaces {
  readonly filePath: string;
  readonly fileUrl: string;
  readonly recordName: string;
}

/** The two places of a domain's proof: a line of the file, or a TXT record. */
export const placesOf = (domain: string): ProofPlaces => ({
  filePath: FILE_PATH,
  fileUrl: `https://${domain}${FILE_PATH}`,
  recordName: `${RECORD_LABEL}.${domain}`,
});

/** The line or record that proves a claim with this token. */
export const proofText = (token: string): string => `holdfast-domain=${token}`;

export const hasProof = (texts: readonly string[], token: string): boolean =>
  texts.some((text) => text.trim() === proofText(token));

/** `absent`: both places were read, and neither has the proof. `unknown`: at least one could not be read. */
export type Verdict = "proven" | "absent" | "unknown";

/** The verdict of a check, with a sentence about the missing proof. */
export interface Finding {
  readonly verdict: Verdict;
  readonly problem: string | null;
}

/** A business's claim of a domain. */
export const DOMAINS = table("business_domains", {
  businessId: idColumn("biz", { as: "id", says: "The business's id." }),
  domain: text({ says: "The name as DNS has it, in ASCII; null if none was claimed.", example: "shop.com" }),
  token: word(),
  claimedAt: time({ says: "The time at which it was claimed; null if none was.", example: "2026-11-20T08:30:00.000Z" }),
  provenAt: nullable(
    time({
      says: "The time since which buyers are shown it; null if they are not.",
      example: "2026-11-20T08:34:00.000Z",
    }),
  ),
  failingSince: nullable(
    time({ says: "The time since which the proof was not found; null while it is there, or never was." }),
  ),
  checkedAt: nullable(
    time({ says: "The time of the last check; null if there was none.", example: "2026-11-21T08:34:00.000Z" }),
  ),
  problem: nullable(
    text({ says: "The reason why the last check found no proof, in sentences; null if there is none." }),
  ),
});
export type Claim = FieldsOf<typeof DOMAINS.columns>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A new claim is checked automatically for this time. DNS takes a day or two at worst. */
const CLAIM_LOOK_MS = 7 * DAY_MS;
/** A proof stays valid for this time after it was last seen, so that an outage of a server loses no domain. */
export const GRACE_MS = 7 * DAY_MS;

/** The claim after a check. `becomes` says that buyers see the domain from now on, or no longer. */
export interface Step extends Pick<Claim, "provenAt" | "failingSince"> {
  readonly nextCheckAt: Date | null;
  readonly becomes: "proven" | "lost" | null;
}

/**
 * Decides the step after a check. `isContested`: another business has proven the same domain meanwhile, so it may have
 * changed hands; then a missing proof is lost at once.
 */
export function decideStep(claim: Claim, verdict: Verdict, now: Date, isContested: boolean): Step {
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (verdict === "proven") {
    const becomes = claim.provenAt === null ? "proven" : null;
    return { provenAt: claim.provenAt ?? now, failingSince: null, nextCheckAt: after(DAY_MS), becomes };
  }
  if (claim.provenAt === null) {
    const isYoung = now.getTime() - claim.claimedAt.getTime() < CLAIM_LOOK_MS;
    return { provenAt: null, failingSince: null, nextCheckAt: isYoung ? after(10 * MINUTE_MS) : null, becomes: null };
  }
  const failingSince = claim.failingSince ?? now;
  const isLost = now.getTime() - failingSince.getTime() >= GRACE_MS || (verdict === "absent" && isContested);
  return isLost
    ? { provenAt: null, failingSince: null, nextCheckAt: null, becomes: "lost" }
    : { provenAt: claim.provenAt, failingSince, nextCheckAt: after(HOUR_MS), becomes: null };
}

export const DOMAIN_STATES = ["none", "claimed", "proven", "failing"] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

export const stateOf = (claim: Claim | null): DomainState =>
  claim === null ? "none" : claim.provenAt === null ? "claimed" : claim.failingSince === null ? "proven" : "failing";
