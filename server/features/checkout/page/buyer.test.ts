import assert from "node:assert/strict";
import { test } from "node:test";
import inject from "light-my-request";
import { Languages } from "../../../edge/buyer/languages.ts";
import { createServer } from "../../../edge/http/server.ts";
import { testContext } from "../../testing.ts";
import type { BuyerContext } from "../context.ts";
import { ENGLISH } from "../languages/english.ts";
import { ReadLimit } from "../readLimit.ts";
import { registerCheckoutPage } from "./buyer.ts";

test("§12.5 one network looks so often in a minute; pages, states and streams count together, and others are served", async (context) => {
  // The clock stands still, however busy the machine is.
  context.mock.method(performance, "now", () => 1_000);
  const { app } = createServer([]);
  const live = registerCheckoutPage(
    app,
    testContext<BuyerContext>({
      // Ids that belong to no intent never reach a database.
      siteOperator: null,
      limit: new ReadLimit("x-forwarded-for"),
      languages: new Languages([ENGLISH]),
      sendsEmails: false,
      assets: [{ path: "/pay/assets/checkout.js", integrity: "", text: "" }],
    }),
  );
  context.after(() => Promise.all([live.stop(), app.close()]));
  const look = (path: string, network: string) =>
    inject(app.dispatch, { url: `/pay/i/x${path}`, headers: { "x-forwarded-for": network } });
  const paths = ["", "/state", "/events"];
  for (let looks = 0; looks < 1_200; looks++)
    assert.equal((await look(paths[looks % 3]!, "192.0.2.1:50000")).statusCode, 404);
  for (const path of paths) {
    const refused = await look(path, "192.0.2.1:60000");
    assert.equal(refused.statusCode, 429, path);
    assert.match(String(refused.headers["retry-after"]), /^[1-9]\d?$/);
    assert.match(refused.body, path === "" ? /Too many requests/ : /"code":"rate_limited"/);
    assert.equal((await look(path, "192.0.2.2")).statusCode, 404);
  }
});
