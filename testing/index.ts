export type { Group } from "./check.ts";
export { CHECK_NAMES, type CheckResult, ConformError, conform, type Finding, type Report } from "./conform.ts";
export type { ConformOptions, Effects } from "./handler.ts";
export {
  type Act,
  type Acted,
  createInstance,
  InstanceError,
  type InstanceOptions,
  type TestInstance,
} from "./instance.ts";
export type { Framework } from "./mend.ts";
export { describeReport, junitOf } from "./report.ts";
export { newSecret, type SignedEvent, signedHeaders } from "./signing.ts";
