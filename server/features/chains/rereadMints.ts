import { fetchOrLeave, logUnread } from "../../chain/fetchOrLeave.ts";
import type { ChainMint } from "../../chain/port.ts";
import type { ChainContext } from "../context.ts";
import { listOutdatedMints, saveAsset } from "./queries.ts";

/** The mints of one request to a node. */
const MINTS_MAX = 100;

/**
 * Reads mints again that were last read a day ago: an issuer may change a mint's extensions, and may close one without
 * supply and create it again. Logs the changes; creates follow the new verdict. Returns true when there are more.
 */
export async function rereadMints({ database, chain, log }: ChainContext, signal: AbortSignal): Promise<boolean> {
  const { environment, reader } = chain;
  const outdated = await listOutdatedMints(database, environment, MINTS_MAX);
  if (outdated.length === 0) return false;
  const fetchPart = async (part: readonly (typeof outdated)[number][], within: AbortSignal) => {
    const addresses = part.map(({ address }) => address);
    const { value: mints, node } = await reader.fetchMints(addresses, { signal: within });
    // A mint in use cannot be closed, so a second node must confirm that one is gone.
    const isGone = mints.includes(null);
    const second = isGone ? (await reader.fetchMints(addresses, { signal: within, notNode: node })).value : mints;
    return mints.map((mint, index) => mint ?? second[index] ?? null);
  };
  const { read, unread } = await fetchOrLeave(reader, outdated, fetchPart, signal);
  for (const { items, answer } of read)
    for (const [index, { address, ...before }] of items.entries()) {
      const mint = answer[index]!;
      await saveAsset(database, environment, address, mint);
      const change = describeChange(before, mint);
      if (change !== null) log(`${environment} chain: the mint ${address} ${change}.`);
    }
  logUnread(log, `${environment} chain: a mint`, new Map([...unread].map(([{ address }, error]) => [address, error])));
  if (unread.size > 0) return false;
  return outdated.length === MINTS_MAX;
}

function describeChange(before: ChainMint, now: ChainMint | null): string | null {
  if (now === null) return "is gone";
  const shown = ({ decimals, tokenProgram, riskyExtensions }: ChainMint) =>
    `${decimals} decimals, risky extensions: ${riskyExtensions.join(", ") || "none"}, of ${tokenProgram}`;
  return shown(before) === shown(now) ? null : `had ${shown(before)}, and has ${shown(now)}`;
}
