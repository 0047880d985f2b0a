/** Names that no public resolver should know or that are used on private networks, with every name below them. */
const INTERNAL_SUFFIXES = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "onion",
  "test",
  "invalid",
  "example",
  "alt",
  "arpa",
] as const;

/** Zones that answer for any name with the address in it, or always with loopback: their names are nobody's. */
const ADDRESS_ZONES = [
  "nip.io",
  "sslip.io",
  "xip.io",
  "traefik.me",
  "backname.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
] as const;

const suffixOf = (name: string, suffixes: readonly string[]): string | null =>
  suffixes.find((suffix) => name === suffix || name.endsWith(`.${suffix}`)) ?? null;

/** The suffix for which a name, in ASCII and lower case, is not public; null where it may be. */
export const internalSuffixOf = (name: string): string | null => suffixOf(name, INTERNAL_SUFFIXES);

/**
 * True if nobody can own the name, in ASCII and lower case. A delivery may go to one of {@link ADDRESS_ZONES}, since the address
 * it leads to is checked; a proof there would prove nothing.
 */
export const isNobodys = (name: string): boolean =>
  internalSuffixOf(name) !== null || suffixOf(name, ADDRESS_ZONES) !== null;
