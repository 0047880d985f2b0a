import { PAYMENT_ACTIONS, type PaymentAction } from "../../../chain/acts.ts";
import { showLife } from "../../../chain/lifetime.ts";
import { fetchActLife } from "../../../edge/acts/steps.ts";
import { type BuyerCall, type BuyerRoute, buyerRoute, countOf } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { ok } from "../../../edge/http/route.ts";
import { showAction } from "../../paymentActions/paymentAction.ts";
import type { BuyerContext } from "../context.ts";
import { accepted, LIVES_MAX } from "../paying/buyer.ts";
import { showLabel, showRequested } from "../paying/transactionRequest.ts";
import { buildAction, requirePayment, submitAction } from "./actions.ts";
import { describeAction } from "./describeAction.ts";
import { BUILD_ACTION, FETCH_ACTION_LIFE, GET_ACTION_REQUEST, MAKE_ACTION_REQUEST, SUBMIT_ACTION } from "./schema.ts";

/** Signed transactions that one network may submit for one payment per minute. */
const SUBMITS_MAX = 20;

/** The routes by which people act on a payment (§4.15). */
export function actionBuyerRoutes(ctx: BuyerContext): BuyerRoute[] {
  const { checkoutUrl, languages } = ctx;
  /** A wallet names the language of its device. */
  const textsFor = ({ headers }: BuyerCall) => languages.choose({ accepted: headers["accept-language"] }).receipt;
  const [countSubmit, countLife] = [countOf(SUBMITS_MAX, "payment"), countOf(LIVES_MAX, "payment")];
  return [
    buyerRoute("POST", "/pay/p/:payment/build", BUILD_ACTION, async (call) => {
      const { sponsored, ...wanted } = call.read();
      const turn = sponsored === true ? "last" : null;
      return ok(showAction(await buildAction(ctx, call.params.payment!, wanted, call.network, turn)));
    }),
    buyerRoute("POST", "/pay/p/:payment/submit", SUBMIT_ACTION, async (call) => {
      countSubmit(call);
      return accepted(await submitAction(ctx, call.params.payment!, call.read().transaction));
    }),
    buyerRoute("POST", "/pay/p/:payment/life", FETCH_ACTION_LIFE, async (call) => {
      countLife(call);
      const { environment } = await requirePayment(ctx.database, call.params.payment!);
      return ok(showLife(await fetchActLife(ctx.chainOf(environment).builder, call.read().transaction, "buyer")));
    }),
    buyerRoute("GET", "/pay/p/:payment/request/:action", GET_ACTION_REQUEST, async (call) => {
      requestedAction(call.params.action!);
      await requirePayment(ctx.database, call.params.payment!);
      // Without the business: whoever knows the address alone learns nothing of it.
      return ok(showLabel(textsFor(call).request.label, checkoutUrl));
    }),
    buyerRoute("POST", "/pay/p/:payment/request/:action", MAKE_ACTION_REQUEST, async (call) => {
      const { payment } = call.params;
      const action = requestedAction(call.params.action!);
      const wanted = { action, account: call.read().account, total: null };
      const { built } = await buildAction(ctx, payment!, wanted, call.network, "first");
      const message = describeAction(textsFor(call), action, built.payment);
      return ok(showRequested(built, message, `${checkoutUrl}/pay/p/${payment}`));
    }),
  ];
}

/** A wallet names no total, so no refund can be requested. */
function requestedAction(name: string): PaymentAction {
  const action = PAYMENT_ACTIONS.find((one) => one === name);
  if (action === undefined) throw new BuyerError("invalid_request", (texts) => texts.noAction);
  if (action === "refund") throw new BuyerError("invalid_request", (texts) => texts.refundNeedsAmount);
  return action;
}
