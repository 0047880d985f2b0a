import type { SolRate } from "@holdfast/ui/worth.ts";

/** The server's data for the script of every page of a buyer: the texts, and the state. */
export interface LiveData {
  /** The path of the order or payment; its other routes lie below. */
  readonly path: string;
  /** The path of the states that the page follows; default: `path`. */
  readonly livePath?: string;
  readonly state: string;
  readonly final: boolean;
  readonly version: number;
  readonly at: number;
  readonly parts: string | null;
  /** The wallets' name of it, "solana:mainnet". */
  readonly cluster: string;
  readonly amount: string;
  readonly unit: string;
  readonly decimals: number | null;
  readonly demo: boolean;
  readonly locale: string;
  readonly timeFormat: Intl.DateTimeFormatOptions;
  readonly texts: Readonly<Record<string, string>>;
}

/** The data of the checkout: the terms that it compares with the bytes. */
export interface PageData extends LiveData {
  readonly terms: PageTerms;
  readonly solRate: SolRate | null;
}

/** The data of a receipt and of its form to open a dispute: the payment that it compares with the bytes of an action. */
export interface ReceiptData extends LiveData {
  readonly page: "receipt" | "dispute" | "case";
  readonly payment: ShownOnReceipt;
  /** The actions that the payment's state allows, by the service's view. */
  readonly actions: readonly string[];
  /** Wallets of the site that pay the network's fee for buyers without SOL; empty: there are none. */
  readonly sponsors: readonly string[];
}

/** The data of a case: what signed texts name, and the shop's open offers. */
export interface CaseData extends ReceiptData {
  readonly genesis: string;
  readonly isProven: boolean;
  /** The chain's clock is this far ahead of real time. */
  readonly aheadMs: number;
  /** In milliseconds; null before a dispute. */
  readonly resolveBy: number | null;
  readonly offers: readonly { readonly id: string; readonly total: string; readonly until: string }[];
  /** The agreement; null if there is none. `isRefunded`: the shop's refund of it is bound on chain. */
  readonly agreed: { readonly total: string; readonly isRefunded: boolean } | null;
}

/** Addresses in base58, amounts in digits. */
export interface ShownOnReceipt {
  readonly address: string;
  readonly programId: string;
  readonly operator: string;
  readonly sender: string;
  readonly recipient: string;
  readonly mint: string;
  readonly tokenProgram: string | null;
  readonly rentPayer: string | null;
  readonly amount: string;
  readonly refundTotal: string;
  readonly amountRefunded: string;
  readonly amountReleased: string;
}

export interface PageTerms {
  readonly programId: string;
  readonly operator: string;
  readonly recipient: string;
  readonly mint: string;
  readonly tokenProgram: string | null;
  readonly amount: string;
  /** The program's number for the protection period. */
  readonly period: number;
  readonly protectionPeriod: string;
  readonly business: { readonly name: string; readonly domain: string | null };
  readonly refundPolicyHash: string | null;
  readonly paymentId: string;
  /** In seconds. */
  readonly expiresAt: number;
  /** The price in a currency, and the rate that made the amount; both null without a price. */
  readonly price: { readonly currency: string; readonly amount: string } | null;
  readonly quote: {
    readonly rate: string;
    readonly source: string;
    readonly at: string;
    readonly until: string;
    readonly spread: string;
  } | null;
  /** Null: the page did not know it. */
  readonly arbiter: string | null;
  /** Wallets of the site that pay for buyers without SOL; empty: there are none. */
  readonly sponsors: readonly string[];
}

interface PageText {
  getElementById(id: string): { readonly textContent: string | null } | null;
}

export const readData = <Data extends LiveData>(page: PageText): Data =>
  JSON.parse(page.getElementById("data")?.textContent ?? "null") as Data;
