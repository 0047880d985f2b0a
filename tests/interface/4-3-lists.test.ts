import assert from "node:assert/strict";
import { before, test } from "node:test";
import { advance, newBuyer, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { assertError, type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
let stranger: Merchant;
/** Newest first, as every list must be. */
const intents: Wire[] = [];
/** In the order of recording, newest first. */
const payments: string[] = [];
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
  stranger = await newMerchant(service);
  for (let index = 0; index < 12; index++) intents.unshift(await shop.create({ merchantReference: `list ${index}` }));
  for (const intent of intents.slice(0, 5)) {
    payments.unshift((await pay(service, intent)).payment);
    await awaitPaid(shop, intent.id);
  }
  payments.unshift((await pay(service, intents[0], { buyer: await newBuyer(service) })).payment);
  await awaitPayment(shop, payments[0]!);
  for (const intent of intents.slice(5, 7)) await shop.cancel(intent.id);
  await pay(service, await stranger.create());
});

const idsOf = (items: readonly Wire[]): string[] => items.map(({ id }) => id);
const list = async (path: string): Promise<Wire> => {
  const answer = await shop.get(path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

for (const [path, expected] of [
  ["/payment-intents", () => idsOf(intents)],
  ["/payments", () => payments],
] as const) {
  test(`§4.9 ${path}: a walk with starting_after shows every item once, newest first`, async () => {
    for (const limit of [1, 2, 5, 6, 12, 100]) assert.deepEqual(idsOf(await shop.walk(path, limit)), expected());
  });

  test(`§4.9 ${path}: hasMore is true exactly while there is more`, async () => {
    const all = expected();
    assert.equal((await list(`${path}?limit=${all.length}`)).hasMore, false);
    assert.equal((await list(`${path}?limit=${all.length - 1}`)).hasMore, true);
    const end = await list(`${path}?starting_after=${all.at(-1)}`);
    assert.deepEqual([end.data, end.hasMore], [[], false]);
  });

  test(`§4.9.2 ${path}: ending_before gives the items just newer, still newest first`, async () => {
    const all = expected();
    const walked: string[] = [];
    for (let before = all.at(-1)!; ; ) {
      const page = await list(`${path}?limit=2&ending_before=${before}`);
      walked.unshift(...idsOf(page.data));
      assert.equal(page.hasMore, walked.length < all.length - 1);
      if (!page.hasMore || page.data.length === 0) break;
      before = page.data[0].id;
    }
    assert.deepEqual(walked, all.slice(0, -1));
    assert.deepEqual((await list(`${path}?ending_before=${all[0]}`)).data, []);
  });

  test(`§4.9 ${path}: limit is an integer from 1 to 100`, async () => {
    for (const limit of ["0", "05", "101", "-1", "1.5", "1e1", "abc", "", "%201", "1000000000000000000000", "0x10"])
      assertError(await shop.get(`${path}?limit=${limit}`), 400, "invalid_request", "limit");
  });

  test(`§4.9.5 ${path}: cursors that are no item of this list are 404`, async () => {
    const foreign = path === "/payments" ? intents[0].id : payments[0];
    const others = await stranger.walk(path, 100);
    for (const cursor of [
      "x",
      foreign,
      `pi_test_${"0".repeat(36)}`,
      "1".repeat(32),
      service.operator,
      ...idsOf(others),
      "a".repeat(5_000),
    ])
      for (const name of ["starting_after", "ending_before"])
        assertError(await shop.get(`${path}?${name}=${cursor}`), 404, "not_found");
  });

  test(`§4.9.7 ${path}: unknown and repeated parameters are refused by name`, async () => {
    const one = expected()[0];
    for (const [query, param] of [
      ["nothing=1", "nothing"],
      ["Limit=1", "Limit"],
      ["limit=1&limit=1", "limit"],
      [`starting_after=${one}&starting_after=${one}`, "starting_after"],
      [`starting_after=${one}&ending_before=${one}`, "ending_before"],
      ["status=paid&status=paid", "status"],
      ["__proto__=1", "__proto__"],
      ["=1", ""],
    ] as const)
      assertError(await shop.get(`${path}?${query}`), 400, "invalid_request", param);
  });

  test(`§4.9.7 ${path}: of several wrong parameters the first in the documented order is named, an unknown one last`, async () => {
    const filter = path === "/payments" ? "intent" : "merchant_reference";
    for (const [query, param] of [
      ["nothing=1&limit=0", "limit"],
      ["limit=0&status=x", "status"],
      ["limit=0&limit=0&status=x", "status"],
      ["starting_after=a&ending_before=b&limit=0", "limit"],
      [`ending_before=b&starting_after=a&${filter}=a&${filter}=b`, filter],
      ["nothing=1&ending_before=a&starting_after=b", "ending_before"],
    ] as const)
      assertError(await shop.get(`${path}?${query}`), 400, "invalid_request", param);
  });

  test(`§4.9.5, §4.9.6 ${path}: a NUL makes a value that matches nothing`, async () => {
    const [newest] = expected();
    for (const name of ["starting_after", "ending_before"])
      for (const cursor of ["%00", `${newest}%00`]) {
        const { message } = assertError(await shop.get(`${path}?${name}=${cursor}`), 404, "not_found");
        assert.ok(message.startsWith(`${name} must be`), message);
      }
    const filter = path === "/payments" ? `intent=${intents[0].id}` : "merchant_reference=list%203";
    assert.equal((await list(`${path}?${filter}`)).data.length > 0, true);
    for (const query of [`${filter}%00`, filter.replace("=", "=%00")])
      assert.deepEqual((await list(`${path}?${query}`)).data, [], query);
  });

  test(`§4.9.4 ${path}: new items do not disturb a walk`, async () => {
    const all = idsOf(await shop.walk(path, 100));
    const first = await list(`${path}?limit=4`);
    const made = await shop.create({ merchantReference: `meanwhile ${path}` });
    const { payment } = await pay(service, made);
    await awaitPayment(shop, payment);
    const rest = await list(`${path}?limit=100&starting_after=${first.data.at(-1).id}`);
    assert.deepEqual([...idsOf(first.data), ...idsOf(rest.data)], all);
    intents.unshift(made);
    payments.unshift(payment);
  });
}

test("§4.3 intents by merchant_reference, status and time of creation; all combine", async () => {
  const by = async (query: string) => idsOf((await list(`/payment-intents?limit=100&${query}`)).data);
  const [newest] = intents;
  assert.deepEqual(await by("merchant_reference=list%203"), [
    intents.find((one) => one.merchantReference === "list 3").id,
  ]);
  for (const nobody of ["List%203", "list+", "", "%25"])
    assert.deepEqual(await by(`merchant_reference=${nobody}`), [], nobody);
  const shown = await shop.walk("/payment-intents", 100);
  for (const status of ["requires_payment", "paid", "expired", "canceled"])
    assert.deepEqual(await by(`status=${status}`), idsOf(shown.filter((one) => one.status === status)));
  const middle = shown[6].createdAt;
  assert.deepEqual(await by(`created_after=${middle}`), idsOf(shown.filter((one) => one.createdAt > middle)));
  assert.deepEqual(await by(`created_before=${middle}`), idsOf(shown.filter((one) => one.createdAt < middle)));
  assert.deepEqual(
    await by(`status=paid&created_after=${middle}&created_before=${newest.createdAt}`),
    idsOf(shown.filter((one) => one.status === "paid" && one.createdAt > middle && one.createdAt < newest.createdAt)),
  );
  const page = await list(
    `/payment-intents?status=paid&limit=2&starting_after=${shown.find((one) => one.status === "paid").id}`,
  );
  assert.deepEqual(idsOf(page.data), idsOf(shown.filter((one) => one.status === "paid").slice(1, 3)));
});

test("§4.9.9 a time may end in Z or +00:00 and have nine fractional digits, which are cut to milliseconds", async () => {
  const [newest] = await shop.walk("/payment-intents", 100);
  const { createdAt } = newest;
  const after = async (time: string) =>
    idsOf((await list(`/payment-intents?created_after=${encodeURIComponent(time)}`)).data);
  const to = (digits: string) => createdAt.replace("Z", digits);
  for (const time of [createdAt, to("999999Z"), to("+00:00"), to("0+00:00"), to("123456+00:00")])
    assert.deepEqual(await after(time), [], time);
  const earlier = new Date(Date.parse(createdAt) - 1).toISOString();
  for (const time of [earlier, earlier.replace("Z", "999999Z"), earlier.replace("Z", "999+00:00")])
    assert.deepEqual(await after(time), [newest.id], time);
  for (const time of ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.1Z", "2020-01-01T00:00:00.123456789+00:00"])
    assert.ok((await after(time)).includes(newest.id), time);
});

test("§4.3 a reference is found by its exact text, however the query spells it", async () => {
  const references = ["why? not", "why", "a&b=c", "50%", "a+b", "ü/\u0301", "#7"];
  const made = new Map<string, string>();
  for (const merchantReference of references)
    made.set(merchantReference, (await shop.create({ merchantReference })).id);
  for (const reference of references)
    for (const spelled of [encodeURIComponent(reference), new URLSearchParams([["", reference]]).toString().slice(1)])
      assert.deepEqual(idsOf((await list(`/payment-intents?merchant_reference=${spelled}`)).data), [
        made.get(reference),
      ]);
  const asIs = await list("/payment-intents?merchant_reference=why?%20not&limit=1");
  assert.deepEqual(idsOf(asIs.data), [made.get("why? not")], "a second question mark belongs to the value");
  for (const id of made.values()) intents.unshift(await shop.intent(id));
});

test("§4.9.7 a filter with a value that cannot be is refused by name", async () => {
  for (const [path, param, values] of [
    ["/payment-intents", "status", ["", "open", "Paid", "paid,expired", "protected"]],
    [
      "/payment-intents",
      "created_after",
      [
        ...["", "today", "2026-02-30T00:00:00Z", "2026-01-01", "1767225600", "2026-01-01%2000:00:00Z"],
        ...["2026-01-01T00:00:00", "2026-01-01T00:00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z"],
        ...["2026-01-01T00:00:00%2B01:00", "2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00+00:00"],
      ],
    ],
    ["/payment-intents", "created_before", ["", "2026-13-01T00:00:00Z"]],
    ["/payments", "status", ["", "paid", "Protected", "requires_payment"]],
    ["/payments", "role", ["", "secondary"]],
    ["/payments", "late", ["", "1", "yes", "True"]],
    ["/payments", "settleable", ["", "0"]],
  ] as const)
    for (const value of values) assertError(await shop.get(`${path}?${param}=${value}`), 400, "invalid_request", param);
});

test("§4.6 payments by status, intent, role and settleable; a value that matches nothing is an empty list", async () => {
  const by = async (query: string) => idsOf((await list(`/payments?limit=100&${query}`)).data);
  const shown = await shop.walk("/payments", 100);
  const twice = shown.filter((one) => one.role === "duplicate");
  assert.equal(twice.length, 1);
  assert.deepEqual(await by("role=duplicate"), idsOf(twice));
  assert.deepEqual(await by("role=primary"), idsOf(shown.filter((one) => one.role === "primary")));
  assert.deepEqual(await by(`intent=${twice[0].intent}`), idsOf(shown.filter((one) => one.intent === twice[0].intent)));
  assert.deepEqual(await by(`intent=${twice[0].intent}&role=primary&status=protected`), [
    shown.find((one) => one.intent === twice[0].intent && one.role === "primary").id,
  ]);
  assert.deepEqual(await by("status=protected"), idsOf(shown));
  for (const status of ["disputed", "released", "refunded"]) assert.deepEqual(await by(`status=${status}`), []);
  for (const nobody of ["x", `pi_test_${"0".repeat(36)}`, intents.at(-1).id, ""])
    assert.deepEqual(await by(`intent=${nobody}`), [], nobody);
  assert.deepEqual(await by("settleable=true"), []);
  assert.deepEqual(await by("settleable=false"), idsOf(shown));
  assert.deepEqual(await by("late=true"), []);
});

test("§4 what another business has is not found, and not in a list", async () => {
  const [foreign] = await stranger.walk("/payment-intents", 100);
  await awaitPaid(stranger, foreign.id);
  for (const path of [`/payment-intents/${foreign.id}`, `/payments/${(await stranger.intent(foreign.id)).payment.id}`])
    assertError(await shop.get(path), 404, "not_found");
  assertError(await shop.cancel(foreign.id), 404, "not_found");
  assertError(await shop.confirm(foreign.id, "1".repeat(64)), 404, "not_found");
  assert.deepEqual((await shop.get(`/payments?intent=${foreign.id}`)).json.data, []);
});

test("§4.2, §4.6 ids that are none are not found", async () => {
  for (const id of ["x", "pi_test_", `pi_live_${"0".repeat(36)}`, "..%2fme", "%27%20or%201=1", "null", "undefined"]) {
    assertError(await shop.get(`/payment-intents/${id}`), 404, "not_found");
    assertError(await shop.get(`/payments/${id}`), 404, "not_found");
    assertError(await shop.cancel(id), 404, "not_found");
    assertError(await shop.confirm(id, "1".repeat(64)), 404, "not_found");
  }
});

test("§3.2.4 after the deadline payments are listed as settleable until they are settled", async () => {
  const shown = await shop.walk("/payments", 100);
  await advance(service, 7 * 86_400);
  const now = await shop.walk("/payments?settleable=true", 100);
  assert.ok(now.every((one) => one.settleable && one.status === "protected"));
  for (const { id } of shown) await awaitPayment(shop, id, "released");
  assert.deepEqual((await list("/payments?settleable=true")).data, []);
  assert.deepEqual(idsOf(await shop.walk("/payments?status=released", 3)), idsOf(shown));
});
