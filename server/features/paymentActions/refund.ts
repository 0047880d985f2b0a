import type { ActionCommand } from "../../chain/acts.ts";
import type { ChainBuilder } from "../../chain/builder.ts";
import type { JsonText } from "../../domain/show.ts";
import type { Environment } from "../../domain/terms.ts";
import { buildAct } from "../../edge/acts/steps.ts";
import type { BoundPayment } from "./fragments.ts";
import { showAction } from "./paymentAction.ts";

export interface RefundDeps {
  /** Throws `ChainUnavailableError` if no chain is configured any more. */
  readonly builderOf: (environment: Environment) => ChainBuilder;
}

interface WantedRefund extends Pick<ActionCommand, "payment" | "account" | "mayLackSol"> {
  readonly total: string;
}

/**
 * Builds a refund by the recipient, from the state on chain at this moment, as it is shown. Throws `ApiError`:
 * `dispute_changed`, `invalid_request`; `ActionError`: `wallet_not_recipient`, `wallet_short`; `ChainUnavailableError`.
 */
export async function buildRefund(
  { builderOf }: RefundDeps,
  { environment, recipient: signer, observedSlot: minSlot, now }: BoundPayment,
  { total, ...wanted }: WantedRefund,
): Promise<JsonText> {
  const action = "refund";
  const command = { ...wanted, action, total: BigInt(total), now, minSlot } as const;
  const built = await buildAct(builderOf(environment), command, "shop");
  return showAction({ action, built, sponsored: false, signer });
}
