import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonObject } from "../../domain/json.ts";
import { loggedRequest } from "./request.ts";

const CALLER = {
  businessId: "biz_1",
  environment: "test",
  keyId: "key_1",
  scope: "full",
  intentLifetimeMinutes: null,
} as const;
const ANSWERED = {
  requestId: `req_${"0".repeat(32)}`,
  method: "POST",
  url: "/api/v1/payment-intents",
  params: {},
  status: 201,
  durationMs: 1.5,
  members: null,
  answer: '{"object":"payment_intent","id":"pi_test_1","status":"requires_payment"}',
};
const logged = (differs: object) => loggedRequest(CALLER, { ...ANSWERED, ...differs });

test("§13.9 a body is kept as it was sent, without metadata; one that is too long, or empty, is not", () => {
  const members = parseJsonObject('{ "amount": "1e2", "metadata": {"card": "4242"}, "memo": "\\u0041" }');
  assert.equal(logged({ members }).body, '{"amount":"1e2","memo":"\\u0041"}');
  assert.equal(logged({ members: parseJsonObject('{"metadata":{}}') }).body, null);
  const offer = parseJsonObject('{"total":"5","text":"We talked to Ms Berg."}');
  assert.equal(logged({ members: offer }).body, '{"total":"5"}', "the texts of a dispute");
  const file = parseJsonObject('{"name":"passport.png","size":5,"sha256":"00"}');
  assert.equal(logged({ members: file }).body, '{"size":5}', "the name of a file");
  assert.equal(logged({ members: parseJsonObject(`{"memo":"${"x".repeat(2_000)}"}`) }).body, null);
});

test("§13.9 a secret that was sent where it does not belong is not kept, in the path or the body", () => {
  const url = `/api/v1/me?key=sk_live_${"a".repeat(40)}&then=1`;
  const body = logged({ url, members: parseJsonObject('{"memo":"whsec_c2VjcmV0/+= and sk_test_abc"}') });
  assert.equal(body.path, "/api/v1/me?key=sk_live_…&then=1");
  assert.equal(body.body, '{"memo":"whsec_… and sk_test_…"}');
  assert.equal(logged({ url: `/${"p".repeat(900)}` }).path.length, 500);
});

test("§13.9 a request is about the id in its path, or about what it made; any other text is the id of nothing", () => {
  assert.equal(logged({}).objectId, "pi_test_1");
  assert.equal(logged({ params: { id: "pi_test_2" } }).objectId, "pi_test_2");
  for (const id of ["\u0000", "a b", "x".repeat(121), ""]) assert.equal(logged({ params: { id } }).objectId, null);
  assert.equal(logged({ answer: '{"object":"list","data":[]}' }).objectId, null);
});

test("§13.9 a refused request keeps its answer, and the error's code is that of the answer; any other keeps none", () => {
  const answer = '{"error":{"code":"reference_in_use","message":"…","intent":"pi_test_1"}}';
  const refused = logged({ status: 409, answer });
  assert.deepEqual([refused.errorCode, refused.objectId, refused.answer], ["reference_in_use", null, answer]);
  assert.deepEqual([logged({}).errorCode, logged({}).answer], [null, null]);
  const long = `{"error":{"code":"invalid_request","message":"${"x".repeat(1_000)}"}}`;
  assert.deepEqual(
    [logged({ status: 400, answer: long }).errorCode, logged({ status: 400, answer: long }).answer],
    ["invalid_request", null],
  );
  const secret = `{"error":{"code":"invalid_request","param":"sk_test_${"a".repeat(20)}","message":"…"}}`;
  assert.ok(logged({ status: 400, answer: secret }).answer!.includes('"param":"sk_test_…"'));
});

test("§13.9 what no longer fits once secrets are marked in it is not kept: its row would undo everybody's batch", () => {
  const prefixes = "sk_test_ ".repeat(215);
  const { body } = logged({ members: parseJsonObject(`{"memo":"${prefixes}"}`) });
  assert.equal(body, null);
  const answer = `{"error":{"code":"invalid_request","message":"${"whsec_ ".repeat(130)}"}}`;
  assert.ok(answer.length <= 1_000);
  assert.equal(logged({ status: 400, answer }).answer, null);
});
