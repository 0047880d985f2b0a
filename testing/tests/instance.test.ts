import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Holdfast } from "@holdfast/sdk";
import { inForm } from "../../tests/harness/form.ts";
import { eventually, HUNG_MS } from "../../tests/harness/wait.ts";
import { createInstance } from "../index.ts";
import { withoutSettings } from "../instance.ts";

const CLONE = fileURLToPath(new URL("../..", import.meta.url));
const PORT_MAX = 32_767;

test("an instance of a clone's own start is paid, disputed, ruled on, killed and refunded, lets time pass, and leaves nothing", async (t) => {
  // A setting of the process that starts it: the instance would refuse it.
  process.env.ASSET_PARS = "of another deployment";
  t.after(() => {
    delete process.env.ASSET_PARS;
  });
  // Slots of a tenth of a validator's, so that the test waits less.
  const instance = await createInstance({ dir: CLONE, env: { LOCAL_CHAIN: '{"slotMs":40}' } });
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
    const paid = await client.paymentIntents.waitFor(first.id, { status: "paid", timeoutMs: HUNG_MS });
    assert.equal(paid.payment?.id, payment);
    await instance.dispute(first.id);
    await instance.rule(first.id, { total: "1000000" });
    await instance.restart();
    const again = await instance.pay(first.id, { again: true });
    assert.equal((await instance.refund(first.id, { again: true })).payment, again.payment);
    await instance.pay(second.id);
    await instance.advance(3_700);
    for await (const { type } of client.events.follow({ after: "0", signal: AbortSignal.timeout(HUNG_MS) }))
      if (type === "payment.settleable") break;
    await assert.rejects(instance.pay(second.id), { name: "InstanceError" });
  } finally {
    await instance.close();
  }
  assert.equal(existsSync(instance.dataDir), false);
  await assert.rejects(fetch(`${instance.apiUrl}/me`));
});

/** No owner can answer the first. */
const SIGNALS = inForm<readonly NodeJS.Signals[]>({ short: ["SIGKILL"], long: ["SIGKILL", "SIGTERM"] });

test("an instance whose process is ended by a signal ends too, and its data is removed", async () => {
  const script = `
    import { createInstance } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
    const { apiUrl, dataDir } = await createInstance({ dir: ${JSON.stringify(CLONE)} });
    console.log(JSON.stringify({ apiUrl, dataDir }));
    setInterval(() => undefined, 60_000);`;
  for (const signal of SIGNALS) {
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(owner, "exit");
    const [line] = await once(createInterface(owner.stdout), "line");
    const { apiUrl, dataDir } = JSON.parse(line) as Readonly<Record<"apiUrl" | "dataDir", string>>;
    owner.kill(signal);
    assert.deepEqual(await ended, [null, signal]);
    await eventually(`the data is removed after ${signal}`, () => !existsSync(dataDir));
    await assert.rejects(fetch(`${apiUrl}/me`), signal);
    await eventually(`nothing runs after ${signal}`, async () => (await listCommandsWith(dataDir)).length === 0);
  }
});

/** The running processes whose arguments or variables name this folder. */
async function listCommandsWith(folder: string): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(
    // A process that ended meanwhile, and one of another user, has nothing to read.
    ids.flatMap((id) => ["cmdline", "environ"].map((name) => readFile(`/proc/${id}/${name}`, "utf8").catch(() => ""))),
  );
  return texts.filter((text) => text.includes(folder));
}

test("no setting of another deployment reaches an instance, not even the file with the address of its database", async () => {
  const settings = ["ASSET_PARS", "DATABASE_URL", "LIVE_CHAIN", "RATES_FILE", "RATES_URL", "SCREENING", "WEBHOOK_KEYS"];
  const files = ["DATABASE_URL_FILE", "METRICS_TOKEN_FILE", "SMTP_URL_FILE", "WEBHOOK_KEYS_FILE"];
  const env = Object.fromEntries([...settings, ...files].map((name) => [name, "of another deployment"]));
  assert.deepEqual(await withoutSettings(CLONE, { ...env, PATH: "/bin", HOME: "/root" }), {
    PATH: "/bin",
    HOME: "/root",
  });
});

test("a folder that is no clone, and a clone that cannot start, are errors that say so", async () => {
  await assert.rejects(createInstance({ dir: tmpdir() }), /is no clone of Holdfast/);
  await assert.rejects(
    createInstance({ dir: CLONE, env: { LOCAL_CHAIN: "{" } }),
    /ended at its start[\s\S]*LOCAL_CHAIN/,
  );
});
