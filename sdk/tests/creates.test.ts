import { after, before, test } from "node:test";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { runCreates } from "./creates.ts";

/** Enough for every fault to meet every step many times. `npm run faults -- creates` makes 10,000. */
const CREATES = 2_000;

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

test(`${CREATES} creates through a network that resets, cuts, hangs and refuses make one intent each, and no key is used for two bodies`, async (t) => {
  t.diagnostic(JSON.stringify(await runCreates(service, { seed: 20_261_123, creates: CREATES })));
});
