import { after, suite } from "node:test";
import { closeBrowser } from "./browser.ts";
import { closeService } from "./dashboardPages.ts";

/** Pages on the service that the files of a run share, with its chain. */
after(async () => {
  await closeBrowser();
  await closeService();
});

suite("a business", async () => void (await import("./dashboardBusiness.ts")));
suite("events", async () => void (await import("./dashboardEvents.ts")));
suite("the inspector", async () => void (await import("./dashboardInspector.ts")));
suite("recipients", async () => void (await import("./dashboardRecipients.ts")));
suite("the page that finds payments", async () => void (await import("./find.ts")));
