import { type Check, expectTaken, textOf } from "../check.ts";
import { type Exchange, isTaken } from "../handler.ts";
import { MENDS } from "../mend.ts";

const AT_ONCE = 50;
const SLOW_MS = 1_000;

const NOT_IMPLEMENTED = 501;
/** A handler may refuse the method, by any answer that is not an error of its own. */
const isAnswered = ({ status }: Exchange): boolean => status !== null && (status < 500 || status === NOT_IMPLEMENTED);

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
  {
    name: "head",
    group: "robustness",
    says: "A HEAD request, as scanners of links send it, is no error, and deliveries after it are taken.",
    costs: "Whoever finds the address can fill your log with errors, or end the process, and no event arrives.",
    mend: MENDS.VERIFY,
    run: async (handler) => {
      const head = await handler.head();
      return isAnswered(head)
        ? expectTaken(await handler.deliver((await handler.order()).created()))
        : { sent: head.sent, came: textOf(head) };
    },
  },
];
