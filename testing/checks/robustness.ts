import { type Check, expectTaken } from "../check.ts";
import { isTaken } from "../handler.ts";
import { MENDS } from "../mend.ts";

const AT_ONCE = 50;
const SLOW_MS = 1_000;

export const ROBUSTNESS: readonly Check[] = [
  {
    name: "fifty_at_once",
    group: "robustness",
    says: `${AT_ONCE} deliveries at once are answered by a 2xx in time.`,
    costs: "On your best day deliveries fail, and come again minutes and hours later.",
    mend: MENDS.AT_ONCE,
    run: async (handler) => {
      const lives = await Promise.all(Array.from({ length: AT_ONCE }, () => handler.order()));
      const all = await Promise.all(lives.map((life) => handler.deliver(life.created())));
      return expectTaken(all.find((one) => !isTaken(one)) ?? all[0]!);
    },
  },
  {
    name: "slow_body",
    group: "robustness",
    says: "A body that arrives in pieces is taken.",
    costs: "Deliveries over a slow line fail at random.",
    mend: MENDS.VERIFY,
    run: async (handler) => expectTaken(await handler.deliver((await handler.order()).created(), { slowMs: SLOW_MS })),
  },
];
