import { fillReturnUrl, isOwnHost } from "../../businesses/business.ts";
import { type ReceiptDecision, reasonsOf } from "../../disputes/ruling.ts";
import type { Fulfillment } from "../../fulfillments/fulfillment.ts";
import { isReceiptKey } from "../../payments/paymentView.ts";
import type { ChainNotice } from "../page/buyer.ts";
import { compareTerms } from "./namedTerms.ts";
import type { ReceiptPageRow } from "./queries.ts";
import type { PrivatePart, ReceiptView, ShownDecision } from "./receipt.ts";

/**
 * Draws up what a reader may see. Whoever knows the address alone gets nothing of the order: it is taken out here, so that
 * no part of a page can show it.
 */
export function draftView(
  row: ReceiptPageRow,
  fulfillments: readonly Fulfillment[],
  { arbiterLabel, arbiter, costOf, sponsors }: ChainNotice,
  givenKey: string | null,
): ReceiptView {
  const { payment, match, lateReason, isFinalized, hold, now, at, chain, token, usualOutcomes, decision } = row;
  const hasKey = isReceiptKey(row.receiptKey, givenKey);
  const tokenProgram = token.tokenProgram ?? row.tokenProgram;
  return {
    ...{ payment, match, lateReason, isFinalized, hold, now, at, ...chain, sponsors, usualOutcomes },
    terms: compareTerms(row.terms, { ...row, operator: chain.operator }),
    key: hasKey ? givenKey : null,
    mine: hasKey ? privatePart(row, fulfillments) : null,
    decimals: token.decimals ?? row.decimals,
    tokenProgram,
    arbiterLabel: payment.arbiter !== null && payment.arbiter === arbiter ? arbiterLabel : { name: null, domain: null },
    cost: costOf(tokenProgram),
    decision: decision === null ? null : draftDecision(decision, hasKey),
  };
}

/** The reasons are taken out here, as the order is. */
const draftDecision = (
  { record, ruledAtMs, erasedAtMs, ...ruling }: ReceiptDecision,
  hasKey: boolean,
): ShownDecision => ({
  ...ruling,
  ruledAt: new Date(ruledAtMs),
  erasedAt: erasedAtMs === null ? null : new Date(erasedAtMs),
  record: hasKey && record !== null ? { reasons: reasonsOf(record) } : null,
});

function privatePart(
  { order, business, intent, ownArbiter }: ReceiptPageRow,
  fulfillments: readonly Fulfillment[],
): PrivatePart | null {
  if (order === null || business === null) return null;
  const { intentId, merchantReference, overLimit } = order;
  const { name, domain, color, logo, supportContact } = business;
  const template = intent?.returnUrl ?? business.returnUrl;
  const returnUrl = template === null ? null : fillReturnUrl(template, { id: intentId, merchantReference });
  return {
    ...{ intentId, merchantReference, overLimit, supportContact, returnUrl, fulfillments, ownArbiter },
    description: intent?.description ?? null,
    price: intent?.price ?? null,
    quote: intent?.quote ?? null,
    business: { name, domain, color, logo },
    isReturnOwn: returnUrl === null || isOwnHost(business, new URL(returnUrl).hostname),
  };
}
