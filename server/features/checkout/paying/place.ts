import type { askPlace, SeatRequest } from "../../links/fragments.ts";
import type { PayableView } from "./queries.ts";
import { noSeat } from "./refusals.ts";

/**
 * Requires a place of the payment link that made the intent, if one did (§13.21.5). Returns true if it has places. Throws
 * `no_seat`.
 */
export async function requireSeat(
  { linkId, intent }: Pick<PayableView, "linkId" | "intent">,
  wallet: string,
  ask: (request: SeatRequest) => ReturnType<typeof askPlace>,
): Promise<boolean> {
  if (linkId === null) return false;
  const { businessId, environment, id } = intent;
  const answer = await ask({ businessId, environment, linkId, intentId: id, wallet });
  if (answer !== "taken" && answer !== "unlimited") throw noSeat(answer);
  return answer === "taken";
}
