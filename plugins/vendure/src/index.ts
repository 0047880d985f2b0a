export type { HoldfastPluginOptions } from "./connection";
export { holdfastHandler } from "./handler";
export type { HoldfastState } from "./holdfastPayment";
export { HoldfastPlugin } from "./plugin";
