import type { AddressBook } from "../domain/buyerAddress.ts";
import { BUYER_DESCRIPTION } from "../edge/buyer/description.ts";
import type { BuyerRoute } from "../edge/buyer/door.ts";
import { describeApi, type Json } from "../edge/http/openapi.ts";
import { actionBuyerRoutes } from "../features/checkout/actions/buyer.ts";
import type { BuyerContext } from "../features/checkout/context.ts";
import { STATE_READS } from "../features/checkout/page/schema.ts";
import { payingRoutes } from "../features/checkout/paying/buyer.ts";
import type { Finder } from "../features/checkout/receipt/find.ts";
import { findRoutes } from "../features/checkout/receipt/findRoutes.ts";
import { x402Routes } from "../features/checkout/x402/buyer.ts";
import type { X402 } from "../features/checkout/x402/settle.ts";
import { buyerDisputeRoutes } from "../features/disputes/buyer.ts";
import { FILE_UPLOAD } from "../features/disputes/uploads/schema.ts";
import { receiptRoutes } from "../features/receipts/buyer.ts";

/** Parts of the start that routes of buyers need. */
interface BuyerParts {
  readonly x402: X402;
  readonly finder: Finder;
  /** It is null where no mail is set up, or this process has no key: then no address is taken. */
  readonly book: AddressBook | null;
}

/** Every route of the buyers' door, in the document's order. */
export const buyerRoutes = (ctx: BuyerContext, { x402, finder, book }: BuyerParts): BuyerRoute[] => [
  ...payingRoutes(ctx),
  ...x402Routes(x402),
  ...actionBuyerRoutes(ctx),
  ...findRoutes(finder),
  ...buyerDisputeRoutes(ctx, book),
  ...receiptRoutes(ctx),
];

/** The OpenAPI document of the buyers' routes, and of what pages read and send beside their door. */
export const describeBuyerRoutes = (routes: readonly BuyerRoute[]): Json =>
  describeApi({
    door: BUYER_DESCRIPTION,
    routes: [...routes, ...STATE_READS, FILE_UPLOAD].map(({ method, path, docs }) => {
      const isOfPage = docs.from === "page" || docs.from === "case";
      return { method, path, docs: isOfPage ? { ...docs, errors: [...docs.errors, "browser_request"] } : docs };
    }),
    components: Object.fromEntries(
      routes.flatMap(({ docs: { body } }) => (body === undefined ? [] : [[body.component, body.schema]])),
    ),
    webhooks: {},
    tags: [],
  });
