import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../server/store/sql.ts";
import { inForm } from "../harness/form.ts";
import { exchange } from "../harness/http.ts";
import { newMerchant } from "../harness/merchant.ts";
import { standingService } from "../harness/service.ts";
import { openServiceDatabase } from "./serviceDatabase.ts";

const OFFERS = inForm({ short: 200, long: 10_000 });
const AT_ONCE = 50;

test(`§12.20 ${OFFERS} offers to strangers write no row`, async (t) => {
  const service = await standingService();
  const database = await openServiceDatabase(service);
  t.after(() => database.close());
  const intent = await (await newMerchant(service)).create();
  // Loops of the service write elsewhere meanwhile.
  const count = () =>
    database.row(sql`
      select (select count(*) from checkout_terms) as terms, (select count(*) from checkout_attempts) as attempts,
        (select count(*) from checkout_rates) as rates, (select count(*) from idempotency_keys) as keys,
        (select count(*) from intents) as intents, (select count(*) from events) as events`);
  const before = await count();
  for (let asked = 0; asked < OFFERS; asked += AT_ONCE) {
    const network = (at: number) => [["X-Forwarded-For", `10.9.${asked / AT_ONCE}.${at}`]] as const;
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => exchange("POST", intent.x402Url, { headers: network(at) })),
    );
    for (const { status, text } of answers) assert.equal(status, 402, text);
  }
  assert.deepEqual(await count(), before);
});
