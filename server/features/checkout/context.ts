import type { Environment } from "../../domain/terms.ts";
import type { Languages } from "../../edge/buyer/languages.ts";
import type { Turns } from "../../lib/turns.ts";
import type { Context } from "../context.ts";
import type { Language } from "./languages/language.ts";
import type { ReadLimit } from "./readLimit.ts";

/** A file of the page's script, as served. */
export interface PageAsset {
  readonly path: string;
  readonly integrity: string;
  readonly text: string;
}

interface ScreenedPayment {
  readonly environment: Environment;
  readonly sender: string;
  readonly recipient: string;
  readonly asset: string;
  /** In the token's smallest unit, as digits. */
  readonly amount: string;
}

/** Throws a refusal for the buyer if the payment may not be made. */
export type Screen = (payment: ScreenedPayment) => Promise<void>;

/** The parts that serve every page. */
export interface PageContext {
  readonly limit: ReadLimit;
  readonly languages: Languages<Language>;
}

/** The context of buyers' pages and routes. */
export interface BuyerContext extends Context, PageContext {
  readonly screen: Screen;
  /** Those who hand in payments of one link wait for its lock in turn. */
  readonly seats: Turns;
  /** The operator of the site; null if the settings name none. */
  readonly siteOperator: { readonly name: string; readonly url: string | null } | null;
  /** True if the page may ask for an address for emails. */
  readonly sendsEmails: boolean;
  readonly bodyWaitMs: number;
  /** The page's script, then the files that it loads. */
  readonly assets: readonly [PageAsset, ...PageAsset[]];
  /** Records the payments of a landed transaction. Returns true if they are in the books. */
  readonly recordTransaction: (environment: Environment, signature: string, signal: AbortSignal) => Promise<boolean>;
}
