export * from "./accounts.ts";
export * from "./addresses.ts";
export * from "./constants.ts";
export * from "./errors.ts";
export * from "./instructions.ts";
