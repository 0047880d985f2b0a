import assert from "node:assert/strict";
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
