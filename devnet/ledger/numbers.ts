// JSON numbers of the RPC are 64 bits wide; those beyond a double are written digit by digit.
declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
  }
}

/** A number that JSON.stringify writes exactly. */
type RawNumber = number & { readonly rawJSON: string };

export const u64 = (value: bigint): number =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : JSON.rawJSON(String(value));
