import type { PaymentAction } from "../../../chain/acts.ts";
import { showLife } from "../../../chain/lifetime.ts";
import type { JsonText } from "../../../domain/show.ts";
import { fetchActLife } from "../../../edge/acts/steps.ts";
import { type BuyerCall, type BuyerRoute, buyerRoute, countOf, memberOf } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Languages } from "../../../edge/buyer/languages.ts";
import { ok } from "../../../edge/http/route.ts";
import { showAction } from "../../paymentActions/paymentAction.ts";
import type { Language } from "../languages/language.ts";
import { LIVES_MAX } from "../paying/buyer.ts";
import { REQUEST, showLabel, showRequested } from "../paying/transactionRequest.ts";
import { type ActionDeps, buildAction, parseAction, requirePayment, submitAction } from "./actions.ts";
import { describeAction } from "./describeAction.ts";

export interface ActionBuyerDeps extends ActionDeps {
  readonly checkoutUrl: string;
  readonly languages: Languages<Language>;
}

/** Signed transactions that one network may submit for one payment per minute. */
const SUBMITS_MAX = 20;

/** The routes by which people act on a payment (§4.15). */
export function actionBuyerRoutes(deps: ActionBuyerDeps): BuyerRoute[] {
  const { checkoutUrl, languages } = deps;
  /** A wallet names the language of its device. */
  const textsFor = ({ headers }: BuyerCall) => languages.choose({ accepted: headers["accept-language"] }).receipt;
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
    buyerRoute("GET", "/pay/p/:payment/request/:action", REQUEST, async (call) => {
      requestedAction(call.params.action!);
      await requirePayment(deps.database, call.params.payment!);
      // Without the business: whoever knows the address alone learns nothing of it.
      return ok(showLabel(textsFor(call).request.label, checkoutUrl));
    }),
    buyerRoute("POST", "/pay/p/:payment/request/:action", REQUEST, async (call) => {
      const { payment, action } = call.params;
      const asked = { action: requestedAction(action!), account: memberOf(call, "account"), total: null };
      const { built } = await buildAction(deps, payment!, asked, call.network, "first");
      const message = describeAction(textsFor(call), asked.action, built.payment);
      return ok(showRequested(built, message, `${checkoutUrl}/pay/p/${payment}`));
    }),
  ];
}

/** A wallet names no total, so no refund can be requested. */
function requestedAction(name: string): PaymentAction {
  const action = parseAction(name);
  if (action === "refund") throw new BuyerError("invalid_request", (texts) => texts.refundNeedsAmount);
  return action;
}
