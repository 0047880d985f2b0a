import type { BuiltAction } from "../../chain/acts.ts";
import type { ChainBuilder } from "../../chain/builder.ts";
import type { Environment } from "../../domain/terms.ts";
import { buildAct } from "../../edge/acts/steps.ts";
import type { ActedPayment } from "./paymentAction.ts";

export interface RefundDeps {
  /** Throws `ChainUnavailableError` if no chain is configured any more. */
  readonly builderOf: (environment: Environment) => ChainBuilder;
}

interface WantedRefund {
  readonly payment: string;
  readonly total: string;
  /** The wallet that signs. */
  readonly account: string;
  /** True if another wallet may pay the fee. */
  readonly mayLackSol: boolean;
}

/**
 * Builds a refund by the recipient, from the state on chain at this moment. Throws `ApiError`: `dispute_changed`,
 * `invalid_request`; `ActionError`: `wallet_not_recipient`, `wallet_short`; `ChainUnavailableError`.
 */
export async function buildRefund(
  { builderOf }: RefundDeps,
  { environment, observedSlot: minSlot, now }: ActedPayment,
  { total, ...wanted }: WantedRefund,
): Promise<BuiltAction> {
  const command = { ...wanted, action: "refund", total: BigInt(total), now, minSlot } as const;
  return buildAct(builderOf(environment), command, "shop");
}
