import { walletCluster } from "../../chains/chain.ts";
import type { Language } from "../languages/language.ts";
import { amountText, inOne, TIME_FORMAT } from "../page/text.ts";
import { pathOf } from "./panel.ts";
import { actionsOf, isBound, isFinal, partsOf, type ReceiptView, rentPayerOf, stateOf, versionOf } from "./receipt.ts";

/** Data for the script of a receipt: the payment to check the bytes of an action against. It holds nothing of the order. */
export function receiptData({ page, receipt: { actions } }: Language, view: ReceiptView, isLocal: boolean) {
  const { payment, decimals, sponsors, programId, operator, tokenProgram, genesisHash } = view;
  const amount = amountText(page, payment.amount, payment.asset ?? "", decimals);
  return {
    page: "receipt",
    path: pathOf(view),
    state: stateOf(view),
    final: isFinal(view),
    version: versionOf(view),
    at: view.at.getTime(),
    parts: partsOf(view),
    cluster: walletCluster(payment.environment, genesisHash, isLocal),
    payment: {
      address: payment.id,
      programId,
      operator,
      sender: payment.sender,
      recipient: payment.recipient,
      mint: payment.asset,
      tokenProgram,
      arbiter: payment.arbiter,
      rentPayer: rentPayerOf(payment),
      amount: payment.amount,
      refundTotal: payment.refundTotal,
      amountRefunded: payment.amountRefunded,
      amountReleased: payment.amountReleased,
    },
    actions: actionsOf(view),
    // A site pays fees only for payments of its own orders.
    sponsors: isBound(view) ? sponsors : [],
    amount: inOne(amount),
    unit: amount.unit,
    decimals,
    demo: isLocal && payment.environment === "test",
    locale: page.locale,
    timeFormat: TIME_FORMAT,
    texts: actions,
  };
}
