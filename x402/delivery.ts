import { parseDelivery, sha256Of } from "@holdfast/escrow-client";

/** The server did not sign the answer that came: what was paid for is not proved to be delivered. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
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

/** Reads the answer of a server that sells by the call. Throws {@link DeliveryError} unless its server signed these bytes. */
export async function readDelivery(answer: Response): Promise<Delivered> {
  const body = new Uint8Array(await answer.arrayBuffer());
  const { payment, receiptUrl, delivery } = readExtra(answer.headers.get("payment-response"));
  const signed = typeof delivery === "string" ? await parseDelivery(delivery) : null;
  if (signed === null || signed.delivery.payload.payment !== payment)
    throw new DeliveryError("The answer has no signed delivery of this payment.");
  if (signed.delivery.payload.answer !== (await sha256Of(body)))
    throw new DeliveryError("The signed delivery is of another answer.");
  return { body, delivery: String(delivery), payment, receiptUrl: String(receiptUrl) };
}

function readExtra(header: string | null): Readonly<Record<string, unknown>> {
  try {
    const { extra } = JSON.parse(new TextDecoder().decode(Buffer.from(header ?? "", "base64")));
    return Object(extra);
  } catch {
    throw new DeliveryError("The answer has no PAYMENT-RESPONSE.");
  }
}
