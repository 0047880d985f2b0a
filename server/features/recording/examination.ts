import { type ChainReader, ChainUnavailableError, type Commitment, isClosed, isPayment } from "../../chain/port.ts";
import { ApiError } from "../../domain/errors.ts";
import { CHAIN_READ_MS } from "../../domain/limits.ts";
import type { Environment } from "../../domain/terms.ts";
import type { IntentTerms } from "./decide/queries.ts";
import { draftObserved, type ObservedClosing, type ObservedPayment } from "./decide/state.ts";

export interface ExaminationDeps {
  /** Throws {@link ChainUnavailableError} where none is configured any more. */
  readonly readerOf: (environment: Environment) => ChainReader;
  /** The commitment that binds; `finalized` for deployments that prefer to wait. */
  readonly commitment: Commitment;
}

/** What the chain shows of a signature, for one intent. */
export type Examination =
  | { readonly kind: "not_found" | "not_confirmed" | "failed" }
  | {
      readonly kind: "landed";
      /** The payments it made with the intent's paymentId, on whatever terms, in instruction order. */
      readonly payments: readonly ObservedPayment[];
      /** Closed by now: ours only if they are recorded, since a tombstone has no terms. */
      readonly closings: readonly ObservedClosing[];
    };

/** Reads a transaction and the accounts it made (§4.5). Throws {@link ApiError}: `chain_unavailable`. */
export async function examineTransaction(
  { readerOf, commitment }: ExaminationDeps,
  environment: Environment,
  signature: string,
  { paymentId }: Pick<IntentTerms, "paymentId">,
): Promise<Examination> {
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  try {
    const reader = readerOf(environment);
    const { value: lookup } = await reader.fetchTransaction(signature, { signal, commitment });
    if (lookup.kind !== "landed") return { kind: lookup.kind };
    if (lookup.transaction.failed) return { kind: "failed" };
    const { created, slot } = lookup.transaction;
    if (created.length === 0) return { kind: "landed", payments: [], closings: [] };

    const options = { signal, commitment, minSlot: slot, created: new Set(created), toBind: true };
    const read = await reader.fetchPayments(created, options);
    if (read.value.includes(null))
      throw new ChainUnavailableError("The nodes show the transaction and not the account that it made.");
    const observe = <Account>(account: Account) => ({
      ...draftObserved(account, read.slot, commitment),
      signature,
      createdSlot: slot,
    });
    const isMine = (account: { readonly paymentId: string }) => account.paymentId === paymentId;
    return {
      kind: "landed",
      payments: read.value.filter(isPayment).filter(isMine).map(observe),
      closings: read.value.filter(isClosed).filter(isMine).map(observe),
    };
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const message = "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment.";
    throw new ApiError("chain_unavailable", message, {}, { retryAfterSeconds: 2 });
  }
}
