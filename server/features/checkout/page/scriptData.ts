import { PROTECTION_PERIODS } from "../../../domain/terms.ts";
import { walletCluster } from "../../chains/chain.ts";
import { readPrice, readQuote } from "../../intents/intent.ts";
import type { Catalogue } from "../languages/language.ts";
import { type CheckoutView, isFinal, partsOf, stateOf } from "./checkout.ts";
import { amountText, inOne, solRateOf, TIME_FORMAT } from "./text.ts";

/**
 * Data for the page's script: the terms to check the bytes against, its texts, and its addresses. It holds no private
 * data of the merchant.
 */
export function scriptData(texts: Catalogue, view: CheckoutView, isLocal: boolean, sponsors: readonly string[]) {
  const { intent, business, arbiter, programId, operator, decimals, tokenProgram } = view;
  const state = stateOf(view);
  const amount = amountText(texts, intent.amount, intent.asset, decimals);
  const isDemo = isLocal && intent.environment === "test";
  return {
    path: `/pay/i/${intent.id}`,
    state,
    final: isFinal(view),
    version: view.version,
    at: view.at.getTime(),
    parts: partsOf(view.payment),
    cluster: walletCluster(intent.environment, view.genesisHash, isLocal),
    terms: {
      programId,
      operator,
      recipient: intent.recipient,
      mint: intent.asset,
      tokenProgram,
      amount: intent.amount,
      period: PROTECTION_PERIODS.indexOf(intent.protectionPeriod),
      protectionPeriod: intent.protectionPeriod,
      business: { name: business.name, domain: business.domain },
      refundPolicyHash: business.refundPolicyHash,
      paymentId: intent.paymentId,
      expiresAt: Math.floor(intent.expiresAt.getTime() / 1000),
      price: readPrice(intent.price),
      quote: readQuote(intent.quote),
      arbiter: arbiter.address,
      sponsors,
    },
    amount: inOne(amount),
    unit: amount.unit,
    decimals,
    solRate: solRateOf(view),
    demo: isDemo,
    locale: texts.locale,
    timeFormat: TIME_FORMAT,
    texts: texts.script,
  };
}
