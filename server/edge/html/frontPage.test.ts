import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createServer } from "../http/server.ts";
import { registerFrontPage } from "./frontPage.ts";

test("the root leads to a payment, to the page for shop owners and to the sign-in; that page describes, and promises nothing", async () => {
  const { app } = createServer([]);
  registerFrontPage(app, "http://localhost/dashboard");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const [face, shops] = await Promise.all([read("/"), read("/shops")]);
  for (const link of ["/pay", "/shops", "http://localhost/dashboard", "/docs"])
    assert.ok(face.includes(`href="${link}"`), link);
  for (const title of [
    "What it costs",
    "Who decides disputes",
    "How the money becomes euros",
    "Who is liable for what",
  ])
    assert.ok(shops.includes(title), title);
  assert.doesNotMatch(shops, /custod|guarant|court/i);
  await app.close();
});
