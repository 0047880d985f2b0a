import type { ActionCommand } from "../../chain/acts.ts";
import type { JsonText } from "../../domain/show.ts";
import { buildAct } from "../../edge/acts/steps.ts";
import type { Context } from "../context.ts";
import type { BoundPayment } from "./fragments.ts";
import { showAction } from "./paymentAction.ts";

interface WantedRefund extends Pick<ActionCommand, "payment" | "account" | "mayLackSol"> {
  readonly total: string;
}

/**
 * Builds a refund by the recipient, from the state on chain at this moment, as it is shown. Throws `ApiError`:
 * `dispute_changed`, `invalid_request`; `ActionError`: `wallet_not_recipient`, `wallet_short`; `ChainUnavailableError`.
 */
export async function buildRefund(
  { chainOf }: Context,
  { environment, recipient: signer, observedSlot: minSlot, now }: BoundPayment,
  { total, ...wanted }: WantedRefund,
): Promise<JsonText> {
  const action = "refund";
  const command = { ...wanted, action, total: BigInt(total), now, minSlot } as const;
  const built = await buildAct(chainOf(environment).builder, command, "shop");
  return showAction({ action, built, sponsored: false, signer });
}
