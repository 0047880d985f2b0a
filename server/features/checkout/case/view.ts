import type { Dispute } from "../../disputes/dispute.ts";
import type { DisputeTalk } from "../../disputes/parts/fragments.ts";
import type { ReceiptView } from "../receipt/receipt.ts";

/** The case of a payment, for a browser that proved the wallet that paid. */
export interface CaseContent extends DisputeTalk {
  readonly dispute: Dispute;
}

/** A case as a browser may see it: without a proof, nothing of it. */
interface CaseFacts {
  readonly isProven: boolean;
  /** Null without a proof, and before a dispute. */
  readonly content: CaseContent | null;
  /** The address for emails about the case; null: the service sends none. `email` null: it cannot be read now. */
  readonly emails: { readonly address: { readonly email: string | null; readonly isConfirmed: boolean } | null } | null;
  readonly sessions: readonly {
    readonly id: string;
    readonly userAgent: string;
    readonly createdAt: Date;
    readonly isThis: boolean;
  }[];
}

/** What the page asks of the disputes. */
export interface CaseReads {
  /** Null: the payment is bound to no order, so it has no case. */
  readonly findCase: (address: string, cookie: string | undefined) => Promise<CaseFacts | null>;
  /** True if the browser of a cookie proved the wallet that paid. */
  readonly isProven: (address: string, cookie: string | undefined) => Promise<boolean>;
}

/** Everything that the page of a case shows. */
export interface CaseView {
  readonly receipt: ReceiptView;
  readonly facts: CaseFacts;
}
