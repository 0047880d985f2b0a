import type { PaymentAction } from "../../../chain/actions.ts";
import { showLife } from "../../../chain/lifetime.ts";
import type { JsonText } from "../../../domain/show.ts";
import { type BuyerCall, type BuyerRoute, buyerRoute, tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { NetworkLimit } from "../../../edge/buyer/limits.ts";
import { ok } from "../../../edge/http/route.ts";
import { showAction } from "../../paymentActions/paymentAction.ts";
import { LIVES_MAX } from "../paying/buyer.ts";
import { tokensInWords } from "../paying/text.ts";
import { ICON_PATH } from "../paying/transactionRequest.ts";
import { type ActionBuildDeps, type ActionTransaction, buildAction, parseAction, requirePayment } from "./build.ts";
import { type ActionSubmitDeps, fetchActionLife, submitAction } from "./submit.ts";

export interface ActionBuyerDeps extends ActionBuildDeps, ActionSubmitDeps {
  readonly checkoutUrl: string;
}

/** Signed transactions that one network may submit for one payment per minute. */
const SUBMITS_MAX = 20;

/** The routes by which people act on a payment (§4.15). */
export function actionBuyerRoutes(deps: ActionBuyerDeps): BuyerRoute[] {
  const { checkoutUrl } = deps;
  const [ofSubmits, ofLives] = [new NetworkLimit(SUBMITS_MAX), new NetworkLimit(LIVES_MAX)];
  const use = (limit: NetworkLimit, { params, network }: BuyerCall) => {
    const waitSeconds = limit.use(network, params.payment);
    if (waitSeconds !== null) throw tooMany(waitSeconds);
  };
  const memberOf = ({ input }: BuyerCall, name: string): unknown => input.get(name)?.value;
  return [
    buyerRoute("POST", "/pay/p/:payment/build", { from: "page" }, async (call) => {
      const [action, account, total] = ["action", "account", "total"].map((name) => memberOf(call, name));
      const turn = memberOf(call, "sponsored") === true ? "last" : null;
      return ok(
        showAction(await buildAction(deps, call.params.payment!, { action, account, total }, call.network, turn)),
      );
    }),
    buyerRoute("POST", "/pay/p/:payment/submit", { from: "page" }, async (call) => {
      use(ofSubmits, call);
      const signature = await submitAction(deps, call.params.payment!, memberOf(call, "transaction"));
      return { status: 202, body: JSON.stringify({ signature }) as JsonText };
    }),
    buyerRoute("POST", "/pay/p/:payment/life", { from: "page", isAskedByPages: true }, async (call) => {
      use(ofLives, call);
      return ok(showLife(await fetchActionLife(deps, call.params.payment!, memberOf(call, "transaction"))));
    }),
    buyerRoute("GET", "/pay/p/:payment/request/:action", REQUEST, async ({ params }) => {
      requestedAction(params.action!);
      await requirePayment(deps.database, params.payment!);
      return ok(JSON.stringify({ label: LABEL, icon: `${checkoutUrl}${ICON_PATH}` }) as JsonText);
    }),
    buyerRoute("POST", "/pay/p/:payment/request/:action", REQUEST, async (call) => {
      const { payment, action } = call.params;
      const asked = { action: requestedAction(action!), account: memberOf(call, "account"), total: null };
      return ok(showRequested(await buildAction(deps, payment!, asked, call.network, "first"), checkoutUrl));
    }),
  ];
}

/** A wallet's transaction request, with its own form of errors. */
const REQUEST = { from: "open", showError: ({ message }: BuyerError): string => JSON.stringify({ message }) } as const;
/** A label without the business: whoever knows the address alone learns nothing of it. */
const LABEL = "Protected payment";

/** A wallet names no total, so no refund can be requested. */
function requestedAction(name: string): PaymentAction {
  const action = parseAction(name);
  if (action === "refund")
    throw new BuyerError("invalid_request", "A refund needs an amount. Open the payment's page.");
  return action;
}

/** The answer in the protocol's form. A wallet follows `redirect` after success, and only to https. */
function showRequested(given: ActionTransaction, checkoutUrl: string): JsonText {
  const { transaction, payment } = given.built;
  const page = `${checkoutUrl}/pay/p/${payment.address}`;
  return JSON.stringify({
    transaction,
    message: describeAction(given),
    ...(page.startsWith("https:") ? { redirect: page } : {}),
  }) as JsonText;
}

/** "Release 24.50 USDC to the shop". */
function describeAction({ action, built: { payment } }: Pick<ActionTransaction, "action" | "built">): string {
  const [amount, refundTotal, refunded] = [payment.amount, payment.refundTotal, payment.amountRefunded].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const inWords = (units: bigint) => tokensInWords(payment.asset, units.toString(), payment.decimals);
  switch (action) {
    case "dispute":
      return `Open a dispute about ${inWords(amount - refundTotal)}`;
    case "release": {
      const shop = inWords(amount - refundTotal);
      // Somebody else may have sent the link: whoever signs reads here what they give up.
      if (payment.status !== "disputed") return `Release ${shop} to the shop`;
      return `This ends your dispute. The shop gets ${shop}, you ${refundTotal > 0n ? `keep ${inWords(refundTotal)}` : "get nothing back"}.`;
    }
    case "settle":
    case "pay_out_recipient":
      return `Pay out ${inWords(amount - refundTotal)} to the shop`;
    case "refund_unresolved":
      return `Take ${inWords(amount - refunded)} back to the buyer`;
    case "pay_out_sender":
    case "refund":
      return `Pay out ${inWords(refundTotal - refunded)} to the buyer`;
    case "close":
      return "Return the deposit of a payment";
  }
}
