import { parse } from "tldts";
import { internalSuffixOf } from "../../../domain/publicNames.ts";
import { isLoopback } from "../../../lib/loopback.ts";

/**
 * The parsed URL of an endpoint (§6.1.5). The rules have no exception in any mode; they are checked when a URL is
 * saved and at every delivery.
 */
export interface Destination {
  /** The normalised URL, without port 443, as it is stored and shown. */
  readonly url: string;
  /** The host name in ASCII, as in DNS. */
  readonly name: string;
  /** Path and query, as sent. */
  readonly path: string;
}

/** The URL breaks a rule, which the message names for the merchant. */
export class DestinationError extends Error {
  override readonly name = "DestinationError";
}

const URL_CHARACTERS_MAX = 2_048;
const NAME_CHARACTERS_MAX = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Parses a merchant's URL. Throws {@link DestinationError}. */
export function readDestination(text: string): Destination {
  if ([...text].length > URL_CHARACTERS_MAX)
    throw new DestinationError(`The URL is longer than ${URL_CHARACTERS_MAX} characters.`);
  // URL parsers drop or replace these characters. If two parsers disagree, such rules can be evaded.
  if (/[\s\\\p{Cc}]/u.test(text))
    throw new DestinationError("The URL holds white space, a backslash or a control character.");
  const url = URL.parse(text);
  if (url === null) throw new DestinationError("This is not a complete URL such as https://shop.com/hooks.");
  if (isLoopback(url.hostname))
    throw new DestinationError(
      'This address leads to the service itself, not to your machine. Run "holdfast listen" there: it forwards the events.',
    );
  if (url.protocol !== "https:") throw new DestinationError("The URL must start with https://.");
  if (!/^https:\/\/[^/]/i.test(text)) throw new DestinationError("The URL must have the form https://name/path.");
  if (/^[^/?#]*@/.test(text.slice("https://".length))) throw new DestinationError("The URL must not hold credentials.");
  if (text.includes("#")) throw new DestinationError("The URL must not hold a fragment (#…).");
  if (url.port !== "") throw new DestinationError("The port must be 443.");
  const problem = findNameProblem(url.hostname);
  if (problem !== null) throw new DestinationError(problem);
  // Encoding non-ASCII characters makes a URL longer.
  if (url.href.length > URL_CHARACTERS_MAX)
    throw new DestinationError(`The URL is longer than ${URL_CHARACTERS_MAX} characters once encoded.`);
  return { url: url.href, name: url.hostname, path: url.pathname + url.search };
}

/** The reason why a name, in ASCII and lower case, is no public DNS name; null if it is one. */
function findNameProblem(name: string): string | null {
  if (/^[\d.]+$/.test(name) || name.startsWith("[") || name.includes(":"))
    return "The URL must hold a name, not an IP address.";
  if (name.endsWith(".")) return "The name must not end with a dot.";
  const labels = name.split(".");
  if (name.length > NAME_CHARACTERS_MAX || !labels.every((label) => LABEL.test(label)))
    return "The name is not one that DNS can hold.";
  const internal = internalSuffixOf(name);
  if (internal !== null) return `Names under .${internal} are not public.`;
  if (labels.length < 2) return "The name must be a public DNS name with a dot, such as shop.com.";
  const known = parse(name, { extractHostname: false, validateHostname: false });
  if (known.isIcann !== true || known.domain === null) return "The name does not end in a public domain such as .com.";
  return null;
}
