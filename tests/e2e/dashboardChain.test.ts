import { after, suite } from "node:test";
import { closeChainWorld } from "./chainWorld.ts";

/** Pages that act on the chain, on a service of their own. */
after(closeChainWorld);

suite("a shop's domain", async () => void (await import("./dashboardDomain.ts")));
suite("refunds", async () => void (await import("./dashboardRefund.ts")));
// Last, since it moves the clock by months.
suite("the arbiter's desk", async () => void (await import("./desk.ts")));
