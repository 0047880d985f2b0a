import { findTokenAccountAddress, TOKEN_PROGRAM_IDS } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { WELL_KNOWN_TOKENS } from "../../domain/tokens.ts";
import type { ChainReader } from "../port.ts";
import { fetchRawAccounts } from "./account.ts";
import { fetchInChunks } from "./chunks.ts";
import { ACCOUNTS_PER_REQUEST } from "./limits.ts";
import { MINT_BYTES_MAX, parseMint, recipientKind } from "./mint.ts";
import type { NodeSession, Pool } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { holdOn, TOKEN_ACCOUNT_BYTES_MAX } from "./tokenAccounts.ts";

/** Reads the accounts that an intent's terms name: mints and recipients. */
export const createTermsReads = (
  pool: Pool,
  { programId }: SolanaSettings,
): Pick<ChainReader, "fetchMints" | "fetchTerms" | "fetchRecipient"> => ({
  fetchMints: (addresses, options) =>
    fetchInChunks(pool, addresses, ACCOUNTS_PER_REQUEST, options, async (session, chunk) => {
      const { slot, value } = await fetchAccounts(session, chunk, MINT_BYTES_MAX);
      // A node that is behind would show an outdated mint.
      session.acceptAbsence(slot);
      return { slot, value: value.map(parseMint) };
    }),

  fetchTerms: ({ asset, recipient }, options) =>
    pool.queue(options).ask(async (session) => {
      const { slot, value } = await fetchAccounts(session, [asset, recipient], MINT_BYTES_MAX);
      const mint = parseMint(value[0]!);
      if (mint === null) session.acceptAbsence(slot);
      return { value: { mint, recipient: recipientKind(recipient, value[1]!, programId) }, slot, node: session.node };
    }),

  fetchRecipient: (address, options) =>
    pool.queue(options).ask(async (session) => {
      const tokenAccounts = await findTokenAccounts(address as Address);
      const asked = [address, ...tokenAccounts];
      const { slot, value } = await fetchAccounts(session, asked, TOKEN_ACCOUNT_BYTES_MAX);
      const [account = null, ...rest] = value;
      if (account === null) session.acceptAbsence(slot);
      const kind = recipientKind(address, account, programId);
      const holds = [...new Set(rest.map(holdOn).filter((hold) => hold !== null))];
      return { value: { kind, owner: account?.owner ?? null, holds }, slot, node: session.node };
    }),
});

/** A wallet's associated accounts of the well-known tokens, by whichever token program. */
const findTokenAccounts = (owner: Address): Promise<Address[]> =>
  Promise.all(
    WELL_KNOWN_TOKENS.flatMap((mint) =>
      TOKEN_PROGRAM_IDS.map((tokenProgram) => findTokenAccountAddress({ owner, mint: mint as Address, tokenProgram })),
    ),
  );

/** Fetches the accounts in the order of their addresses, each with at most this much of its data. */
async function fetchAccounts(
  session: NodeSession,
  addresses: readonly string[],
  length: number,
): ReturnType<typeof fetchRawAccounts> {
  const found = await fetchRawAccounts(session, addresses, { offset: 0, length });
  session.acceptSlot(found.slot);
  return found;
}
