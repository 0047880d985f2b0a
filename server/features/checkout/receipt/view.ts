import { fillReturnUrl, isOwnHost } from "../../businesses/business.ts";
import { pickFacts, type ReceiptAgreement } from "../../disputes/parts/fragments.ts";
import { type ReceiptDecision, reasonsOf } from "../../disputes/ruling.ts";
import type { Fulfillment } from "../../fulfillments/fulfillment.ts";
import { isReceiptKey } from "../../payments/paymentView.ts";
import type { ChainNotice } from "../notice.ts";
import { compareTerms } from "./namedTerms.ts";
import type { ReceiptPageRow } from "./queries.ts";
import type { PrivatePart, ReceiptView, Refund, ShownAgreement, ShownDecision } from "./receipt.ts";

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
  const { partialRefunds, agreement, talkUntilMs } = row;
  const hasKey = isReceiptKey(row.receiptKey, givenKey);
  const tokenProgram = token.tokenProgram ?? row.tokenProgram;
  return {
    ...{ payment, match, lateReason, isFinalized, hold, now, at, ...chain, sponsors, usualOutcomes },
    terms: compareTerms(row.terms, { ...row, operator: chain.operator }),
    key: hasKey ? givenKey : null,
    order: row.order === null ? null : { locale: row.intent?.locale ?? null, business: row.business?.locale ?? null },
    mine: hasKey ? privatePart(row, fulfillments) : null,
    decimals: token.decimals ?? row.decimals,
    tokenProgram,
    arbiterLabel: payment.arbiter !== null && payment.arbiter === arbiter ? arbiterLabel : { name: null, domain: null },
    cost: costOf(tokenProgram),
    decision: decision === null ? null : draftDecision(decision, hasKey),
    refunds: draftRefunds(payment, partialRefunds),
    agreement: hasKey && agreement !== null ? draftAgreement(agreement) : null,
    talkUntil: talkUntilMs === null ? null : new Date(talkUntilMs),
    emailsGo: row.order === null || hasKey ? row.emailsGo : null,
  };
}

/** Takes the parts from the totals that events tell of; the rest went back last. */
export function draftRefunds(
  { amountRefunded, refundedAt }: Pick<ReceiptPageRow["payment"], "amountRefunded" | "refundedAt">,
  told: ReceiptPageRow["partialRefunds"],
): Refund[] {
  const totals = [
    ...told.map(({ total, atMs }) => ({ total, at: new Date(atMs) })),
    { total: amountRefunded, at: refundedAt },
  ];
  let before = 0n;
  return totals.flatMap(({ total, at }) => {
    const amount = BigInt(total) - before;
    // A fork may have taken a refund back.
    if (amount <= 0n || BigInt(total) > BigInt(amountRefunded)) return [];
    before = BigInt(total);
    // An event may be told a moment later than the chain's own time of the last part.
    return [{ amount: String(amount), at: at !== null && refundedAt !== null && at > refundedAt ? refundedAt : at }];
  });
}

const draftAgreement = ({
  total,
  agreedAtMs,
  untilMs,
  failedAtMs,
  executedAtMs,
}: ReceiptAgreement): ShownAgreement => ({
  total,
  agreedAt: new Date(agreedAtMs),
  until: new Date(untilMs),
  failedAt: failedAtMs === null ? null : new Date(failedAtMs),
  executedAt: executedAtMs === null ? null : new Date(executedAtMs),
});

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

function privatePart(row: ReceiptPageRow, fulfillments: readonly Fulfillment[]): PrivatePart | null {
  const { order, business, intent } = row;
  if (order === null || business === null) return null;
  const { intentId, merchantReference, overLimit } = order;
  const { name, domain, color, logo, supportContact } = business;
  const template = intent?.returnUrl ?? business.returnUrl;
  const returnUrl = template === null ? null : fillReturnUrl(template, { id: intentId, merchantReference });
  return {
    ...{ intentId, merchantReference, overLimit, supportContact, returnUrl, fulfillments },
    ...pickFacts(row),
    description: intent?.description ?? null,
    price: intent?.price ?? null,
    quote: intent?.quote ?? null,
    business: { name, domain, color, logo },
    isReturnOwn: returnUrl === null || isOwnHost(business, new URL(returnUrl).hostname),
  };
}
