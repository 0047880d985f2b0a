import { PAYMENT_ACCOUNT_SIZE, TOKEN_PROGRAM_ID, TOMBSTONE_ACCOUNT_SIZE } from "@holdfast/escrow-client";
import type { CostEstimate } from "../builder.ts";
import { ChainUnavailableError, readDeadline } from "../port.ts";
import type { Clock } from "./clock.ts";
import type { NodeSession, Pool } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseInteger } from "./shapes.ts";
import { TOKEN_ACCOUNT_SIZE } from "./tokenAccounts.ts";

/** The price of rent changes a few times in a cluster's life. */
const KEPT_MS = 60_000;
/** An estimate that is only shown, and made exact before the wallet signs, may be older. */
const SHOWN_MS = 3_600_000;
/** A cluster has few sizes of token accounts, but a mint may have any extensions. */
const KEPT_MAX = 100;

/** A payment's record, its vault and its tombstone. */
const ESTIMATED_SIZES = [PAYMENT_ACCOUNT_SIZE, TOKEN_ACCOUNT_SIZE, TOMBSTONE_ACCOUNT_SIZE] as const;

/** The minimum balance of an account of `size` bytes, in lamports. */
export type FetchRent = (session: NodeSession, size: number) => Promise<bigint>;

/** Keeps the rents that this process has read for a while. */
export function createRents(pool: Pool, clock: Clock, log: SolanaSettings["log"]) {
  const rents = new Map<number, { readonly lamports: bigint; readonly atMs: number }>();
  let askedAtMs = Number.NEGATIVE_INFINITY;

  const fetchRent: FetchRent = async (session, size) => {
    const kept = rents.get(size);
    if (kept !== undefined && clock.now() - kept.atMs < KEPT_MS) return kept.lamports;
    const lamports = BigInt(parseInteger(await session.call("getMinimumBalanceForRentExemption", [size]), "rent"));
    if (rents.size >= KEPT_MAX) rents.clear();
    rents.set(size, { lamports, atMs: clock.now() });
    return lamports;
  };

  async function readAgain(): Promise<void> {
    if (clock.now() - askedAtMs < KEPT_MS) return;
    askedAtMs = clock.now();
    try {
      await pool
        .queue(readDeadline())
        .ask((session) => Promise.all(ESTIMATED_SIZES.map((size) => fetchRent(session, size))));
    } catch (error) {
      // Pages then say that the cost is shown later.
      if (!(error instanceof ChainUnavailableError)) log("The price of rent could not be read.", error);
    }
  }

  return {
    fetchRent,
    /** Never waits: missing and old figures are read in the background, at most once a minute. */
    estimateCost: (tokenProgram: string | null): CostEstimate | null => {
      if (tokenProgram !== TOKEN_PROGRAM_ID) return null;
      const known = ESTIMATED_SIZES.map((size) => rents.get(size));
      if (known.some((rent) => rent === undefined || clock.now() - rent.atMs >= SHOWN_MS)) void readAgain();
      const [record, vault, tombstone] = known.map((rent) => rent?.lamports);
      if (record === undefined || vault === undefined || tombstone === undefined) return null;
      return { lamports: record + vault, backLamports: vault, tombstoneLamports: tombstone };
    },
  };
}
