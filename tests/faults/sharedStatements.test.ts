import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../server/store/sql.ts";
import { inForm } from "../harness/form.ts";
import { newMerchant, someTerms } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import type { OpenService } from "./serviceDatabase.ts";
import { runBatching, startSides } from "./sharedStatements.ts";

const FALLBACK = /A batch of \d+ \(create_intents\) failed and is done item by item.*\n.*broken on purpose/;

let services: OpenService[] = [];
before(async () => {
  services = await startSides();
});
after(() => Promise.all(services.map((service) => service.remove())));

test("a service that batches statements answers and writes the same as one that does not", async () => {
  const size = inForm({ short: { scenarios: 1, rounds: 4 }, long: { scenarios: 2, rounds: 6 } });
  await runBatching(services, { seed: Number(process.env.BATCHING_SEED ?? 1), ...size, groups: 16 });
});

test("creates whose batch fails succeed one by one, with a log line and a count in /metrics", async () => {
  const [, service] = services as [OpenService, OpenService];
  await service.database.rows(sql`
      create function refuse_several() returns trigger language plpgsql as $$ begin
        if (select count(*) from inserted) > 1 then raise 'broken on purpose'; end if;
        return null;
      end $$`);
  await service.database.rows(sql`
      create trigger refuse_several after insert on intents referencing new table as inserted
      for each statement execute function refuse_several()`);
  // On a busy machine creates may come so far apart that none shares a statement.
  await eventually("a batch of creates fails", async () => {
    const merchant = await newMerchant(service);
    const creates = Array.from({ length: 12 }, (_, order) => {
      const terms = someTerms(service, { merchantReference: `order-${order}` });
      return merchant.call("POST", "/payment-intents", terms, [["Idempotency-Key", `key-${order}`]]);
    });
    for (const answer of await Promise.all(creates)) assert.equal(answer.status, 201, answer.text);
    return FALLBACK.test(service.errors());
  });
  const metrics = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
  assert.match(metrics, /^holdfast_batch_fallbacks_total\{batch="create_intents"\} [1-9]\d*$/m);
});
