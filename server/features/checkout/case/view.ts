import type { Dispute, Side } from "../../disputes/dispute.ts";
import type { ShownFile } from "../../disputes/files/file.ts";
import type { ReceiptView } from "../receipt/receipt.ts";

/** What a side said. */
interface CaseStatement {
  readonly number: number;
  readonly side: Side;
  /** The text is null once it is erased. */
  readonly text: string | null;
  readonly createdAt: Date;
  readonly erasedAt: Date | null;
}

/** The case of a payment, for a browser that proved the wallet that paid. */
export interface CaseContent {
  readonly dispute: Dispute;
  readonly statements: readonly CaseStatement[];
  /** The files of both sides, oldest first. */
  readonly files: readonly ShownFile[];
  /** The arbiter's questions to one side or both. */
  readonly questions: readonly {
    readonly number: number;
    readonly text: string | null;
    /** Null: both sides. */
    readonly askedSide: Side | null;
    readonly askedAt: Date;
    readonly until: Date;
    readonly erasedAt: Date | null;
  }[];
  /** The usual outcome for the case's reason, in the operator's words. */
  readonly usualOutcome: string | null;
  readonly ownArbiter: boolean;
}

/** A case as a browser may see it: without a proof, nothing of it. */
interface CaseFacts {
  readonly isProven: boolean;
  /** Null without a proof, and before a dispute. */
  readonly content: CaseContent | null;
  /** The address for emails about the case; null: the service sends none. */
  readonly emails: { readonly address: { readonly email: string; readonly isConfirmed: boolean } | null } | null;
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
  /** The versions of cases by the address of the payment; one that has none is left out. */
  readonly listVersions: (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Everything that the page of a case shows. */
export interface CaseView {
  readonly receipt: ReceiptView;
  readonly facts: CaseFacts;
}
