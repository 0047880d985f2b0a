export type { Group } from "./check.ts";
export {
  CHECK_NAMES,
  type CheckResult,
  ConformError,
  type ConformOptions,
  conform,
  type Finding,
  type Progress,
  type Report,
} from "./conform.ts";
export type { Effects } from "./handler.ts";
export {
  type Act,
  type Acted,
  createInstance,
  InstanceError,
  type InstanceOptions,
  type TestInstance,
} from "./instance.ts";
export type { Framework } from "./mend.ts";
export { describeEnd, describeReport, describeResult, junitOf } from "./report.ts";
export { newSecret, type SignedEvent, signedHeaders } from "./signing.ts";
export type { Story } from "./trade/buyers.ts";
export type { ShopOrder, TradingShop } from "./trade/shop.ts";
export { type TradeOptions, type TradeReport, trade } from "./trade.ts";
