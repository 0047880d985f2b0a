export type { HoldfastPluginOptions } from "./connection";
export { holdfastHandler } from "./handler";
export { HoldfastPlugin } from "./plugin";
export type { HoldfastState } from "./shop";
