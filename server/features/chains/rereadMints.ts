import type { ChainMint } from "../../chain/port.ts";
import type { DeploymentDeps } from "./checkDeployment.ts";
import { listOutdatedMints, saveAsset } from "./queries.ts";

/** One request of the reader. */
const MINTS_MAX = 100;

/**
 * Reads mints again whose last look is a day old: an issuer may give a mint other extensions, and may close one without
 * supply and make it again. What changed is logged; creates go by the new verdict. True when there are more.
 */
export async function rereadMints({ database, chain, log }: DeploymentDeps, signal: AbortSignal): Promise<boolean> {
  const { environment, reader } = chain;
  const outdated = await listOutdatedMints(database, environment, MINTS_MAX);
  if (outdated.length === 0) return false;
  const addresses = outdated.map(({ address }) => address);
  const { value: mints, node } = await reader.fetchMints(addresses, { signal });
  // A mint in use cannot be closed: that one is gone is not believed on one node's word.
  const isGone = mints.includes(null);
  const second = isGone ? (await reader.fetchMints(addresses, { signal, notNode: node })).value : mints;
  for (const [index, { address, ...before }] of outdated.entries()) {
    const mint = mints[index] ?? second[index] ?? null;
    await saveAsset(database, environment, address, mint);
    const change = describeChange(before, mint);
    if (change !== null) log(`${environment} chain: the mint ${address} ${change}.`);
  }
  return outdated.length === MINTS_MAX;
}

function describeChange(before: ChainMint, now: ChainMint | null): string | null {
  if (now === null) return "is gone";
  const shown = ({ decimals, tokenProgram, riskyExtensions }: ChainMint) =>
    `${decimals} decimals, risky extensions: ${riskyExtensions.join(", ") || "none"}, of ${tokenProgram}`;
  return shown(before) === shown(now) ? null : `had ${shown(before)}, and has ${shown(now)}`;
}
