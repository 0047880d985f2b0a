import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

const ITEMS = 40;

let service: RunningService;
let merchant: Merchant;
before(async () => {
  service = await sharedService();
  merchant = await newMerchant(service);
  for (let index = 0; index < ITEMS; index++) {
    const intent = await merchant.create();
    if (index % 3 === 0) await merchant.cancel(intent.id);
  }
});
after(() => service?.remove());

const listOf = async (path: string, query: string): Promise<{ ids: string[]; hasMore: boolean }> => {
  const answer = await merchant.get(`${path}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return { ids: answer.json.data.map((item: Wire) => item.id), hasMore: answer.json.hasMore };
};

/** The page that the list should return, worked out on the whole of it. */
function expected(all: readonly string[], limit: number, cursor: number | null, older: boolean) {
  const rest = cursor === null ? all : older ? all.slice(cursor + 1) : all.slice(0, cursor);
  return { ids: older ? rest.slice(0, limit) : rest.slice(-limit), hasMore: rest.length > limit };
}

test("§4.9 every operation that answers a list has the rules of lists, by the document and by its answers", async () => {
  const { id } = await merchant.create();
  const document: Wire = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  const lists = Object.entries<Wire>(document.paths).filter(([, { get }]) => {
    const name = get?.responses[200].content["application/json"]?.schema.$ref?.split("/").at(-1);
    return document.components.schemas[name]?.properties?.object?.const === "list";
  });
  assert.ok(lists.length > 4, `${lists.length} lists`);
  for (const [template, { get }] of lists) {
    const names: string[] = get.parameters.map(({ name }: Wire) => name);
    for (const name of ["limit", "starting_after", "ending_before"]) assert.ok(names.includes(name), template);
    const path = template.replace("{id}", id);
    for (const [query, status, param] of [
      ["limit=0", 400, "limit"],
      ["limit=101", 400, "limit"],
      ["zz=1", 400, "zz"],
      ["starting_after=x&ending_before=x", 400, "ending_before"],
      ["starting_after=nobody", 404, undefined],
      ["ending_before=nobody", 404, undefined],
    ] as const) {
      const answer = await merchant.get(`${path}?${query}`);
      assert.deepEqual(
        [answer.status, answer.json.error?.param],
        [status, param],
        `${template}?${query} ${answer.text}`,
      );
    }
  }
});

test("§4.19 fulfillments are newest first, and every page is a cut of them", async () => {
  const { id } = await merchant.create();
  const path = `/payment-intents/${id}/fulfillments`;
  const made: string[] = [];
  for (const carrier of ["A", "B", "C", "D"]) made.unshift((await merchant.call("POST", path, { carrier })).json.id);
  assert.deepEqual((await listOf(path, "")).ids, made);
  for (const limit of [1, 2, 3, 4, 5])
    for (const [index, cursor] of [null, ...made].entries())
      for (const older of cursor === null ? [true] : [true, false]) {
        const place = cursor === null ? "" : `&${older ? "starting_after" : "ending_before"}=${cursor}`;
        const page = expected(made, limit, cursor === null ? null : index - 1, older);
        assert.deepEqual(await listOf(path, `limit=${limit}${place}`), page);
      }
});

for (const [path, filter] of [
  ["/payment-intents", ""],
  ["/payment-intents", "status=canceled&"],
  ["/events", ""],
  ["/events", "type=payment_intent.canceled&"],
] as const)
  test(`§4.9 any page of ${path}?${filter} either way is the cut of the whole list`, async () => {
    const all = (await listOf(path, `${filter}limit=100`)).ids;
    assert.ok(all.length >= 10 && all.length < 100);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.option(fc.nat({ max: all.length - 1 })),
        fc.boolean(),
        async (limit, cursor, isOlder) => {
          const older = cursor === null || isOlder;
          const place = cursor === null ? "" : `&${older ? "starting_after" : "ending_before"}=${all[cursor]}`;
          assert.deepEqual(await listOf(path, `${filter}limit=${limit}${place}`), expected(all, limit, cursor, older));
        },
      ),
      { numRuns: 60 },
    );
  });

test("§4.9 a walk shows every item that existed when it began, once, while writers add more", async () => {
  const before = (await listOf("/payment-intents", "limit=100")).ids;
  const writing = (async () => {
    for (let index = 0; index < 10; index++) await merchant.create();
  })();
  const walked = (await merchant.walk("/payment-intents", 3)).map((item: Wire) => item.id);
  await writing;
  assert.equal(new Set(walked).size, walked.length);
  assert.deepEqual(
    walked.filter((id) => before.includes(id)),
    before,
  );
});
