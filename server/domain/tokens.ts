/** The symbols of well-known tokens, by the address of their mint. */
const SYMBOLS: Readonly<Record<string, string>> = {
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: "USDC",
  "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU": "USDC",
  Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB: "USDT",
  HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr: "EURC",
  "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo": "PYUSD",
  CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM: "PYUSD",
  So11111111111111111111111111111111111111112: "SOL",
};
export const WELL_KNOWN_TOKENS: readonly string[] = Object.keys(SYMBOLS);

/**
 * Returns the symbol of a well-known token. Null for any other: any issuer can choose any symbol, so only its address
 * names it.
 */
export const symbolOf = (asset: string): string | null => SYMBOLS[asset] ?? null;
