import assert from "node:assert/strict";
import { test } from "node:test";
import { draftLink, type PaymentLink } from "../features/links/link.ts";
import { insertLink } from "../features/links/queries.ts";
import { someAddress } from "../features/staff/testing/objects.ts";
import { sql } from "../store/sql.ts";
import { openTestDatabase } from "../store/testing.ts";
import { linkStarts } from "./linkIntents.ts";

test("§13.21.3 two links of one title each make intents, whatever references the other's hold", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  const links = linkStarts({ database, checkoutUrl: "https://pay.shop.example" });
  const terms = { recipient: someAddress(), asset: someAddress(), amount: "5", protectionPeriod: "oneDay" } as const;
  const newLink = async (): Promise<PaymentLink> => {
    const given = { ...terms, title: "Workshop", description: null, seatsMax: null, expiresAt: null };
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
