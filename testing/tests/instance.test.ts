import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Holdfast } from "@holdfast/sdk";
import { createInstance } from "../index.ts";
import { withoutSettings } from "../instance.ts";

const CLONE = fileURLToPath(new URL("../..", import.meta.url));
const PORT_MAX = 32_767;

test("an instance of a clone's own start is paid, disputed, ruled on and refunded, lets time pass, and leaves nothing", async () => {
  const instance = await createInstance({ dir: CLONE });
  try {
    assert.ok(Number(new URL(instance.apiUrl).port) <= PORT_MAX);
    const client = new Holdfast({ apiKey: instance.apiKey, baseUrl: instance.apiUrl });
    const { recipient, asset } = instance;
    const create = (merchantReference: string) =>
      client.paymentIntents.create({
        ...{ recipient, asset, merchantReference },
        ...{ amount: "5000000", protectionPeriod: "oneHour" as const },
      });
    const [first, second] = [await create("one"), await create("two")];
    const { payment } = await instance.pay(first.id);
    const paid = await client.paymentIntents.waitFor(first.id, { status: "paid", timeoutMs: 60_000 });
    assert.equal(paid.payment?.id, payment);
    await instance.dispute(first.id);
    await instance.rule(first.id, { total: "1000000" });
    const again = await instance.pay(first.id, { again: true });
    assert.equal((await instance.refund(first.id, { again: true })).payment, again.payment);
    await instance.pay(second.id);
    await instance.advance(3_700);
    for await (const { type } of client.events.follow({ after: "0", signal: AbortSignal.timeout(60_000) }))
      if (type === "payment.settleable") break;
    await assert.rejects(instance.pay(second.id), { name: "InstanceError" });
  } finally {
    await instance.close();
  }
  assert.equal(existsSync(instance.dataDir), false);
  await assert.rejects(fetch(`${instance.apiUrl}/me`));
});

test("no setting of another deployment reaches an instance, not even the file with the address of its database", () => {
  const text = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
  const variables = [...text.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(([, name]) => name!);
  assert.ok(variables.includes("DATABASE_URL") && variables.includes("SCREENING"));
  const files = ["DATABASE_URL_FILE", "SMTP_URL_FILE", "METRICS_TOKEN_FILE"];
  const env = Object.fromEntries([...variables, ...files].map((name) => [name, "of another deployment"]));
  assert.deepEqual(withoutSettings({ ...env, PATH: "/bin", HOME: "/root" }), { PATH: "/bin", HOME: "/root" });
});

test("a folder that is no clone, and a clone that cannot start, are errors that say so", async () => {
  await assert.rejects(createInstance({ dir: tmpdir() }), /is no clone of Holdfast/);
  await assert.rejects(
    createInstance({ dir: CLONE, env: { LOCAL_CHAIN: "{" } }),
    /ended at its start[\s\S]*LOCAL_CHAIN/,
  );
});
