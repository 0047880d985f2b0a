/**
 * Changes that no test can show, each with the reason. Filled by hand after a run; a name that no longer matches a change is
 * an error.
 */
export const EXPLAINED: Readonly<Record<string, string>> = {
  "accounts.rs: if held < needed {: < to <=":
    "where it holds just as much, nothing is transferred, and nothing comes of it",
  "payout.rs: (true, true) => vault.lamports() >= due,: >= to >":
    "a vault holds its rent besides what is due, so it never holds just that",
  "sysvars.rs: if raw[0] > PRICE_MAX {: > to >=":
    "the arithmetic holds with either, and at that very price, 4 SOL a byte, nobody could open an account",
  "token.rs: InstructionAccount::writable(movement.authority.address()) and InstructionAccount::readonly_signer(movement.authority.address()) in each other's place":
    "both are one account, whose rights the runtime adds up",
};
