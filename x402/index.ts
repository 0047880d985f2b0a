export { type Act, type ActOptions, draftDispute, draftRelease } from "./acts.ts";
export { ProtectedClient, type ProtectedClientOptions } from "./client.ts";
export { type Delivered, DeliveryError, readDelivery, type SentPayment } from "./delivery.ts";
export { type Policy, PolicyError, requireCalledResource } from "./policy.ts";
export { ProtectedServer, type ProtectedServerOptions, type UnfiledDelivery } from "./server.ts";
