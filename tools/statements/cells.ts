import type { Mixed } from "./check.ts";

/**
 * The tables of no cell: people and how they sign in. They lie in the main database, whatever cells there are. Every other
 * table is one of each cell.
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
};

/**
 * Modules whose statements mix both, with the global tables, and why they do. Each has to become two statements. The list
 * only gets shorter.
 */
export const MIXED: readonly Mixed[] = [
  {
    path: "server/features/disputes/desk/letterQueries.ts",
    tables: ["users"],
    why: "A letter goes to the arbiter who holds the case, or to all without a conflict of interest.",
  },
  {
    path: "server/features/disputes/desk/queries.ts",
    tables: ["users"],
    why: "The desk names who holds a case, and counts the cases of each arbiter.",
  },
];

/** Triggers whose function names tables of the other kind. */
export const MIXED_TRIGGERS: Readonly<Record<string, string>> = {
  users_no_arbiter: "ends what a user holds of cases, in every cell, when the user is an arbiter no longer",
};

/** A whole run has more statements than this. Fewer: they were not collected. */
export const STATEMENTS_MIN = 600;
