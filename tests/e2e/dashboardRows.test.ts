import { after, suite } from "node:test";
import { closeWorld } from "./dashboardWorld.ts";

/** Pages of the dashboard on the staff API without a chain: what they show is rows of the database. */
after(closeWorld);

// The first user signs up where there is none.
suite("staff", async () => void (await import("./dashboardStaff.ts")));
suite("company sign-in", async () => void (await import("./dashboardCompany.ts")));
suite("home and books", async () => void (await import("./dashboardHome.ts")));
suite("money", async () => void (await import("./dashboardMoney.ts")));
suite("payments", async () => void (await import("./dashboardPayments.ts")));
