import { type BuyerRoute, buyerRoute, countOf } from "../../../edge/buyer/door.ts";
import { PAY_BY_X402 } from "./schema.ts";
import type { X402 } from "./settle.ts";

/** Requests of one network for one intent in a minute: a payer repeats its request until it has an answer. */
const REQUESTS_MAX = 60;

/** The route by which an agent pays an intent, without a key (§12.20). */
export function x402Routes({ answer }: X402): BuyerRoute[] {
  const count = countOf(REQUESTS_MAX, "id");
  return [
    buyerRoute("POST", "/pay/i/:id/x402", PAY_BY_X402, async (call) => {
      count(call);
      return answer(call.params.id!, call.headers["payment-signature"], call.network);
    }),
  ];
}
