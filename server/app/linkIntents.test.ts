import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../domain/errors.ts";
import { draftLink, type PaymentLink } from "../features/links/link.ts";
import { insertLink } from "../features/links/queries.ts";
import { someAddress } from "../features/staff/testing/objects.ts";
import { testContext } from "../features/testing.ts";
import { sql } from "../store/sql.ts";
import { openTestDatabase } from "../store/testing.ts";
import { linkStarts } from "./linkIntents.ts";

test("§13.21.3 two links of one title each make intents, whatever references the other's hold", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  const links = linkStarts(testContext({ database }));
  const terms = { recipient: someAddress(), asset: someAddress(), amount: "5", protectionPeriod: "oneDay" } as const;
  const newLink = async (): Promise<PaymentLink> => {
    const given = {
      ...terms,
      locale: null,
      price: null,
      title: "Workshop",
      description: null,
      seatsMax: null,
      expiresAt: null,
    };
    const link = draftLink({ businessId: "biz_1", environment: "test" }, given, new Date());
    assert.ok(await insertLink(database, link));
    return link;
  };
  const [one, other] = [await newLink(), await newLink()];
  for (const { id } of [one, one, one, one, one, other, other]) {
    const link = await links.find(id);
    assert.equal((await links.start(link!, "5")).kind, "made");
  }
  assert.equal((await links.find(other.id))!.intentsMade, 2);
  const rows = await database.rows<{ reference: string }>(sql`
    select merchant_reference as reference from intents i join payment_link_intents m on m.intent_id = i.id
    where m.link_id = ${other.id} order by reference`);
  assert.match(rows.map(({ reference }) => reference).join(), /^Workshop #1-[0-9a-f]{6},Workshop #2-[0-9a-f]{6}$/);
});

test("§4.21.4 each payer of a link with a price gets a quote of that moment; without a rate nothing is made", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  let rate: string | null = "1.25";
  const links = linkStarts(
    testContext({
      database,
      findAsset: async () => ({ decimals: 6, tokenProgram: "any", refusal: null }),
      findQuote: async (_, __, now) => {
        if (rate === null) throw new ApiError("unavailable", "There is no fresh rate.");
        const until = new Date(Math.ceil((now.getTime() + 900_000) / 1_000) * 1_000).toISOString();
        return { rate, source: "ecb", at: "2026-11-27T00:00:00.000Z", until, spread: "0.01" };
      },
    }),
  );
  const terms = { recipient: someAddress(), asset: someAddress(), amount: null, protectionPeriod: "oneDay" } as const;
  const price = '{"currency":"EUR","amount":"10.00"}';
  const given = { ...terms, locale: null, price, title: "Workshop", description: null };
  const link = draftLink(
    { businessId: "biz_1", environment: "test" },
    { ...given, seatsMax: null, expiresAt: null },
    new Date(),
  );
  assert.ok(await insertLink(database, link));
  const press = async () => links.start((await links.find(link.id))!, null);
  for (const next of ["1.25", "1.3"]) {
    rate = next;
    assert.equal((await press()).kind, "made");
  }
  rate = null;
  assert.equal((await press()).kind, "unpriced");
  const rows = await database.rows<{ amount: string; isShort: boolean }>(sql`
    select amount::text, expires_at = (quote::json ->> 'until')::timestamptz as "isShort" from intents order by id`);
  assert.deepEqual(rows, [
    { amount: "12500000", isShort: true },
    { amount: "13000000", isShort: true },
  ]);
  assert.equal((await links.find(link.id))!.intentsMade, 2, "a press without a rate takes no number");
});
