import { findVaultAddress, TOKEN_PROGRAM_IDS } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { type ChainReader, HOLDINGS_MAX, type Holding } from "../port.ts";
import { fetchRawAccounts, parsePayment, type RawAccount } from "./account.ts";
import type { Pool } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { balanceOf } from "./tokenAccounts.ts";

/** A payment's record, and its possible vaults: only the record, in the same answer, says which token program its mint has. */
const ACCOUNTS_EACH = 1 + TOKEN_PROGRAM_IDS.length;

/** Reads records of payments together with their vaults. */
export function createHoldingReads(pool: Pool, settings: SolanaSettings): Pick<ChainReader, "fetchHoldings"> {
  return {
    fetchHoldings: async (payments, options) => {
      if (payments.length > HOLDINGS_MAX) throw new Error(`At most ${HOLDINGS_MAX} payments are read at one slot.`);
      if (payments.length === 0) return { value: [], slot: options.minSlot ?? 0, node: 0 };
      const addresses = (await Promise.all(payments.map(findAccounts))).flat();
      return pool.queue(options).ask(async (session) => {
        const { slot, value } = await fetchRawAccounts(session, addresses);
        await session.acceptReached(slot);
        session.acceptSlot(slot);
        const holdings = payments.map(({ address }, at): Holding => {
          const [record = null, ...vaults] = value.slice(at * ACCOUNTS_EACH, (at + 1) * ACCOUNTS_EACH);
          return { account: parsePayment(address, record, settings), vault: balanceAmong(vaults) };
        });
        if (holdings.some(({ account }) => account === null)) session.acceptAbsence(slot);
        return { value: holdings, slot, node: session.node };
      });
    },
  };
}

const findAccounts = async ({ address, asset }: { readonly address: string; readonly asset: string }) => [
  address,
  ...(await Promise.all(
    TOKEN_PROGRAM_IDS.map((tokenProgram) =>
      findVaultAddress({ payment: address as Address, mint: asset as Address, tokenProgram }),
    ),
  )),
];

/** Anyone may send lamports to an address before a token account is there, so only one of a token program counts. */
function balanceAmong(vaults: readonly (RawAccount | null)[]): string | null {
  const vault = vaults.find((one, at) => one?.owner === TOKEN_PROGRAM_IDS[at]);
  return vault === undefined ? null : String(balanceOf(vault));
}
