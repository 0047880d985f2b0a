import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { act, newBuyer, pay, payInVain } from "../harness/chain.ts";
import { DocumentCheck } from "../harness/document.ts";
import { awaitPaid, awaitPayment, listEvents } from "../harness/expectEvents.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, someTerms, untilTaken, type Wire } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

const COMMITTED = new URL("../../docs/openapi.json", import.meta.url);

let service: RunningService;
let shop: Merchant;
let check: DocumentCheck;
before(async () => {
  service = await sharedService();
  const plain = await newMerchant(service);
  check = new DocumentCheck(JSON.parse(readFileSync(COMMITTED, "utf8")));
  // Every answer in this file is checked against the document.
  const call: Merchant["call"] = async (method, path, body, headers) => {
    const answer = await plain.call(method, path, body, headers);
    if (check.template(path) !== null) check.check(method, path, answer);
    return answer;
  };
  shop = {
    ...plain,
    call,
    get: (path) => call("GET", path),
    cancel: (id) => call("POST", `/payment-intents/${id}/cancel`),
    confirm: (id, signature) => call("POST", `/payment-intents/${id}/confirm`, { signature }),
  };
});
after(() => service?.remove());

const statusOf = async (answer: Promise<Answer>): Promise<number> => (await answer).status;

test("the documents are what the service serves: npm run openapi brings them up to date", async () => {
  for (const [path, committed] of [
    ["/openapi.json", COMMITTED],
    ["/pay/openapi.json", new URL("../../docs/openapi-checkout.json", import.meta.url)],
  ] as const) {
    const served = await exchange("GET", `${service.checkoutUrl}${path}`);
    assert.equal(served.status, 200);
    assert.equal(served.text, readFileSync(committed, "utf8"));
  }
});

test("the documents and /docs need no key, and are not sent again to one who has them", async () => {
  for (const path of ["/openapi.json", "/pay/openapi.json", "/docs"]) {
    const first = await exchange("GET", `${service.checkoutUrl}${path}`);
    const etag = first.headers.etag!;
    assert.match(etag, /^"[\w-]{43}"$/);
    const again = await exchange("GET", `${service.checkoutUrl}${path}`, { headers: [["If-None-Match", etag]] });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag]);
    const other = await exchange("GET", `${service.checkoutUrl}${path}`, { headers: [["If-None-Match", '"other"']] });
    assert.equal(other.status, 200);
  }
});

test("the document is valid OpenAPI 3.1, and every reference in it leads somewhere", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(check.document));
  assert.ok(valid, JSON.stringify(errors));
  for (const [, ref] of JSON.stringify(check.document).matchAll(/"\$ref":"#([^"]+)"/g))
    assert.notEqual(check.at(ref!), undefined, ref);
});

test("every example is what its schema says", () => {
  const media = findMedia(check.document, "");
  assert.ok(media.length > 50, `${media.length} examples`);
  for (const [pointer, example] of media)
    assert.deepEqual(check.problems(`${pointer}/schema`, example), [], `${pointer}: ${JSON.stringify(example)}`);
  for (const { parameters } of operations())
    for (const { schema, example, name } of parameters)
      if (example !== undefined && schema.pattern !== undefined)
        assert.match(example, new RegExp(schema.pattern, "u"), name);
});

test("the check finds a field too many, one too few, and one of another kind", () => {
  const pointer = "/components/schemas/PaymentIntent";
  const media = check.at("/paths/~1payment-intents~1{id}/get/responses/200/content/application~1json");
  const intent = media.examples.example.value;
  const { status: _, ...less } = intent;
  assert.deepEqual(check.problems(pointer, intent), []);
  const wrong = [
    { ...intent, extra: 1 },
    less,
    { ...intent, amount: 5 },
    { ...intent, payment: { ...intent.payment, x: 1 } },
  ];
  for (const one of wrong) assert.notDeepEqual(check.problems(pointer, one), []);
});

test("every code has an example, an answer that names it, and an entry in docs/errors.md", () => {
  const entries = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const answers = Object.keys(check.document.components.responses).join(" ");
  assert.ok(errorCodes().length > 10);
  for (const code of errorCodes()) {
    assert.notEqual(check.at(`/components/examples/${code}`), undefined, code);
    assert.match(answers, new RegExp(`\\.${code}\\b`));
    const entry = new RegExp(`^## ${code}$(.*?)(?=^## |$(?!.))`, "ms").exec(entries)?.[1] ?? "";
    const shown = [...entry.matchAll(/^\{"error":.*$/gm)].map(([line]) => JSON.parse(line));
    assert.ok(shown.length > 0, `docs/errors.md shows no ${code}`);
    for (const answer of shown) assert.deepEqual(check.problems(errorSchema(code), answer), [], JSON.stringify(answer));
  }
});

test("§5.10 whatever explains the scopes of keys names each of them", () => {
  const { document } = check;
  const { scope } = document.components.schemas.Business.properties.apiKey.properties;
  assert.ok(scope.enum.length > 2);
  const errors = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const forbidden = /^## forbidden$(.*?)^## /ms.exec(errors)![1]!;
  for (const text of [`full ${scope.description}`, document.info.description, forbidden])
    for (const name of scope.enum) assert.match(text, new RegExp(`\\b${name}\\b`), text);
});

test("every event type is a webhook of the document, with its headers", () => {
  const { schemas } = check.document.components;
  const kinds = Object.keys(schemas).filter((name) => name.endsWith("Event") && schemas[name].properties !== undefined);
  const types = kinds.flatMap((name) => schemas[name].properties.type.enum);
  assert.deepEqual(Object.keys(check.document.webhooks).toSorted(), types.toSorted());
  for (const { post } of Object.values<Wire>(check.document.webhooks))
    assert.deepEqual(
      ["Service-Event-Id", "Service-Event-Type", "Service-Api-Version", "Service-Signature"].filter(
        (name) => !post.parameters.some((one: Wire) => one.name === name && one.required),
      ),
      [],
    );
});

test("the root names the pages, and every page has an icon", async () => {
  const root = await exchange("GET", `${service.checkoutUrl}/`);
  assert.deepEqual([root.status, root.headers["content-type"]], [200, "text/html; charset=utf-8"]);
  const hrefs = [...root.text.matchAll(/href="([^"]*)"/g)].map(([, href]) => new URL(href!, service.checkoutUrl));
  assert.deepEqual(
    hrefs.map(({ pathname }) => pathname),
    ["/pay", "/shops", "/dashboard", "/docs", "/openapi.json", "/llms.txt", "/readyz"],
  );
  for (const href of hrefs.filter(({ pathname }) => pathname !== "/dashboard")) {
    // A slow machine's chain may be late for /readyz.
    const { status } = await untilTaken(() => exchange("GET", href.href));
    assert.equal(status, 200, href.pathname);
  }
  const icon = await exchange("GET", `${service.checkoutUrl}/favicon.ico`);
  assert.deepEqual([icon.status, icon.headers["content-type"]], [200, "image/x-icon"]);
});

test("/docs is one page without scripts or foreign resources, with a curl line per operation", async () => {
  const { status, text, headers } = await exchange("GET", `${service.checkoutUrl}/docs`);
  assert.equal(status, 200);
  assert.match(headers["content-security-policy"] as string, /^default-src 'none'; style-src 'sha256-[^']+'; /);
  assert.doesNotMatch(text, /<script|<link|<img|<iframe|@import|url\(|src=|style=| on[a-z]+="/i);
  // A block may scroll sideways, which takes the focus to do by keyboard.
  assert.doesNotMatch(text, /<pre(?![^>]* tabindex="0")/);
  const hrefs = [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
  for (const href of hrefs)
    if (href.startsWith("#")) assert.ok(text.includes(`id="${href.slice(1)}"`), `${href} leads nowhere`);
    else assert.ok(["/openapi.json", `${service.checkoutUrl}/pay/openapi.json`].includes(href), href);
  for (const code of errorCodes()) assert.ok(text.includes(`id="error-${code}"`), code);
  for (const name of Object.keys(check.document.components.schemas))
    if (!name.startsWith("Error")) assert.ok(text.includes(`id="object-${name}"`), name);
  for (const { operationId } of operations())
    assert.match(text, new RegExp(`id="${operationId}">.*?curl [^<]*${service.port}/api/v1/`, "s"), operationId);
});

test("answers to good requests are as documented: create, read, list, cancel, replay", async () => {
  const terms = someTerms(service, { metadata: { "a/b": [1.0, "\u00e9"] } });
  const key: [string, string] = ["Idempotency-Key", "once"];
  const created = await shop.call("POST", "/payment-intents", terms, [key]);
  assert.equal(created.status, 201);
  const replayed = await shop.call("POST", "/payment-intents", terms, [key]);
  assert.equal(replayed.headers["idempotent-replayed"], "true");
  await shop.get(`/payment-intents/${created.json.id}`);
  await shop.get("/payment-intents?limit=1&status=requires_payment");
  assert.equal((await shop.cancel(created.json.id)).json.status, "canceled");
  assert.equal(await statusOf(shop.get("/me")), 200);
  assert.equal(
    await statusOf(shop.get("/events?after_sequence=0&wait=1&type=payment_intent.*&type=payment.protected")),
    200,
  );
});

test("refusals are as documented: every status a merchant can cause", async () => {
  const { id } = await shop.create();
  await shop.cancel(id);
  const taken = someTerms(service);
  await shop.call("POST", "/payment-intents", taken, [["Idempotency-Key", "taken"]]);
  const bare = (method: string, path: string, headers: [string, string][]) =>
    exchange(method, `${service.apiUrl}${path}`, { headers }).then((answer) => {
      check.check(method, path, answer);
      return answer;
    });
  const cases: [expected: number, answer: Promise<Answer>][] = [
    [400, shop.call("POST", "/payment-intents", "[")],
    [400, shop.call("POST", "/payment-intents", {})],
    [400, shop.get("/payments?limit=0")],
    [400, shop.call("GET", "/me", undefined, [["Service-Api-Version", "1999-01-01"]])],
    [401, bare("GET", "/me", [])],
    [403, bare("GET", "/me", [["Origin", "https://shop-demo.com"]])],
    [404, shop.get(`/payment-intents/${id.replace(/.$/, "x")}`)],
    [404, shop.get("/payments?starting_after=nobody")],
    [409, shop.cancel(id)],
    [409, shop.call("POST", "/payment-intents", taken)],
    [409, shop.call("POST", "/payment-intents", {}, [["Idempotency-Key", "taken"]])],
    [413, shop.call("POST", "/payment-intents", " ".repeat(16_385))],
    [415, shop.call("POST", "/payment-intents", "x", [["Content-Type", "text/plain"]])],
  ];
  for (const [expected, answer] of cases) assert.equal((await answer).status, expected, (await answer).text);

  const slow = await newMerchant(service, { rate: 1 });
  const answers = [await slow.get("/me"), await slow.get("/me"), await slow.get("/me")];
  for (const answer of answers) check.check("GET", "/me", answer);
  assert.ok(answers.some(({ status }) => status === 429));
});

test("payments, confirmations and events are as documented, whatever became of them", async () => {
  const intent = await shop.create();
  const { signature } = await pay(service, intent);
  assert.match((await shop.confirm(intent.id, signature)).json.outcome, /^(bound|already_recorded)$/);
  const paid = await awaitPaid(shop, intent.id);
  await act(service, service.wallets["buyer-1"], "dispute", paid.payment.id);
  await awaitPayment(shop, paid.payment.id, "disputed");
  await act(service, service.wallets.arbiter, "resolve_refund", paid.payment.id);
  await awaitPayment(shop, paid.payment.id, "refunded");
  await pay(service, intent, { buyer: await newBuyer(service) });
  await eventually(
    "the duplicate is recorded",
    async () => (await shop.get("/payments?role=duplicate")).json.data.length > 0,
  );

  const other = await shop.create();
  assert.equal(await statusOf(shop.confirm(other.id, signature)), 409);
  assert.equal(await statusOf(shop.confirm(other.id, (await payInVain(service, other)).signature)), 409);
  await pay(service, other, { amount: "4999999" });
  await eventually("the mismatch has its event", async () => (await listEvents(shop, other.id)).length > 1);

  await shop.get(`/payment-intents/${intent.id}`);
  const { data } = (await shop.get("/events?limit=100")).json;
  for (const { id } of data) assert.equal(await statusOf(shop.get(`/events/${id}`)), 200);
  const types = new Set(data.map(({ type }: Wire) => type));
  for (const type of [
    "payment.disputed",
    "payment.refunded",
    "payment_intent.duplicate_payment",
    "payment_intent.payment_mismatch",
  ])
    assert.ok(types.has(type), `there is no ${type}`);
  for (const event of data) assert.deepEqual(check.problems(webhookSchema(event.type), event), []);
});

/** The codes of the document's error objects. */
const errorCodes = (): string[] =>
  Object.values<Wire>(check.document.components.schemas).flatMap((schema) => {
    const code = schema.properties?.error?.properties?.code?.const;
    return code === undefined ? [] : [code];
  });

const errorSchema = (code: string): string => {
  const names = Object.keys(check.document.components.schemas);
  const name = names.find(
    (one) => check.at(`/components/schemas/${one}/properties/error/properties/code/const`) === code,
  );
  return `/components/schemas/${name}`;
};
const webhookSchema = (type: string): string => `/webhooks/${type}/post/requestBody/content/application~1json/schema`;

const operations = (): Wire[] => Object.values<Wire>(check.document.paths).flatMap((path) => Object.values<Wire>(path));

/** Every media type of the document with each of its examples. */
function findMedia(value: Wire, pointer: string): [pointer: string, example: unknown][] {
  if (typeof value !== "object" || value === null) return [];
  const named = Object.values<Wire>(value.examples ?? {}).map(
    (one) => one.value ?? check.at(one.$ref?.slice(1) ?? "")?.value,
  );
  const here = value.schema === undefined || Array.isArray(value.examples) ? [] : [...named, value.example];
  const isMedia = pointer.endsWith("/application~1json");
  return [
    ...(isMedia ? here.filter((one) => one !== undefined).map((one): [string, unknown] => [pointer, one]) : []),
    ...Object.entries(value).flatMap(([name, inner]) =>
      findMedia(inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    ),
  ];
}

test("§9 what a pattern cannot say is in the description, and a link leads to verify", async () => {
  const { json } = await exchange("GET", `${service.checkoutUrl}/openapi.json`);
  const schemas: Wire[] = [];
  const visit = (value: Wire) => {
    if (typeof value !== "object" || value === null) return;
    if (typeof value.pattern === "string") schemas.push(value);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(json);
  for (const [length, bytes] of [
    ["{32,44}", 32],
    ["{64,88}", 64],
  ] as const) {
    const found = schemas.filter(({ pattern }) => pattern.endsWith(`${length}$`));
    assert.ok(found.length > 0, length);
    for (const one of found)
      if (one.description !== undefined) assert.match(one.description, new RegExp(`exactly ${bytes} bytes`));
  }
  const cursors = Object.fromEntries(
    json.paths["/events"].get.parameters.map(({ name, description }: Wire) => [name, description]),
  );
  assert.match(cursors.starting_after, /Not together with `ending_before`/);
  assert.match(cursors.after_sequence, /Not together with `starting_after` or `ending_before`/);
  const links = Object.values<Wire>(json.paths["/payment-intents"].post.responses["201"].links);
  assert.ok(links.some(({ operationId }) => operationId === "verifySignature"));
});

test("§6.6 the examples of docs/events.md are whole: every type has one, with all fields of its object", () => {
  const { components } = JSON.parse(readFileSync(COMMITTED, "utf8"));
  const fieldsOf: Record<string, string[]> = {
    payment: components.schemas.Payment.required,
    payment_intent: components.schemas.PaymentIntent.required,
    dispute: components.schemas.Dispute.required,
  };
  const text = readFileSync(new URL("../../docs/events.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => JSON.parse(json!));
  for (const { type, data } of examples)
    for (const object of [data.object, data.object.payment ?? data.object]) {
      const expected = fieldsOf[object.object];
      if (expected !== undefined) assert.deepEqual(Object.keys(object).toSorted(), expected.toSorted(), type);
    }
  const dispute = (name: string) => examples.find(({ type }) => type === `dispute.${name}`).data;
  const { reason, requestedTotal, statements, files } = dispute("opened").object;
  const none = { buyer: 0, merchant: 0 };
  assert.deepEqual([reason, requestedTotal, statements, files], ["not_given", null, none, none], "no text yet");
  const before = (name: string) => ({ ...dispute(name).object, ...dispute(name).previousAttributes });
  assert.deepEqual(before("updated"), dispute("opened").object);
  assert.deepEqual(before("closed"), dispute("decided").object);
  const types: string[] = [...text.matchAll(/^### ([a-z_]+\.[a-z_]+)$/gm)].map(([, type]) => type!);
  const shown = new Set(examples.map(({ type }) => type));
  assert.deepEqual(
    types.filter((type) => !shown.has(type)),
    [],
  );
});
