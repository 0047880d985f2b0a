import { ChainUnavailableError, isClosed, isPayment, readDeadline } from "../../chain/port.ts";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { isIntentId } from "../../domain/ids.ts";
import type { Context } from "../../features/context.ts";
import { listPaymentsOfSignature } from "../../features/payments/queries.ts";
import { findIntentTerms, findTenantsByPaymentId } from "../../features/recording/decide/queries.ts";
import { type Examination, examinedFor, readTransaction } from "../../features/recording/examination.ts";
import type { Verification } from "../../features/recording/verification.ts";
import { verifyExamined } from "../../features/recording/verifyExamined.ts";

/** Intents that are explained per transaction. No wallet pays this many at once. */
const INTENTS_MAX = 10;

/** A transaction from the view of one business. */
export interface ExplainedTransaction {
  /** The current answer of the chain; `unavailable` if it could not be read. */
  readonly chain: Examination["kind"] | "unavailable";
  /** Intents of the business that the transaction paid, or tried to pay. */
  readonly intents: readonly {
    readonly id: string;
    readonly merchantReference: string;
    /** The verdict of each rule; null if the chain could not be read. */
    readonly verification: Verification | null;
    /** Payments that it made for the intent: the bound ones, and those on chain. */
    readonly payments: readonly { readonly address: string; readonly isBound: boolean }[];
  }[];
}

/**
 * Explains a transaction to a business: the intents it concerns, and the verdict of each rule of a binding (§13.13).
 * `intentId` is an intent that it should have paid. Null if that intent does not exist, or the transaction does not
 * concern the business as far as is known.
 */
export async function explainTransaction(
  ctx: Context,
  tenant: Tenant,
  signature: string,
  intentId: string | null,
): Promise<ExplainedTransaction | null> {
  const { database } = ctx;
  const { businessId, environment } = tenant;
  const bound = await listPaymentsOfSignature(database, tenant, signature, INTENTS_MAX);
  const examined = await readTransaction(ctx, environment, signature).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "chain_unavailable") throw error;
    return null;
  });
  const made = examined?.kind === "landed" ? [...examined.payments, ...examined.closings] : [];
  const paymentIds = [...new Set(made.map(({ payment }) => payment.paymentId))];
  const owners =
    paymentIds.length === 0 ? [] : [...(await findTenantsByPaymentId(database, environment, paymentIds)).values()];
  const asked = intentId === null ? [] : [intentId];
  const paid = owners.filter((owner) => owner.businessId === businessId).map((owner) => owner.intentId);
  const ids = [...new Set([...asked, ...bound.map((payment) => payment.intentId), ...paid])].slice(0, INTENTS_MAX);
  const intents: ExplainedTransaction["intents"][number][] = [];
  for (const id of ids) {
    const intent = isIntentId(id) ? await findIntentTerms(database, tenant, id) : null;
    if (intent === null && id === intentId) return null;
    if (intent === null) continue;
    const own = examined === null ? null : examinedFor(examined, intent);
    const verification = own === null ? null : await verifyExamined(ctx, tenant, intent, signature, own);
    const addresses = bound.filter((payment) => payment.intentId === id).map(({ address }) => address);
    const others = made
      .filter(({ payment }) => payment.paymentId === intent.paymentId && !addresses.includes(payment.address))
      .map(({ payment }) => payment.address);
    const payments = [
      ...addresses.map((address) => ({ address, isBound: true })),
      ...others.map((address) => ({ address, isBound: false })),
    ];
    intents.push({ id, merchantReference: intent.merchantReference, verification, payments });
  }
  const chain = examined?.kind ?? "unavailable";
  // The same answer for another business's transaction and for an unknown one.
  if (intents.length === 0 && (chain === "landed" || chain === "not_found")) return null;
  return { chain, intents };
}

/**
 * The business's intent that the payment account at an address names; null if there is none. Throws {@link ApiError}:
 * `unavailable`.
 */
export async function findIntentOfAddress(
  { database, chainOf }: Context,
  tenant: Tenant,
  address: string,
): Promise<string | null> {
  try {
    const { signal } = readDeadline();
    const { value } = await chainOf(tenant.environment).reader.fetchPayments([address], { signal });
    const [account = null] = value;
    if (!isPayment(account) && !isClosed(account)) return null;
    const owners = await findTenantsByPaymentId(database, tenant.environment, [account.paymentId]);
    const owner = owners.get(account.paymentId);
    return owner?.businessId === tenant.businessId ? owner.intentId : null;
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const message = "It is in no list here, and the chain, which may know more, could not be read. Try again shortly.";
    throw new ApiError("unavailable", message, {}, { retryAfterSeconds: 2 });
  }
}
