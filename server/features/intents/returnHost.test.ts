import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { draftCreation, insertIntents } from "./createIntent.ts";
import { aNewIntent } from "./fixtures.ts";

const SETTINGS = { checkoutUrl: "https://pay.example.com", lifetimeMs: 60_000 };

/** A shop with a proven domain and a return address at another host, and one with neither. */
async function openShops() {
  const opened = await openTestDatabase();
  const { database } = opened;
  for (const id of ["biz_1", "biz_2"]) {
    await database.rows(sql`insert into businesses (id, name, created_at) values (${id}, 'Shop', now())`);
    await database.rows(sql`insert into event_counters (business_id, environment) values (${id}, 'test')`);
  }
  await database.rows(sql`
    insert into business_domains (business_id, domain, token, claimed_at, proven_at, next_check_at)
    values ('biz_1', 'shop.example', 'token', now(), now(), now())`);
  await database.rows(sql`
    update businesses set domain = 'shop.example', return_url = 'https://orders.example:8443/{intentId}' where id = 'biz_1'`);
  return opened;
}

let orders = 0;
const draft = (businessId: string, returnUrl: string | null) =>
  draftCreation(
    SETTINGS,
    { businessId, environment: "test" },
    aNewIntent({ merchantReference: `order-${++orders}`, returnUrl }),
    new Date(),
    null,
  );

const OWN = [
  null,
  "https://shop.example/a",
  "https://shop.example:8443/a",
  "https://www.shop.example/{intentId}",
  "https://orders.example:8443/other",
];
const FOREIGN = [
  "https://orders.example/",
  "https://sub.orders.example:8443/",
  "https://notshop.example/",
  "https://shop.example.evil.example/",
  "https://evil.example/?shop.example",
  "https://example/",
];

test("§4.1.7 an intent leads back only to the proven domain, a name below it, or the host of the business's return address", async () => {
  await using opened = await openShops();
  const { database } = opened;
  const outcomes = (drafts: ReturnType<typeof draft>[]) =>
    insertIntents(database, drafts).then((all) =>
      all.map(({ made, isReturnHostAllowed }) => {
        assert.equal(made, isReturnHostAllowed);
        return made;
      }),
    );
  for (const url of OWN) assert.deepEqual(await outcomes([draft("biz_1", url)]), [true], String(url));
  for (const url of FOREIGN) assert.deepEqual(await outcomes([draft("biz_1", url)]), [false], url);
  // In one statement, each is judged by its own business.
  const together = [...OWN, ...FOREIGN].flatMap((url) => [draft("biz_1", url), draft("biz_2", url)]);
  assert.deepEqual(
    await outcomes(together),
    [...OWN.map((url) => [true, url === null]), ...FOREIGN.map(() => [false, false])].flat(),
  );
});
