import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { admin } from "../harness/admin.ts";
import { checkBuyerAnswer } from "../harness/buyerDocument.ts";
import { act, pay } from "../harness/chain.ts";
import { DocumentCheck } from "../harness/document.ts";
import { awaitPaid, checkSequences, listEvents } from "../harness/expectEvents.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
let check: DocumentCheck;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
  check = new DocumentCheck(JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")));
});

/** Calls the API. Every answer is checked against the document. */
async function call(
  merchant: Merchant,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  headers: readonly (readonly [string, string])[] = [],
): Promise<Answer> {
  const answer = await (method === "GET" ? merchant.get(path) : merchant.call("POST", path, body, headers));
  check.check(method, path.split("?", 1)[0]!, answer);
  return answer;
}

async function newDispute(): Promise<Wire> {
  const intent = await shop.create();
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  await act(service, service.wallets["buyer-1"], "dispute", payment.id);
  return eventually("the dispute is open", async () => {
    const { json } = await call(shop, "GET", `/disputes?payment=${payment.id}`);
    return json.data[0];
  });
}

test("§4.18.9 a merchant reads a dispute, writes and asks for the arbiter; each is one event in the sequence", async () => {
  const opened = await newDispute();
  const path = `/disputes/${opened.id}`;
  const read = await call(shop, "GET", path);
  assert.deepEqual([read.json.statements, read.json.nextActions[0].action], [[], "answer"]);

  const key = [["Idempotency-Key", `statement-${opened.id}`]] as const;
  const said = await call(
    shop,
    "POST",
    `${path}/statements`,
    { text: "It was sent on Monday.\r\nHere is the number." },
    key,
  );
  assert.deepEqual([said.status, said.json.turn, said.json.statements.length], [201, "buyer", 1], said.text);
  const repeated = await call(
    shop,
    "POST",
    `${path}/statements`,
    { text: "It was sent on Monday.\r\nHere is the number." },
    key,
  );
  assert.equal(repeated.text, said.text, "sent once under one key");
  assert.equal(said.json.statements[0].text, "It was sent on Monday.\nHere is the number.");

  assert.equal((await call(shop, "POST", `${path}/ask-arbiter`)).status, 200);
  assert.equal((await call(shop, "POST", `${path}/ask-arbiter`)).json.error.reason, "already_asked");

  const events = (await listEvents(shop, opened.intent)).filter(({ type }) => type.startsWith("dispute."));
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.object.statements.merchant, data.object.offers.length]),
    [
      ["dispute.opened", 0, 0],
      ["dispute.updated", 1, 0],
      ["dispute.updated", 1, 0],
    ],
  );
  assert.ok(!/Monday/.test(JSON.stringify(events)), "events have no text");
  await checkSequences(shop);
});

test("§4.18.9 400: what is no statement is refused, and changes nothing", async () => {
  const { id } = await newDispute();
  for (const [body, param] of [
    [{}, "text"],
    [{ text: "" }, "text"],
    [{ text: "  " }, "text"],
    [{ text: "a\u0007b" }, "text"],
    [{ text: "a\u202eb" }, "text"],
    [{ text: "x".repeat(5_001) }, "text"],
    [{ text: "€".repeat(4_001) }, "text"],
    [{ text: "Yes.", side: "buyer" }, "side"],
  ] as const) {
    const answer = await call(shop, "POST", `/disputes/${id}/statements`, body);
    assertError(answer, 400, "invalid_request", param);
  }
  const escaped = `{"text":"${"\\u0439".repeat(2_740)}"}`;
  const long = await call(shop, "POST", `/disputes/${id}/statements`, escaped);
  assertError(long, 413, "bad_request");
  assert.match(long.json.error.message, /letters in UTF-8 instead of \\u escapes/);
  const { turn, offers, statements } = (await call(shop, "GET", `/disputes/${id}`)).json;
  assert.deepEqual([turn, offers, statements], ["merchant", [], []]);
});

test("§4.20 a key announces a file, its bytes are put without a key, and its owner alone reads it again", async () => {
  const { id } = await newDispute();
  const bytes = new TextEncoder().encode("Delivered on Monday, signed by J.\n");
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const announced = await call(shop, "POST", `/disputes/${id}/files`, {
    name: "a.html",
    size: bytes.length,
    sha256: digest,
  });
  assert.equal(announced.status, 201, announced.text);
  const { uploadUrl } = announced.json;
  assert.ok(!uploadUrl.startsWith(service.apiUrl), "no rule of the API has an exception");
  const send = async () => {
    const answer = await exchange("PUT", uploadUrl, { body: bytes });
    checkBuyerAnswer("PUT", new URL(uploadUrl).pathname, answer);
    return answer;
  };
  const [put, again] = [await send(), await send()];
  assert.deepEqual([put.status, again.status], [201, 404]);
  for (const { headers } of [put, again]) assert.match(headers["request-id"] as string, /^req_[0-9a-f]{32}$/);
  const { json } = await call(shop, "GET", `/disputes/${id}`);
  const [file] = json.files;
  assert.deepEqual([json.turn, file.side, file.name, file.sha256], ["buyer", "merchant", "a.html.txt", digest]);
  assert.equal(file.id, put.json.id);
  const path = file.url.slice(service.apiUrl.length);
  const answer = await call(shop, "GET", path);
  assert.equal(answer.text, new TextDecoder().decode(bytes));
  assert.equal(answer.headers["content-type"], "text/plain; charset=utf-8");
  assert.match(answer.headers["content-disposition"]!, /^attachment; /);
  assert.equal(answer.headers["cache-control"], "no-store");
  const head = await shop.call("HEAD", path);
  const own = ["date", "request-id", "ratelimit-remaining", "ratelimit-reset"];
  const lasting = (headers: Answer["headers"]) => Object.entries(headers).filter(([name]) => !own.includes(name));
  assert.deepEqual([head.status, lasting(head.headers)], [200, lasting(answer.headers)], "HEAD is GET without a body");
  assert.equal((await fetch(file.url)).status, 401);
  const other = await newMerchant(service);
  assertError(await call(other, "GET", `/disputes/${id}/files/${file.id}`), 404, "not_found");
});

/** The writes of a key with the scope `disputes`. */
const OF_DISPUTES = [
  ...["sendDisputeStatement", "withdrawDisputeOffer", "declineDisputeOffer"],
  ...["announceDisputeFile", "askArbiter", "recordFulfillment"],
];

test("§5.10 scopes × routes: disputes writes texts and nothing else, read reads; other businesses get 404", async () => {
  const { id, payment, intent } = await newDispute();
  const keyOf = async (scope: string) => {
    const { id, secret } = await admin(service, "key", "add", shop.business, "--scope", scope, "--rate", "1000");
    return merchantOf(service, shop.business, id, secret);
  };
  const [reader, writer, other] = [await keyOf("read"), await keyOf("disputes"), await newMerchant(service)];
  const offer = `/disputes/${id}/offers/of_test_${"0".repeat(36)}`;
  for (const [method, path, body, statuses] of [
    ["GET", "/disputes", undefined, [200, 200]],
    ["GET", `/disputes/${id}`, undefined, [200, 200]],
    ["POST", `/disputes/${id}/statements`, { text: "Yes." }, [403, 201]],
    ["POST", `/disputes/${id}/files`, { name: "a.txt", size: 1, sha256: "0".repeat(64) }, [403, 201]],
    ["GET", `/disputes/${id}/files/df_test_${"0".repeat(36)}`, undefined, [404, 404]],
    ["POST", `${offer}/withdraw`, undefined, [403, 404]],
    ["POST", `${offer}/decline`, undefined, [403, 404]],
    ["POST", `/disputes/${id}/ask-arbiter`, undefined, [403, 200]],
    ["POST", `/payment-intents/${intent}/fulfillments`, { carrier: "DHL" }, [403, 201]],
    ["GET", `/payment-intents/${intent}/fulfillments`, undefined, [200, 200]],
    ["POST", `/payments/${payment}/refund`, { total: "1" }, [403, 403]],
    ["POST", `/payment-intents/${intent}/cancel`, undefined, [403, 403]],
    ["POST", "/payment-intents", {}, [403, 403]],
  ] as const) {
    const answers = [await call(reader, method, path, body), await call(writer, method, path, body)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
      `${method} ${path}: ${answers.map(({ text }) => text)}`,
    );
    if (path.startsWith("/disputes/")) assertError(await call(other, method, path, body), 404, "not_found");
  }
  assert.deepEqual((await call(other, "GET", "/disputes")).json.data, []);
  for (const path of [`/disputes/${id}/offers`, `${offer}/accept`])
    assertError(await shop.call("POST", path, { total: "1" }), 404, "not_found");
  // Every other write is refused. A new one is here by being declared.
  const writes = Object.entries<{ post?: { operationId: string } }>(check.document.paths).flatMap(([path, { post }]) =>
    post === undefined ? [] : [[path.replaceAll(/\{\w+\}/g, "x"), post.operationId] as const],
  );
  assert.ok(writes.length >= 11, "all writes were found");
  for (const [path, operation] of writes) {
    const isOpen = operation === "verifySignature" || operation === "verifyX402Payment";
    const isForDisputes = OF_DISPUTES.includes(operation);
    for (const [key, isAllowed] of [[reader, isOpen] as const, [writer, isOpen || isForDisputes] as const])
      assert.equal((await key.call("POST", path, {})).status === 403, !isAllowed, path);
  }
});
