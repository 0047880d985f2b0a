import { findPaymentAddress, parseDelivery, sha256Of } from "@holdfast/escrow-client";
import { type Address, getTransactionDecoder } from "@solana/kit";
import type { PaymentRequirements } from "./protocol.ts";

/** The server did not sign the answer that came: what was paid for is not proved to be delivered. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
}

/** The `paymentPayload` that the agent sent: the hook `onPaymentResponse` of its `x402Client` gets it. */
export interface SentPayment {
  readonly accepted: Pick<PaymentRequirements, "extra">;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A paid answer, and the server's word for it: what an agent keeps in case of a dispute. */
export interface Delivered {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The signed delivery, which holds the signed offer. */
  readonly delivery: string;
  /** The address of the payment. */
  readonly payment: string;
  readonly receiptUrl: string;
}

/**
 * Reads the answer of a server that sells by the call. Throws {@link DeliveryError} unless its server signed these bytes, for
 * the payment and the offer that were sent.
 */
export async function readDelivery(answer: Response, sent: SentPayment): Promise<Delivered> {
  const body = new Uint8Array(await answer.arrayBuffer());
  const { receiptUrl, delivery } = readExtra(answer.headers.get("payment-response"));
  const signed = typeof delivery === "string" ? await parseDelivery(delivery) : null;
  const { payer, payment } = await findPayment(sent);
  const said = signed?.delivery.payload;
  if (said?.payment !== payment || said.payer !== payer || said.offer !== sent.accepted.extra.offer)
    throw new DeliveryError("The answer has no signed delivery of the payment that was sent.");
  if (said.answer !== (await sha256Of(body))) throw new DeliveryError("The signed delivery is of another answer.");
  return { body, delivery: String(delivery), payment, receiptUrl: String(receiptUrl) };
}

/** The one signer of the transaction pays everything. */
async function findPayment({ accepted: { extra }, payload }: SentPayment) {
  const { signatures } = getTransactionDecoder().decode(Buffer.from(String(payload.transaction), "base64"));
  const [payer] = Object.keys(signatures) as [Address];
  const [programId, operator] = [extra.program, extra.operator] as [Address, Address];
  const paymentId = BigInt(String(extra.paymentId));
  return { payer, payment: await findPaymentAddress({ programId, operator, sender: payer, paymentId }) };
}

function readExtra(header: string | null): Readonly<Record<string, unknown>> {
  try {
    const { extra } = JSON.parse(new TextDecoder().decode(Buffer.from(header ?? "", "base64")));
    return Object(extra);
  } catch {
    throw new DeliveryError("The answer has no PAYMENT-RESPONSE.");
  }
}
