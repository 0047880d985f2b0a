import {
  defineMiddlewares,
  type MedusaNextFunction,
  type MedusaRequest,
  type MedusaResponse,
} from "@medusajs/framework/http";
import { cancelCheckout } from "../orders/attempts";

/** Medusa has no hook before an order is canceled, and its payment must not come after that. */
async function cancelCheckoutFirst(request: MedusaRequest, _response: MedusaResponse, next: MedusaNextFunction) {
  await cancelCheckout(request.scope, String(request.params.id));
  next();
}

/** The metadata of a cart, which its buyer writes, are those of its order. */
function keepProgress(request: MedusaRequest, _response: MedusaResponse, next: MedusaNextFunction) {
  const { metadata } = Object(request.body) as { readonly metadata?: unknown };
  if (metadata !== null && typeof metadata === "object") Reflect.deleteProperty(metadata, "holdfast");
  next();
}

export default defineMiddlewares({
  routes: [
    { matcher: "/store", middlewares: [keepProgress] },
    { matcher: "/holdfast/hooks", method: ["POST"], bodyParser: false },
    { matcher: "/admin/orders/:id/cancel", method: ["POST"], middlewares: [cancelCheckoutFirst] },
  ],
});
