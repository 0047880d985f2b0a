import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { verifyWebhook } from "@holdfast/sdk/webhooks";
import { newSecret } from "@holdfast/testing";
import { newUser } from "./cli.ts";

/** A shop that ships twice what comes twice, with pages for the probe and for new orders. */
async function startShop(secret: string) {
  const shipped = new Map<string, number>();
  let orders = 0;
  const server = createServer(async (request, response) => {
    if (request.url === "/orders") return void response.end(JSON.stringify({ reference: `web ${++orders}` }));
    const reference = /^\/effects\?of=(.+)$/.exec(request.url!)?.[1];
    if (reference !== undefined)
      return void response.end(JSON.stringify({ fulfilled: shipped.get(decodeURIComponent(reference)) ?? 0 }));
    // biome-ignore lint/suspicious/noExplicitAny: as a handler in JavaScript reads it.
    const event: any = await verifyWebhook(await buffer(request), request.headers, secret).catch(() => null);
    if (event?.type === "payment_intent.paid") {
      const { merchantReference } = event.data.object;
      shipped.set(merchantReference, (shipped.get(merchantReference) ?? 0) + 1);
    }
    response.writeHead(event === null ? 400 : 204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shipped,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("conform finds a mistake by the shop's own pages: 1 and a finding, in words, JSON and JUnit, without the secret", async () => {
  const secret = newSecret();
  await using user = await newUser({ HOOK_SECRET: secret });
  await using shop = await startShop(secret);
  const words = [
    "conform",
    `${shop.url}/hooks`,
    "--secret-env",
    "HOOK_SECRET",
    "--only",
    "repeat",
    "raw_body",
    "old_secret",
  ];
  const probe = ["--probe", `${shop.url}/effects?of={reference}`, "--order", `${shop.url}/orders`, "--junit", "r.xml"];
  const found = await user.run([...words, ...probe, "--json"]);
  assert.equal(found.code, 1, found.errors);
  const verdicts = Object.fromEntries(
    found.lines[0].checks.map(({ name, verdict }: Record<string, string>) => [name, verdict]),
  );
  assert.deepEqual(verdicts, {
    ...{ genuine: "ok", redirect: "ok", timely: "ok" },
    ...{ old_secret: "not_judged", raw_body: "ok", repeat: "fail" },
  });
  assert.deepEqual([...shop.shipped.values()], [3]);
  assert.match([...shop.shipped.keys()][0]!, /^web \d+$/);
  const junit = await readFile(join(user.home, "r.xml"), "utf8");
  assert.match(junit, /failures="1"/);
  const blind = await user.run(words);
  assert.equal(blind.code, 0, blind.errors);
  assert.match(blind.out, /not judged {2}repeat .*it needs a probe/);
  assert.ok(![found.out, junit, blind.out].some((text) => text.includes(secret)));
});

test("conform is wrong usage beyond this machine, for unknown checks, and without a secret", async () => {
  await using user = await newUser({ HOLDFAST_WEBHOOK_SECRET: newSecret() });
  for (const [words, code] of [
    [["http://shop.example/hooks"], 2],
    [["http://localhost:9/", "--only", "nothing"], 2],
    [["http://localhost:9/", "--probe", "http://shop.example/{reference}"], 2],
    [["http://localhost:9/", "--order", "http://127.0.0.1.shop.example/"], 2],
    [["http://localhost:9/", "--secret-env", "NOT_SET"], 2],
    [["http://localhost:9/", "--only", "unsigned"], 1],
    [["http://shop.localhost:9/", "--only", "unsigned"], 1],
  ] as const) {
    const result = await user.run(["conform", ...words]);
    assert.equal(result.code, code, words.join(" "));
  }
  const { errors } = await user.run(["conform", "http://shop.example/hooks"]);
  assert.match(errors, /--i-own-this-host/);
});
