import { after, suite } from "node:test";
import { closeWorld } from "./dashboardWorld.ts";

/** Pages of the dashboard on the staff API without a chain: what they show is rows of the database. */
after(closeWorld);

// The first user signs up where there is none.
suite("staff", async () => void (await import("./dashboardStaff.ts")));
suite("home and books", async () => void (await import("./dashboardHome.ts")));
suite("money", async () => void (await import("./dashboardMoney.ts")));
suite("payments", async () => void (await import("./dashboardPayments.ts")));
suite("new payments", async () => void (await import("./dashboardNewPayment.ts")));
suite("states", async () => void (await import("./dashboardStates.ts")));
suite("live lists", async () => void (await import("./dashboardLive.ts")));
suite("webhooks", async () => void (await import("./dashboardWebhooks.ts")));
suite("resends", async () => void (await import("./dashboardResends.ts")));
suite("figures", async () => void (await import("./dashboardFigures.ts")));
suite("disputes", async () => void (await import("./dashboardDisputes.ts")));
suite("decisions", async () => void (await import("./dashboardDecision.ts")));
