import { after, before, test } from "node:test";
import { inForm } from "../../tests/harness/form.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { runCreates } from "./creates.ts";

/** Enough for every fault, in the long form many times. `npm run faults -- creates` makes 10,000. */
const CREATES = inForm({ short: 300, long: 2_000 });

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

test(`${CREATES} creates through a network that resets, cuts, hangs and refuses make one intent each, and no key is used for two bodies`, async (t) => {
  t.diagnostic(JSON.stringify(await runCreates(service, { seed: 20_261_123, creates: CREATES })));
});
