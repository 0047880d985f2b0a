import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import { pay } from "../harness/chain.ts";
import { awaitPaid, checkSequences } from "../harness/expectEvents.ts";
import type { Answer } from "../harness/http.ts";
import { type Merchant, merchantOf, newMerchant, someTerms } from "../harness/merchant.ts";
import { type RunningService, sharedService, spawnService } from "../harness/service.ts";

// A worker with an API of its own, and two further processes with ROLE=api, as behind a proxy.
let service: RunningService;
let shop: Merchant;
let processes: ApiProcess[] = [];
let doors: Merchant[] = [];
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
  processes = await Promise.all([startApiProcess(service), startApiProcess(service)]);
  doors = processes.map((one) => merchantOf(one.service, shop.business, shop.keyId, shop.key));
});
after(async () => {
  await Promise.allSettled(processes.map((one) => one.kill("SIGTERM")));
  await service?.remove();
});

/** Creates and repeats with the same key at the next process until there is a final answer, as a client behind a proxy does. */
async function createForGood(key: string, first: number): Promise<Answer> {
  const terms = someTerms(service, { merchantReference: key });
  for (let turn = first; ; turn++) {
    const door = doors[turn % doors.length]!;
    const answer = await door.call("POST", "/payment-intents", terms, [["Idempotency-Key", key]]).catch(() => null);
    if (answer !== null && answer.status !== 503 && answer.json?.error?.code !== "idempotency_in_progress")
      return answer;
    await sleep(20);
  }
}

test("ROLE=api an intent made by one process is read by the others, and its payment is bound for all", async () => {
  const intent = await doors[0]!.create();
  assert.equal((await doors[1]!.intent(intent.id)).id, intent.id);
  await pay(service, intent);
  await awaitPaid(shop, intent.id);
  for (const door of doors) assert.equal((await door.intent(intent.id)).status, "paid");
});

test("ROLE=api one of several is killed under load: nothing is lost, nothing is done twice", async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `kill-${index}`);
  const running = keys.map(async (key, index) => {
    await sleep(index * 3);
    return createForGood(key, index);
  });
  await sleep(200);
  await processes[0]!.kill("SIGKILL");
  const answers = await Promise.all(running);
  for (const answer of answers) assert.equal(answer.status, 201, answer.text);
  assert.equal(new Set(answers.map(({ json }) => json.id)).size, keys.length);
  const made = (await shop.walk("/payment-intents", 100)).filter((one) => one.merchantReference.startsWith("kill-"));
  assert.equal(made.length, keys.length, "one intent a key");
  await checkSequences(shop);
});

test("PORT a second instance on the same port is refused and harms nothing", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-second-"));
  const env = { DATABASE_URL: "postgresql://nobody@localhost:1/none" };
  const second = spawnService({ dataDir, databaseUrl: null, env }, service.port);
  const { code } = await second.ended;
  assert.equal(code, 1);
  assert.match(second.errors(), /The port \d+ is in use by another program/);
  await rm(dataDir, { recursive: true, force: true });
  assert.equal((await shop.get("/me")).status, 200);
});
