import { parseArray, parseInteger, parseObject } from "./shapes.ts";

/** Offered even if no other transaction offers more, so that a payment is not the last in line. */
const UNIT_PRICE_MIN = 10_000n;
/** Three of four recent transactions on the same accounts offered no more. */
const PERCENTILE = 0.75;

/** The priority to offer, in micro-lamports a compute unit, from the answer of getRecentPrioritizationFees; never above the cap. */
export function chooseUnitPrice(recent: unknown, cap: bigint): bigint {
  const offered = parseArray(recent, "prioritization fees")
    .map((one) => parseInteger(parseObject(one, "prioritization fee").prioritizationFee, "prioritizationFee"))
    .sort((one, other) => one - other);
  const usual = BigInt(offered[Math.floor((offered.length - 1) * PERCENTILE)] ?? 0);
  const wanted = usual > UNIT_PRICE_MIN ? usual : UNIT_PRICE_MIN;
  return wanted < cap ? wanted : cap;
}
