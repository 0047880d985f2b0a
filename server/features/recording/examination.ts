import { ChainUnavailableError, isClosed, isPayment, readDeadline } from "../../chain/port.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Context } from "../context.ts";
import type { IntentTerms } from "./decide/queries.ts";
import { draftObserved, type ObservedClosing, type ObservedPayment } from "./decide/state.ts";

/** The chain's answer about a signature, for one intent or for all. */
export type Examination =
  | { readonly kind: "not_found" | "not_confirmed" | "failed" }
  | {
      readonly kind: "landed";
      /** The payments that it made, on any terms, in instruction order. For an intent: those with its paymentId. */
      readonly payments: readonly ObservedPayment[];
      /** Payments that are closed by now. They are ours only if they are recorded, since a tombstone has no terms. */
      readonly closings: readonly ObservedClosing[];
    };

/** Reads a transaction and the accounts it made for an intent (§4.5). Throws {@link ApiError}: `chain_unavailable`. */
export const examineTransaction = async (
  ctx: Context,
  environment: Environment,
  signature: string,
  intent: Pick<IntentTerms, "paymentId">,
): Promise<Examination> => examinedFor(await readTransaction(ctx, environment, signature), intent);

/** The part of an examined transaction that concerns one intent. */
export function examinedFor(examined: Examination, { paymentId }: Pick<IntentTerms, "paymentId">): Examination {
  if (examined.kind !== "landed") return examined;
  const isMine = ({ payment }: { readonly payment: { readonly paymentId: string } }) => payment.paymentId === paymentId;
  return { kind: "landed", payments: examined.payments.filter(isMine), closings: examined.closings.filter(isMine) };
}

/** Reads a transaction and the accounts it made, for all intents of all businesses. */
export async function readTransaction(
  { chainOf }: Context,
  environment: Environment,
  signature: string,
): Promise<Examination> {
  const { signal } = readDeadline();
  try {
    const { reader } = chainOf(environment);
    const { bindCommitment: commitment } = reader;
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
    return {
      kind: "landed",
      payments: read.value.filter(isPayment).map(observe),
      closings: read.value.filter(isClosed).map(observe),
    };
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const message = "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment.";
    throw new ApiError("chain_unavailable", message, {}, { retryAfterSeconds: 2 });
  }
}
