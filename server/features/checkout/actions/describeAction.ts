import type { PaymentAction } from "../../../chain/acts.ts";
import type { ChainPayment } from "../../../chain/port.ts";
import { tokensInWords } from "../../../edge/buyer/text.ts";
import type { Language } from "../languages/language.ts";

/** The sentence for a wallet that asks for an action's transaction: "Release 24.5 USDC to the shop". */
export function describeAction(receipt: Language["receipt"], action: PaymentAction, payment: ChainPayment): string {
  const [amount, refundTotal] = [BigInt(payment.amount), BigInt(payment.refundTotal)];
  const refunded = BigInt(payment.amountRefunded);
  const { request: texts, page } = receipt;
  const inWords = (units: bigint) => tokensInWords(page, payment.asset, units.toString(), payment.decimals);
  switch (action) {
    case "dispute":
      return texts.opens(inWords(amount - refundTotal));
    case "release": {
      const shop = inWords(amount - refundTotal);
      // Somebody else may have sent the link: whoever signs reads here what they give up.
      if (payment.status !== "disputed") return texts.releases(shop);
      return refundTotal > 0n ? texts.endsDisputeKept(shop, inWords(refundTotal)) : texts.endsDispute(shop);
    }
    case "settle":
    case "pay_out_recipient":
      return texts.paysShop(inWords(amount - refundTotal));
    case "refund_unresolved":
      return texts.takesBack(inWords(amount - refunded));
    case "pay_out_sender":
    case "refund":
      return texts.paysBuyer(inWords(refundTotal - refunded));
    case "close":
      return texts.closes;
  }
}
