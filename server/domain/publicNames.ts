/** Names that public resolvers should not know or that are used on private networks, with every name below them. */
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

/** Zones that answer for any name with the address in it, or always with loopback: their names have no owner. */
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

/** Returns the suffix that makes a name, in ASCII and lower case, not public; null if there is none. */
export const internalSuffixOf = (name: string): string | null => suffixOf(name, INTERNAL_SUFFIXES);

/**
 * Returns true if the name, in ASCII and lower case, cannot have an owner. A delivery may go to one of {@link
 * ADDRESS_ZONES}, since its address is checked; a proof of ownership there would be worthless.
 */
export const isNobodys = (name: string): boolean =>
  internalSuffixOf(name) !== null || suffixOf(name, ADDRESS_ZONES) !== null;
