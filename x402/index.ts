export { type Act, type ActOptions, draftDispute, draftRelease } from "./acts.ts";
export { ProtectedClient, type ProtectedClientOptions } from "./client.ts";
export { type Policy, PolicyError } from "./policy.ts";
export { ProtectedServer, type ProtectedServerOptions } from "./server.ts";
