import { after, suite } from "node:test";
import { closeWorld } from "./dashboardWorld.ts";

/** Further pages of the dashboard on the staff API without a chain: lists, and what is done in them. */
after(closeWorld);

suite("new payments", async () => void (await import("./dashboardNewPayment.ts")));
suite("states", async () => void (await import("./dashboardStates.ts")));
suite("live lists", async () => void (await import("./dashboardLive.ts")));
suite("webhooks", async () => void (await import("./dashboardWebhooks.ts")));
suite("resends", async () => void (await import("./dashboardResends.ts")));
suite("figures", async () => void (await import("./dashboardFigures.ts")));
suite("disputes", async () => void (await import("./dashboardDisputes.ts")));
suite("decisions", async () => void (await import("./dashboardDecision.ts")));
