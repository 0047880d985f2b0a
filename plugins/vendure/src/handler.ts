import { toDecimal } from "@holdfast/sdk";
import { ConfigService, type CreateRefundResult, LanguageCode, PaymentMethodHandler } from "@vendure/core";
import { type HoldfastState, OWN, stateOf } from "./holdfastPayment";
import { tokensOf } from "./money";
import { AWAITING_ORDER, AWAITING_PAYMENT, settledOf, shareOf } from "./states";

const en = (value: string) => [{ languageCode: LanguageCode.en, value }];
const option = (value: string, label: string) => ({ value, label: en(label) });

const PERIODS = [
  option("oneHour", "One hour"),
  option("oneDay", "One day"),
  option("threeDays", "Three days"),
  option("sevenDays", "Seven days"),
  option("fourteenDays", "Fourteen days"),
  option("thirtyDays", "Thirty days"),
];
const AMOUNTS = [
  option("price", "Holdfast makes the amount from the price, by its rate"),
  option("amount", "One unit of the currency is one token"),
];

/** The progress of an order that nobody has paid. */
const unpaid = (channel: string): HoldfastState => ({
  ...{ channel, progress: "open", mayShip: false, isPaid: false, payment: null, amount: "0", refundTotal: "0" },
  ...{ token: null, protectedUntil: null, receiptUrl: null, page: null, owed: [] },
});

let config: ConfigService;

/** Holdfast as a payment method. It changes nothing by itself: a payment is settled once the events of the service say so. */
export const holdfastHandler = new PaymentMethodHandler({
  code: "holdfast",
  description: en("Holdfast: buyer protection by an escrow on Solana"),
  init: (injector) => {
    config = injector.get(ConfigService);
  },
  args: {
    recipient: { type: "string", label: en("Recipient: the wallet to be paid") },
    token: { type: "string", label: en("Token: the address of its mint") },
    currency: {
      ...{ type: "string", label: en("Currency that the token pays"), defaultValue: "USD" },
      description: en("Other orders do not have this method. A shop with several currencies has one method for each."),
    },
    amounts: { type: "string", label: en("Amounts"), defaultValue: "price", ui: select(AMOUNTS) },
    protectionPeriod: {
      ...{ type: "string", label: en("Time in which the buyer may dispute"), defaultValue: "sevenDays" },
      ui: select(PERIODS),
    },
  },

  /** Places the order. The buyer is led to `payPath` of the shop's server, which makes the intent. */
  createPayment: async (ctx, order, amount, args) => {
    const decline = (errorMessage: string) => ({ amount, state: "Declined" as const, errorMessage });
    if (order.state !== "ArrangingPayment" || amount <= 0 || amount !== order.totalWithTax)
      return decline("Holdfast pays a whole order that nothing else has paid.");
    if (order.currencyCode !== args.currency.toUpperCase())
      return decline(`Holdfast has no token for ${order.currencyCode}: set it in the shop's payment methods.`);
    // Placing such an order splits it, and a marketplace then enters its sellers' orders as paid.
    const parts = await config.orderOptions.orderSellerStrategy.splitOrder?.(ctx, order);
    if (parts?.length) return decline("Holdfast pays orders of one seller.");
    const metadata = { holdfast: unpaid(ctx.channel.token), public: { payPath: `/holdfast/orders/${order.code}/pay` } };
    return { amount, state: AWAITING_PAYMENT as "Created", metadata, ...{ customFields: { ...OWN } } };
  },

  settlePayment: (_ctx, _order, payment) =>
    stateOf(payment)?.isPaid
      ? { success: true }
      : {
          ...{ success: false, state: payment.state as "Created" },
          errorMessage: "Nobody has paid this order yet. The payment is settled once it is in the escrow.",
        },

  cancelPayment: (_ctx, order, payment) =>
    order.state === "Cancelled" || (payment.state === AWAITING_PAYMENT && order.state !== AWAITING_ORDER)
      ? { success: true }
      : {
          ...{ success: false, state: payment.state as "Created" },
          errorMessage: "Cancel the order, or refund the payment: it is not canceled by itself.",
        },

  createRefund: (_ctx, _input, amount, _order, payment): CreateRefundResult => {
    const state = stateOf(payment)!;
    if (!state.isPaid || state.payment === null || state.progress === "released" || state.progress === "refunded")
      if (settledOf(payment) + amount > shareOf(payment))
        return { state: "Failed", metadata: { message: "The escrow holds nothing of this payment." } };
    const asked = payment.refunds.reduce((sum, { state: one, total }) => sum + (one === "Failed" ? 0 : total), amount);
    if (asked <= shareOf(payment)) return { state: "Settled", transactionId: state.payment ?? "" };
    const total = tokensOf(asked, state.amount, payment.amount);
    const { symbol, decimals } = state.token ?? { symbol: "of the token's smallest units", decimals: 0 };
    const shown = `${toDecimal(total.toString(), decimals)} ${symbol}`;
    const message = `This refund waits for the signature of the recipient's wallet: refund a total of ${shown} at ${state.page}`;
    return { state: "Pending", metadata: { message, total: total.toString(), page: state.page } };
  },
});

function select(options: readonly ReturnType<typeof option>[]) {
  return { component: "select-form-input", options: [...options] } as const;
}
