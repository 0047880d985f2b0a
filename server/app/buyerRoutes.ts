import { BUYER_DESCRIPTION } from "../edge/buyer/description.ts";
import type { BuyerRoute } from "../edge/buyer/door.ts";
import { describeApi, type Json } from "../edge/http/openapi.ts";
import { type ActionBuyerDeps, actionBuyerRoutes } from "../features/checkout/actions/buyer.ts";
import { type PayingDeps, payingRoutes } from "../features/checkout/paying/buyer.ts";
import type { Finder } from "../features/checkout/receipt/find.ts";
import { findRoutes } from "../features/checkout/receipt/findRoutes.ts";
import { x402Routes } from "../features/checkout/x402/buyer.ts";
import type { X402 } from "../features/checkout/x402/settle.ts";
import type { AddressDeps } from "../features/disputes/address/buyer.ts";
import { buyerDisputeRoutes } from "../features/disputes/buyer.ts";
import { receiptRoutes } from "../features/receipts/buyer.ts";
import type { ReceiptDeps } from "../features/receipts/issue.ts";

export type BuyerRouteDeps = PayingDeps &
  ActionBuyerDeps &
  AddressDeps &
  ReceiptDeps & { readonly x402: X402; readonly finder: Finder };

/** Every route of the buyers' door, in the document's order. */
export const buyerRoutes = (deps: BuyerRouteDeps): BuyerRoute[] => [
  ...payingRoutes(deps),
  ...x402Routes(deps.x402),
  ...actionBuyerRoutes(deps),
  ...findRoutes(deps.finder),
  ...buyerDisputeRoutes(deps),
  ...receiptRoutes(deps),
];

/** The OpenAPI document of the buyers' routes. */
export const describeBuyerRoutes = (routes: readonly BuyerRoute[]): Json =>
  describeApi({
    door: BUYER_DESCRIPTION,
    routes: routes.map(({ method, path, docs }) => {
      const isOfPage = docs.from === "page" || docs.from === "case";
      return { method, path, docs: isOfPage ? { ...docs, errors: [...docs.errors, "browser_request"] } : docs };
    }),
    components: Object.fromEntries(
      routes.flatMap(({ docs: { body } }) => (body === undefined ? [] : [[body.component, body.schema]])),
    ),
    webhooks: {},
    tags: [],
  });
