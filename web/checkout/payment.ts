import { checkBuilt, checkTransaction, toBase58 } from "@holdfast/decoder";
import type { Act } from "@holdfast/wallet/act.ts";
import type { PageData } from "./data.ts";
import type { Posts } from "./schema.ts";
import { callService, handOver, RefusedError } from "./service.ts";
import { hashTerms } from "./terms.ts";

export type CheckoutTransaction = Posts["/pay/i/{id}/build"]["answer"];

/** The code of the refusal to pay before the page shows the arbiter that the payment would name. */
export const ARBITER_CHANGED = "arbiter_changed";

interface PaymentOptions {
  /** The arbiter that the page shows now; null: it shows none yet, and the page does not pay before it does. */
  readonly arbiter: string | null;
  readonly onArbiter: (arbiter: string) => void;
}

/** The payment of the order that a page shows. */
export function paymentAct(data: PageData, { arbiter, onArbiter }: PaymentOptions): Act<CheckoutTransaction> {
  const { terms, texts, decimals } = data;
  return {
    signer: null,
    isSponsorable: terms.sponsors.length > 0,
    build: async (account, sponsored) => {
      const built = await callService("/pay/i/{id}/build", data, { account, sponsored });
      // The buyer agrees to the arbiter, too: the page first shows a new arbiter, and then lets the buyer pay.
      if (built.arbiter !== arbiter) {
        onArbiter(built.arbiter);
        throw new RefusedError(ARBITER_CHANGED, texts.arbiterChanged ?? "");
      }
      const termsHash = await hashTerms(built.terms, built.arbiter, terms, decimals);
      checkBuilt(built, (bytes, networkLamports) =>
        checkTransaction(bytes, { ...terms, account, arbiter: built.arbiter, termsHash, networkLamports }),
      );
      return built;
    },
    submit: (transaction) => handOver("/pay/i/{id}/submit", data, { transaction }),
    // With the signed transaction the report proves that the signature is of this payment, and lets the relay send it.
    report: (signature, transaction) =>
      handOver("/pay/i/{id}/seen", data, {
        signature: toBase58(signature),
        ...(transaction !== null && { transaction }),
      }),
    life: (transaction, { payment }) => callService("/pay/i/{id}/life", data, { transaction, payment }),
  };
}
