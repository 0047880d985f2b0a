/** Parses an amount in people's notation, such as 0.01, into the token's smallest unit; null if it is invalid. */
export function parseAmount(text: string, decimals: number): string | null {
  const [, whole, fraction = ""] = /^(\d{1,20})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  return units > 0n ? String(units) : null;
}
