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
  cells: "the directory of the cells",
};

/** A whole run has more statements than this. Fewer: they were not collected. */
export const STATEMENTS_MIN = 600;
