import { timingSafeEqual } from "node:crypto";
import { fillReturnUrl, isOwnHost } from "../../businesses/business.ts";
import { type ReceiptDecision, reasonsOf } from "../../disputes/ruling.ts";
import type { Fulfillment } from "../../fulfillments/fulfillment.ts";
import type { ChainNotice } from "../page/buyer.ts";
import { compareTerms } from "./namedTerms.ts";
import type { ReceiptContext, ReceiptRow } from "./queries.ts";
import type { PrivatePart, ReceiptView, Refund, ShownDecision } from "./receipt.ts";

/**
 * Draws up what a reader may see. Whoever knows the address alone gets nothing of the order: it is taken out here, so that
 * no part of a page can show it.
 */
export function draftView(
  row: ReceiptRow,
  context: ReceiptContext & { readonly fulfillments: readonly Fulfillment[] },
  { arbiterLabel, arbiter, costOf, sponsors }: ChainNotice,
  givenKey: string | null,
): ReceiptView {
  const { payment, match, lateReason, isFinalized, hold, now, at } = row;
  const { programId, operator, genesisHash } = context;
  const hasKey = givenKey !== null && isKeyOf(row, givenKey);
  const tokenProgram = context.tokenProgram ?? row.tokenProgram;
  return {
    ...{ payment, match, lateReason, isFinalized, hold, now, at, programId, operator, genesisHash, sponsors },
    terms: compareTerms(context.terms, { ...row, operator }),
    key: hasKey ? givenKey : null,
    mine: hasKey ? privatePart(row, context) : null,
    decimals: context.decimals ?? row.decimals,
    tokenProgram,
    arbiterLabel: payment.arbiter !== null && payment.arbiter === arbiter ? arbiterLabel : { name: null, domain: null },
    cost: costOf(tokenProgram),
    usualOutcomes: context.usualOutcomes ?? {},
    decision: context.decision === null ? null : draftDecision(context.decision, hasKey),
    refunds: draftRefunds(payment, context.partialRefunds ?? []),
    isAgreed: hasKey && context.isAgreed,
  };
}

/** Takes the parts from the totals that events tell of; the rest went back last. */
export function draftRefunds(
  { amountRefunded, refundedAt }: Pick<ReceiptRow["payment"], "amountRefunded" | "refundedAt">,
  told: NonNullable<ReceiptContext["partialRefunds"]>,
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
    return [{ amount: String(amount), at }];
  });
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

/** Compares in constant time. Only a payment that is bound to an order has a key. */
function isKeyOf({ receiptKey }: Pick<ReceiptRow, "receiptKey">, given: string): boolean {
  const [own, other] = [receiptKey ?? "", given].map((text) => Buffer.from(text, "utf8"));
  return receiptKey !== null && own!.length === other!.length && timingSafeEqual(own!, other!);
}

function privatePart(
  { order }: ReceiptRow,
  { business, intent, fulfillments }: Parameters<typeof draftView>[1],
): PrivatePart | null {
  if (order === null || business === null) return null;
  const { intentId, merchantReference, overLimit } = order;
  const { name, domain, supportContact } = business;
  const template = intent?.returnUrl ?? business.returnUrl;
  const returnUrl = template === null ? null : fillReturnUrl(template, { id: intentId, merchantReference });
  return {
    ...{ intentId, merchantReference, overLimit, supportContact, returnUrl, fulfillments },
    description: intent?.description ?? null,
    ownArbiter: intent?.ownArbiter ?? false,
    business: { name, domain },
    isReturnOwn: returnUrl === null || isOwnHost(business, new URL(returnUrl).hostname),
  };
}
