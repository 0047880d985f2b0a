/** The servers a connection may use: any, or only one that accepts writes. */
type Wanted = "any" | "read-write";

/** The servers of a database, tried in order. */
export interface DatabaseHosts {
  /** One address per server, in the form that `pg` reads. */
  readonly urls: readonly [string, ...string[]];
  readonly wanted: Wanted;
}

/** The address names no servers. The message does not repeat it, since it may hold a password. */
class DatabaseUrlError extends Error {
  override readonly name = "DatabaseUrlError";
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?$/;
const HOSTS_MAX = 16;
/** An @ behind one of / ? # ends no login: the letters are of a password. */
const BARE_PASSWORD = /^[a-z]+:\/\/[^/?#]*(?:[/#][^?]*@|\?[^=]*@)/i;
/** The end of a sentence about an address with a user and a password in it. */
export const BARE_PASSWORD_TEXT =
  "seems to have a / ? or # in its password: write them as %2F %3F %23, and : @ % as %3A %40 %25.";
/** pg takes these for verify-full, with a warning at each start. */
const AS_VERIFIED = /(?<=[?&])sslmode=(?:prefer|require|verify-ca)(?=&|$)/;

/**
 * Parses `postgresql://user:password@one:5432,two:5432/name?target_session_attrs=read-write` like libpq. With several
 * hosts it requires one that accepts writes, unless the address says otherwise. TLS is verified or off. Throws {@link DatabaseUrlError}.
 */
export function readHosts(text: string): DatabaseHosts {
  if (BARE_PASSWORD.test(text)) throw new DatabaseUrlError(BARE_PASSWORD_TEXT);
  const parts = URL_PARTS.exec(
    text.includes("uselibpqcompat=") ? text : text.replace(AS_VERIFIED, "sslmode=verify-full"),
  );
  if (parts === null) throw new DatabaseUrlError("must be an address that starts with postgres:// or postgresql://.");
  const [, scheme, login = "", hosts = "", path = "", query = ""] = parts;
  const parameters = new URLSearchParams(query);
  const attributes = parameters.get("target_session_attrs");
  parameters.delete("target_session_attrs");
  const rest = parameters.size === 0 ? "" : `?${query.slice(1).split("&").filter(isNotTarget).join("&")}`;
  const names = hosts.split(",");
  const urls = names.map((host) => `${scheme}${login}${host}${path}${rest}`);
  if (names.length > HOSTS_MAX || (names.length > 1 && names.includes("")) || urls.some((url) => !URL.canParse(url)))
    throw new DatabaseUrlError("must name its hosts as host:port, separated by commas.");
  return { urls: urls as [string, ...string[]], wanted: readWanted(attributes, names.length) };
}

const isNotTarget = (parameter: string): boolean => !parameter.startsWith("target_session_attrs=");

function readWanted(attributes: string | null, hosts: number): Wanted {
  if (attributes === null) return hosts > 1 ? "read-write" : "any";
  if (attributes === "any") return "any";
  if (attributes === "read-write" || attributes === "primary") return "read-write";
  throw new DatabaseUrlError("takes target_session_attrs=read-write, primary or any: the service writes.");
}
