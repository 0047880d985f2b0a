interface TokenLabel {
  readonly symbol: string;
  readonly name: string;
}
const [USDC, PYUSD] = [
  { symbol: "USDC", name: "USD Coin" },
  { symbol: "PYUSD", name: "PayPal USD" },
];

export const WRAPPED_SOL = "So11111111111111111111111111111111111111112";

/** The symbols and names of well-known tokens, by the address of their mint. */
const LABELS: Readonly<Record<string, TokenLabel>> = {
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: USDC,
  "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU": USDC,
  Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB: { symbol: "USDT", name: "Tether USD" },
  HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr: { symbol: "EURC", name: "EURC" },
  "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo": PYUSD,
  CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM: PYUSD,
  [WRAPPED_SOL]: { symbol: "SOL", name: "Wrapped SOL" },
};
export const WELL_KNOWN_TOKENS: readonly string[] = Object.keys(LABELS);

/** Returns the label of a well-known token, or null. */
export const labelOf = (asset: string): TokenLabel | null => LABELS[asset] ?? null;

/**
 * Returns the symbol of a well-known token. Null for any other: any issuer can choose any symbol, so only its address
 * names it.
 */
export const symbolOf = (asset: string): string | null => labelOf(asset)?.symbol ?? null;
