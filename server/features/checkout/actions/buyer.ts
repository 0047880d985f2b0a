import type { PaymentAction } from "../../../chain/acts.ts";
import { showLife } from "../../../chain/lifetime.ts";
import type { JsonText } from "../../../domain/show.ts";
import { fetchActLife } from "../../../edge/acts/steps.ts";
import { type BuyerRoute, buyerRoute, countOf, memberOf } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { ok } from "../../../edge/http/route.ts";
import { showAction } from "../../paymentActions/paymentAction.ts";
import { LIVES_MAX } from "../paying/buyer.ts";
import { REQUEST, showLabel, showRequested } from "../paying/transactionRequest.ts";
import { describeAction } from "../receipt/actionTexts.ts";
import { type ActionDeps, buildAction, parseAction, requirePayment, submitAction } from "./actions.ts";

export interface ActionBuyerDeps extends ActionDeps {
  readonly checkoutUrl: string;
}

/** Signed transactions that one network may submit for one payment per minute. */
const SUBMITS_MAX = 20;

/** The routes by which people act on a payment (§4.15). */
export function actionBuyerRoutes(deps: ActionBuyerDeps): BuyerRoute[] {
  const { checkoutUrl } = deps;
  const [countSubmit, countLife] = [countOf(SUBMITS_MAX, "payment"), countOf(LIVES_MAX, "payment")];
  return [
    buyerRoute("POST", "/pay/p/:payment/build", { from: "page" }, async (call) => {
      const [action, account, total] = ["action", "account", "total"].map((name) => memberOf(call, name));
      const turn = memberOf(call, "sponsored") === true ? "last" : null;
      return ok(
        showAction(await buildAction(deps, call.params.payment!, { action, account, total }, call.network, turn)),
      );
    }),
    buyerRoute("POST", "/pay/p/:payment/submit", { from: "page" }, async (call) => {
      countSubmit(call);
      const signature = await submitAction(deps, call.params.payment!, memberOf(call, "transaction"));
      return { status: 202, body: JSON.stringify({ signature }) as JsonText };
    }),
    buyerRoute("POST", "/pay/p/:payment/life", { from: "page", isAskedByPages: true }, async (call) => {
      countLife(call);
      const { environment } = await requirePayment(deps.database, call.params.payment!);
      return ok(showLife(await fetchActLife(deps.builderOf(environment), memberOf(call, "transaction"), "buyer")));
    }),
    buyerRoute("GET", "/pay/p/:payment/request/:action", REQUEST, async ({ params }) => {
      requestedAction(params.action!);
      await requirePayment(deps.database, params.payment!);
      return ok(showLabel(LABEL, checkoutUrl));
    }),
    buyerRoute("POST", "/pay/p/:payment/request/:action", REQUEST, async (call) => {
      const { payment, action } = call.params;
      const asked = { action: requestedAction(action!), account: memberOf(call, "account"), total: null };
      const { built } = await buildAction(deps, payment!, asked, call.network, "first");
      const message = describeAction(asked.action, built.payment);
      return ok(showRequested(built, message, `${checkoutUrl}/pay/p/${payment}`));
    }),
  ];
}

/** A label without the business: whoever knows the address alone learns nothing of it. */
const LABEL = "Protected payment";

/** A wallet names no total, so no refund can be requested. */
function requestedAction(name: string): PaymentAction {
  const action = parseAction(name);
  if (action === "refund")
    throw new BuyerError("invalid_request", "A refund needs an amount. Open the payment's page.");
  return action;
}
