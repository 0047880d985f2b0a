import type { Chain } from "../chain/chain.ts";
import type { Figure } from "../edge/http/metrics.ts";
import { booksFigures } from "../features/books/figures.ts";
import { chainFigures } from "../features/chains/figures.ts";
import { sponsorFigures } from "../features/checkout/sponsoring/figures.ts";
import { recordingFigures } from "../features/recording/figures.ts";
import { settlementFigures } from "../features/settlement/figures.ts";
import { webhookFigures } from "../features/webhooks/figures.ts";
import { listLoops } from "../lib/loop.ts";
import type { Database } from "../store/database.ts";

/** The figures that an operator watches: the lag behind the chain, the queues, and the requests to the chain. */
export const overviewFigures = (
  database: Database,
  chains: readonly Chain[],
  held: ReadonlySet<string>,
): readonly Figure[] => [
  ...chainFigures(database, chains),
  ...recordingFigures(database),
  ...webhookFigures(database),
  ...settlementFigures(database, chains),
  ...booksFigures(database),
  ...sponsorFigures(database, chains),
  {
    name: "holdfast_loop_overdue_seconds",
    help: "Time for which each loop of this process has owed a step without an error; 0 while it waits for the next.",
    labels: ["loop"],
    read: async () => listLoops().map(({ name, seconds }) => ({ labels: { loop: name }, value: seconds })),
  },
  {
    name: "holdfast_held",
    help: "1 for each part that HOLD switches off in this process.",
    labels: ["part"],
    read: async () => [...held].map((part) => ({ labels: { part }, value: 1 })),
  },
];
