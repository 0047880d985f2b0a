import type { BuiltAction } from "../../chain/actions.ts";
import type { ChainBuilder } from "../../chain/builder.ts";
import { unlessAway } from "../../chain/port.ts";
import { ActionError } from "../../domain/actionError.ts";
import { ApiError, type DisputeChangedReason, invalid } from "../../domain/errors.ts";
import { CHAIN_READ_MS } from "../../domain/limits.ts";
import { formatUnits } from "../../domain/money.ts";
import type { Environment } from "../../domain/terms.ts";
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
 * Builds a refund by the recipient, from the state on chain at this moment. Throws {@link ApiError}: `dispute_changed`,
 * `invalid_request`, `chain_unavailable`; {@link ActionError}: `wallet_not_recipient`, `wallet_short`.
 */
export async function buildRefund(
  { builderOf }: RefundDeps,
  { environment, observedSlot, now }: ActedPayment,
  { total, ...wanted }: WantedRefund,
): Promise<BuiltAction> {
  const order = { ...wanted, action: "refund", total: BigInt(total), now, minSlot: observedSlot } as const;
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  const built = await unlessAway((async () => builderOf(environment).buildAction(order, { signal }))());
  if (built === null) throw chainAway();
  switch (built.kind) {
    case "built":
      return built;
    case "not_found":
      throw changed("not_on_chain", "The chain does not show this payment now. Read it again in a minute.");
    case "other_wallet":
      throw new ActionError("wallet_not_recipient", `Only the recipient's wallet, ${built.needed}, can refund it.`);
    case "sol_missing":
    case "sponsor_short":
      throw new ActionError(
        "wallet_short",
        `The wallet needs ${formatUnits(built.missing.toString(), SOL_DECIMALS)} SOL more to pay the network's fee.`,
      );
    case "would_fail":
      throw changed("would_fail", `A trial run failed: ${built.reason}. Nothing was changed.`);
    case "not_possible":
      if (built.reason === "invalid_total")
        throw invalid("total", "Expected at most the payment's amount, and more than its refundTotal is already.");
      if (built.reason === "payment_closed")
        throw changed("payment_closed", "The payment's record is closed: all of it left the escrow long ago.");
      if (built.reason === "already_paid_out") throw changed("already_paid_out", PAID_OUT);
      throw changed("would_fail", `A trial run failed: ${built.reason}. Nothing was changed.`);
  }
}
const SOL_DECIMALS = 9;
const PAID_OUT = "All that was due has already left the escrow. Pay the buyer back by a transfer to their wallet.";

const changed = (reason: DisputeChangedReason, message: string): ApiError =>
  new ApiError("dispute_changed", message, { reason });

export const chainAway = (): ApiError =>
  new ApiError("chain_unavailable", "The chain could not be read. Retry with backoff.", {}, { retryAfterSeconds: 2 });
