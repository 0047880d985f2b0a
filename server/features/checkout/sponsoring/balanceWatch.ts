import type { ChainSponsor } from "../../../chain/sponsor.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Log } from "../../../lib/log.ts";

const LAMPORTS_PER_SOL = 1e9;
const READ_MS = 10_000;

/** Reads the balances of sponsors, and logs once when one is too low, and once when it suffices again. */
export function createBalanceWatch(environment: Environment, sponsor: ChainSponsor, log: Log) {
  const low = new Set<string>();
  return async (stopping: AbortSignal): Promise<boolean> => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
    for (const [address, lamports] of await sponsor.fetchBalances({ signal })) {
      const isLow = lamports < sponsor.balanceMin;
      if (isLow === low.has(address)) continue;
      const holds = `${environment} checkout: the sponsor ${address} holds ${Number(lamports) / LAMPORTS_PER_SOL} SOL`;
      if (isLow) log(`${holds}. Send it more: when it is empty, buyers without SOL cannot pay.`, undefined, "error");
      else log(`${holds} again.`);
      if (isLow) low.add(address);
      else low.delete(address);
    }
    return false;
  };
}
