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

/** Counts the items of a sorted list before the first that does not pass the test. */
export function countBefore<T>(list: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
