// Other plugins of the shop: payments by card, and a marketplace.
const {
  isGraphQlErrorResult,
  LanguageCode,
  Order,
  OrderService,
  PaymentMethodHandler,
  PaymentService,
  RequestContextService,
  TransactionalConnection,
} = require("@vendure/core");

const METHOD = "card";

/** Keeps what the buyer's browser sends, and takes the amount from its provider, as many handlers do. */
exports.card = new PaymentMethodHandler({
  code: METHOD,
  description: [{ languageCode: LanguageCode.en, value: "Card" }],
  args: {},
  createPayment: (_ctx, _order, amount, _args, metadata) =>
    metadata.charged === undefined
      ? { amount, state: "Declined", errorMessage: "The card is declined.", metadata }
      : { amount: metadata.charged, state: "Settled", metadata },
  settlePayment: () => ({ success: true }),
});

/** The card's provider says that an order is paid. `unasked`: this plugin does not ask whether the order may be paid. */
exports.receive = async (request, response) => {
  const { code, unasked } = request.query;
  const find = (token) => exports.app.get(token);
  const [connection, contexts] = [find(TransactionalConnection), find(RequestContextService)];
  const order = await connection.rawConnection.getRepository(Order).findOneByOrFail({ code });
  const metadata = { charged: order.totalWithTax };
  const result = await connection.withTransaction(await contexts.create({ apiType: "admin" }), (ctx) =>
    unasked === undefined
      ? find(OrderService).addPaymentToOrder(ctx, order.id, { method: METHOD, metadata })
      : find(PaymentService).createPayment(ctx, order, order.totalWithTax, METHOD, metadata),
  );
  response.status(isGraphQlErrorResult(result) ? 409 : 200).json({ message: result.message ?? result.state });
};

/** A marketplace splits what its buyers order, when it is placed. */
exports.sellers = {
  splitOrder: (ctx, { customer, lines, shippingLines }) =>
    customer.emailAddress.endsWith("@marketplace.example")
      ? [{ channelId: ctx.channelId, state: "ArrangingPayment", lines, shippingLines }]
      : [],
};
