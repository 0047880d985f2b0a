import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../server/store/sql.ts";
import { inForm } from "../harness/form.ts";
import { exchange } from "../harness/http.ts";
import { newMerchant, untilTaken } from "../harness/merchant.ts";
import { standingService } from "../harness/service.ts";
import { openServiceDatabase } from "./serviceDatabase.ts";

const OFFERS = inForm({ short: 200, long: 10_000 });
const AT_ONCE = 50;

test(`§12.20 ${OFFERS} offers to strangers write no row`, async (t) => {
  const service = await standingService();
  const database = await openServiceDatabase(service);
  t.after(() => database.close());
  const shop = await newMerchant(service);
  const intent = await shop.create();
  // Loops of the service write for other businesses meanwhile, and delete counts of earlier minutes.
  const list = () =>
    database.rows<{ row: string }>(sql`
      select 'rate ' || name as row from checkout_rates
      union all select 'terms ' || hash from checkout_terms where business_id = ${shop.business}
      union all select 'attempt ' || id from checkout_attempts where business_id = ${shop.business}
      union all select 'key ' || key from idempotency_keys where business_id = ${shop.business}
      union all select 'intent ' || id from intents where business_id = ${shop.business}
      union all select 'event ' || id from events where business_id = ${shop.business}`);
  const before = new Set((await list()).map(({ row }) => row));
  for (let asked = 0; asked < OFFERS; asked += AT_ONCE) {
    const network = (at: number) => [["X-Forwarded-For", `10.9.${asked / AT_ONCE}.${at}`]] as const;
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        untilTaken(() => exchange("POST", intent.x402Url, { headers: network(at) })),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 402, text);
  }
  assert.deepEqual(
    (await list()).filter(({ row }) => !before.has(row)),
    [],
  );
});
