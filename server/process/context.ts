import type { Chain } from "../chain/chain.ts";
import { ChainUnavailableError } from "../chain/port.ts";
import { addressSealing } from "../domain/buyerAddress.ts";
import type { Environment } from "../domain/terms.ts";
import { countLooks } from "../edge/staff/lookLimit.ts";
import { createTermsCheck } from "../features/chains/terms.ts";
import type { Context } from "../features/context.ts";
import { quoteFinder } from "../features/rates/priceQuotes.ts";
import { type KeyRing, sealingOf } from "../features/webhooks/sending/secret.ts";
import { log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";
import type { Config } from "./config.ts";

/** Each has separate connections, so that no list, sweep or figure makes a request or a delivery wait. */
export type Databases = Readonly<Record<"database" | "slowDatabase", Database>>;

/** Makes the context of a process. `ring`: the keys of webhook secrets; null: this process has none. */
export function openContext(
  config: Config,
  databases: Databases,
  chains: readonly Chain[],
  ring: KeyRing | null,
): Context {
  const { database } = databases;
  const sealing = ring && sealingOf(ring);
  const findChain = (environment: Environment) => chains.find((one) => one.environment === environment) ?? null;
  const chainOf = (environment: Environment): Chain => {
    const chain = findChain(environment);
    // Keys stay valid when the settings of their chain are removed: operations that need no chain still work for them.
    if (chain === null) throw new ChainUnavailableError(`No chain is configured for ${environment}.`);
    return chain;
  };
  const shared = { ...databases, log, findChain, chainOf };
  return {
    ...shared,
    ...createTermsCheck(shared, new Set(config.allowedMints)),
    findQuote: quoteFinder({ database, pars: config.assetPars, spread: config.priceSpread }),
    countLook: countLooks(),
    sealing,
    addresses: addressSealing(sealing),
    checkoutUrl: config.checkoutUrl,
    apiUrl: config.apiUrl,
    dashboardUrl: config.dashboardUrl,
    // Without a configured chain the service starts the local one.
    isLocal: config.chains.length === 0,
    lifetimeMs: config.intentLifetimeMs,
    intentRetentionDays: config.intentRetentionDays,
  };
}
