import type { Chain, FindAsset, TermsCheck } from "../chain/chain.ts";
import type { AddressSealing } from "../domain/buyerAddress.ts";
import type { FindQuote } from "../domain/price.ts";
import type { Sealing } from "../domain/sealing.ts";
import type { Environment } from "../domain/terms.ts";
import type { Log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";

/** Objects and settings that features share. The start of a process makes one; tests make one with what they need. */
export interface Context {
  readonly database: Database;
  /** For lists, sweeps and figures: on connections of its own, so that none of them makes a request or a delivery wait. */
  readonly slowDatabase: Database;
  readonly log: Log;
  /** The value is null where no chain is configured for the environment any more. */
  readonly findChain: (environment: Environment) => Chain | null;
  /** Throws `ChainUnavailableError` if no chain is configured for the environment any more. */
  readonly chainOf: (environment: Environment) => Chain;
  /** Asks the chain about asset and recipient (§4.1.2–4); throws `invalid_request` or `unavailable`. */
  readonly checkTerms: TermsCheck;
  readonly findAsset: FindAsset;
  readonly findQuote: FindQuote;
  /** Counts a look-up by a user, of the chain or of another's server, and throws above the limit. */
  readonly countLook: (userId: string) => void;
  /** The deployment's encryption; null: this process has no keys. */
  readonly sealing: Sealing | null;
  readonly addresses: AddressSealing;
  /** The address of buyers' pages, without a slash at its end. */
  readonly checkoutUrl: string;
  readonly apiUrl: string;
  /** The dashboard's address. Its host is the relying party of passkeys. */
  readonly dashboardUrl: string;
  /** True if `test` is the local chain. */
  readonly isLocal: boolean;
  /** The lifetime of intents of businesses that set none. */
  readonly lifetimeMs: number;
  /** The value is null where all intents are kept for ever (§10.17). */
  readonly intentRetentionDays: number | null;
}

/** The context of work on one chain. */
export interface ChainContext extends Context {
  readonly chain: Chain;
}
