import type { Mixed } from "./check.ts";

/**
 * The tables of no cell: they lie in a database of their own, whatever cells there are. Every other table is one of each
 * cell: those of businesses, and those of which each cell has its own rows (`clocks`, `known_assets`, `chain_inbox`).
 */
export const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  users: "people, who may be members of businesses in several cells",
  backup_codes: "of a user",
  passkeys: "of a user",
  sessions: "of a user",
  known_browsers: "of a user",
  one_time_secrets: "of a user, or before there is one",
  sign_in_tries: "counts what strangers try, before anyone knows who they are",
  user_log: "what was done about a user",
  chains: "the chain of an environment, and how far it was read for all businesses",
  deployments: "the program and the operator's account of a chain",
  sponsor_budgets: "sums over the sponsorships of all businesses",
};

const PER_CHAIN = "Figures are counted for each environment that has a chain.";
const WATERMARK = "The watermark of the environment stands in the row of its chain.";
const NAMED_CHAIN = "A page, proof or record names the cluster and the program of its payment.";

/**
 * Modules whose statements mix both, with the global tables, and why they do. Each has to become two statements, or the
 * table one of each cell. The list only gets shorter.
 */
export const MIXED: readonly Mixed[] = [
  { path: "server/edge/http/figures.ts", tables: ["chains"], why: PER_CHAIN },
  {
    path: "server/features/chains/queries.ts",
    tables: ["chains"],
    why: "Untying a chain deletes what was read of it, unless there are intents or events.",
  },
  { path: "server/features/checkout/page/queries.ts", tables: ["chains"], why: NAMED_CHAIN },
  { path: "server/features/checkout/receipt/queries.ts", tables: ["chains"], why: NAMED_CHAIN },
  {
    path: "server/features/checkout/sponsoring/queries.ts",
    tables: ["sponsor_budgets"],
    why: "A reservation counts in the sums of its environment, under one lock.",
  },
  { path: "server/features/disputes/decision/queries.ts", tables: ["chains"], why: NAMED_CHAIN },
  {
    path: "server/features/disputes/desk/letterQueries.ts",
    tables: ["users"],
    why: "A letter goes to the arbiter who holds the case, or to all without a conflict of interest.",
  },
  {
    path: "server/features/disputes/desk/queries.ts",
    tables: ["chains", "users"],
    why: "The desk names who holds a case, counts the cases of each arbiter, and names the cluster.",
  },
  { path: "server/features/disputes/proof/queries.ts", tables: ["chains"], why: NAMED_CHAIN },
  { path: "server/features/disputes/queries.ts", tables: ["chains"], why: WATERMARK },
  { path: "server/features/intents/expiry.ts", tables: ["chains"], why: WATERMARK },
  { path: "server/features/links/fragments.ts", tables: ["chains"], why: WATERMARK },
  { path: "server/features/links/queries.ts", tables: ["chains"], why: WATERMARK },
  { path: "server/features/receipts/queries.ts", tables: ["chains", "deployments"], why: NAMED_CHAIN },
  {
    path: "server/features/recording/sweep/behindWatch.ts",
    tables: ["chains"],
    why: "The watch compares the watermark with the clock and the inbox.",
  },
  {
    path: "server/features/recording/sweep/queries.ts",
    tables: ["chains"],
    why: "The cursor moves in the statement that fills the inbox, and the watermark in the one that empties it.",
  },
];

/** Triggers whose function names tables of the other kind. */
export const MIXED_TRIGGERS: Readonly<Record<string, string>> = {
  users_no_arbiter: "ends what a user holds of cases, in every cell, when the user is an arbiter no longer",
};

/** A whole run has more statements than this. Fewer: they were not collected. */
export const STATEMENTS_MIN = 600;
