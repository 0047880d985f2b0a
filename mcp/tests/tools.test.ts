import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { admin } from "../../tests/harness/admin.ts";
import { pay } from "../../tests/harness/chain.ts";
import { type Merchant, newMerchant } from "../../tests/harness/merchant.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { eventually } from "../../tests/harness/wait.ts";
import { type Agent, ERAS, startAgent } from "./client.ts";

const READ_ONLY = "chain_status explain_signature find list_events list_intents list_payments search_docs whoami".split(
  " ",
);
const WRITING = ["create_test_intent", "local_play"];

let service: RunningService;
let shop: Merchant;
/** Its key may only read, and it knows of no local run. */
let reader: Agent;
/** The key of the shop, on the machine of the local run. */
let developer: Agent;
let readKey: string;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
  readKey = (await admin(service, "key", "add", shop.business, "--scope", "read", "--rate", "1000000")).secret;
  reader = await startAgent({ HOLDFAST_API_KEY: readKey, HOLDFAST_API_URL: service.apiUrl });
  developer = await startAgent({ ...at(shop.key), HOLDFAST_DATA: service.dataDir });
});
after(async () => {
  for (const agent of [reader, developer]) await agent?.[Symbol.asyncDispose]();
  await service?.remove();
});

const at = (key: string) => ({ HOLDFAST_API_KEY: key, HOLDFAST_API_URL: service.apiUrl });

for (const [era, mode] of Object.entries(ERAS))
  test(`${era}: ten tools, each with the schema of its answer; eight say that they only read`, async () => {
    await using agent = await startAgent(at(readKey), { mode });
    assert.equal(agent.client.getProtocolEra(), era);
    assert.match(agent.client.getInstructions() ?? "", /^Holdfast .*\n.*Begin with find/s);
    const { tools } = await agent.client.listTools();
    const byHint = (hint: boolean) => tools.filter(({ annotations }) => annotations?.readOnlyHint === hint);
    assert.deepEqual(
      [byHint(true), byHint(false)].map((some) => some.map(({ name }) => name).sort()),
      [READ_ONLY, WRITING],
    );
    for (const { name, title, description = "", inputSchema, outputSchema } of tools) {
      assert.ok(title && description.length > 40, name);
      assert.deepEqual([inputSchema.additionalProperties, outputSchema?.type], [false, "object"], name);
    }
    const { id, environment, apiKey } = await agent.call("whoami");
    assert.deepEqual([id, environment, apiKey.scope], [shop.business, "test", "read"]);
    assert.match(await agent.refusal("list_intents", { status: "lost" }), /status/);
    assert.match(await agent.refusal("find", { query: "x", deep: true }), /deep/);
    await assert.rejects(agent.call("steal"), /steal/);
  });

test("an order, its payment and its dispute are found by everything that a person may have of them", async () => {
  const reference = `order of ${shop.business}`;
  const intent = await developer.call("create_test_intent", { merchantReference: reference, amount: "7000000" });
  assert.deepEqual([intent.status, intent.recipient], ["requires_payment", service.recipient]);
  assert.equal((await reader.call("find", { query: reference })).intents[0].payment, null);
  const played = await developer.call("local_play", { act: "pay", intent: intent.id });
  await eventually("it is paid", async () => (await shop.intent(intent.id)).status === "paid");
  await developer.call("local_play", { act: "dispute", intent: intent.id });
  const dispute = await eventually("it is disputed", async () => {
    const { disputes } = await reader.call("find", { query: reference });
    return disputes[0];
  });
  const { data: events } = await reader.call("list_events", { intent: intent.id, type: ["payment_intent.*"] });
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ["payment_intent.paid", "payment_intent.created"],
  );
  const payment = await shop.payment(played.payment);
  for (const [kind, query] of Object.entries({
    ...{ reference, intent: intent.id, dispute: dispute.id, event: events[0].id },
    ...{ payment: payment.id, signature: played.signature, wallet: payment.sender },
  })) {
    const found = await reader.call("find", { query });
    const ids = [found.intents, found.payments, found.disputes].map(([one]) => one?.id);
    assert.deepEqual([found.kind, ...ids], [kind, intent.id, payment.id, dispute.id], found.says);
    assert.equal(found.events.length, kind === "event" ? 1 : 0);
  }
  for (const query of ["no such order", `pi_test_${"0".repeat(36)}`, service.recipient, "1".repeat(64)])
    assert.equal((await reader.call("find", { query })).kind, "nothing", query);
  const { data } = await reader.call("list_payments", { status: "disputed", intent: intent.id });
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [payment.id],
  );
});

test("a transaction is explained, and why a late payment is late is in its payment", async () => {
  const [paid, other] = [await shop.create(), await shop.create({ amount: "1" })];
  await shop.cancel(paid.id);
  const { signature } = await pay(service, paid);
  await eventually("it is paid", async () => (await shop.intent(paid.id)).status === "paid");
  const { payments } = await reader.call("find", { query: paid.merchantReference });
  assert.match(payments[0].lateReason, /^(paid|found)_after_cancel$/);
  const explained = await reader.call("explain_signature", { intent: other.id, signature });
  assert.deepEqual([explained.outcome, explained.reason], ["signature_unverified", "no_payment_for_intent"]);
  assert.equal((await reader.call("explain_signature", { intent: paid.id, signature })).outcome, "already_recorded");
  const { environment, nodes } = await reader.call("chain_status");
  assert.deepEqual([environment, nodes.total], ["test", 1]);
});

test("the documents of the service are searched in words", async () => {
  const { sections } = await reader.call("search_docs", { query: "verify the signature of a webhook" });
  assert.match(sections[0].url, /webhook/);
  assert.ok(sections[0].text.length > 100);
  assert.deepEqual((await reader.call("search_docs", { query: "xyzzy plugh" })).sections, []);
});

/** Values that fit an argument of this schema, and some that fit none. */
function valuesOf(schema: Readonly<Record<string, unknown>>, ids: readonly string[]): unknown[] {
  if (Array.isArray(schema.enum)) return [...schema.enum, "other"];
  if (schema.type === "boolean") return [true, false];
  if (schema.type === "integer") return [1, 10, -1];
  if (schema.type === "array") return [["payment.*"], ["x"]];
  return [...ids, "1000", "2026-11-20T08:30:00Z", "x", ""];
}

/** The service reads unfinished payments again every minute, which moves `checkedAt`. */
const withoutChecks = (name: string, value: unknown) => (name === "checkedAt" ? undefined : value);

test("no tool with any argument changes anything by a key that reads, not even on the machine of the local run", async () => {
  const intent = await shop.create();
  await using agent = await startAgent({ ...at(readKey), HOLDFAST_DATA: service.dataDir });
  const lists = ["/payment-intents", "/payments", "/disputes", "/events"];
  const readState = async () => {
    const clock = await (await fetch(`${service.controlUrl}/clock`)).json();
    const objects = JSON.stringify(await Promise.all(lists.map((path) => shop.walk(path, 100))), withoutChecks);
    return [JSON.parse(objects), (clock as { offsetMs: number }).offsetMs];
  };
  const before = await readState();
  const { tools } = await agent.client.listTools();
  let calls = 0;
  for (const { name, inputSchema } of tools) {
    const properties = Object.entries(inputSchema.properties ?? {}) as [string, Record<string, unknown>][];
    const required = Object.fromEntries(
      properties
        .map(([key, schema]) => [key, valuesOf(schema, [intent.id])[0]])
        .filter(([key]) => (inputSchema.required ?? []).includes(key as string)),
    );
    const all = [{}, required].concat(
      properties.flatMap(([key, schema]) =>
        valuesOf(schema, [intent.id, service.recipient]).map((value) => ({
          ...required,
          intent: intent.id,
          [key]: value,
        })),
      ),
    );
    for (const given of all) {
      const allowed = Object.fromEntries(
        Object.entries(given).filter(([key]) => properties.some(([own]) => own === key)),
      );
      const { isError } = await agent.client.callTool({ name, arguments: allowed });
      calls++;
      if (WRITING.includes(name)) assert.equal(isError, true, `${name} ${JSON.stringify(allowed)}`);
    }
  }
  assert.ok(calls > 100);
  assert.deepEqual(await readState(), before);
  assert.match(await agent.refusal("create_test_intent"), /scope read/);
  assert.match(await agent.refusal("local_play", { act: "pay", intent: intent.id }), /scope read/);
});

test("away from a local run nothing is played there, and a test intent needs its recipient and token", async () => {
  await using away = await startAgent(at(shop.key));
  assert.match(await away.refusal("local_play", { act: "advance", by: "oneHour" }), /on a local chain alone/);
  assert.match(await away.refusal("create_test_intent"), /Give recipient and asset/);
});

test("without a key the tools are there, and say how to get one; a service that is away is said", async () => {
  await using keyless = await startAgent({});
  assert.match(await keyless.refusal("whoami"), /holdfast login/);
  await using lost = await startAgent({ HOLDFAST_API_KEY: shop.key, HOLDFAST_API_URL: "http://localhost:9" });
  const said = await lost.refusal("chain_status");
  assert.match(said, /could not be reached/);
  assert.ok(!said.includes(shop.key));
});
