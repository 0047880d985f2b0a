import type { BuiltAction, PaymentAction } from "../../chain/acts.ts";
import type { JsonText } from "../../domain/show.ts";
import type { Environment } from "../../domain/terms.ts";

/** A payment under the operator, as far as an action on it asks the database. The chain shows the rest. */
export interface ActedPayment {
  readonly environment: Environment;
  /** Null, as the intent is, if it is bound to no intent. */
  readonly businessId: string | null;
  readonly intentId: string | null;
  /** Null if it was closed before it was ever observed. */
  readonly recipient: string | null;
  readonly observedSlot: number;
  /** The environment's time. */
  readonly now: Date;
}

interface ShownAction {
  readonly action: PaymentAction;
  readonly built: Omit<BuiltAction, "kind">;
  readonly sponsored: boolean;
  /** The wallet that has to sign, for callers who did not name it. */
  readonly signer?: string;
}

/** §4.15.2: a transaction to sign. */
export function showAction({ action, built, sponsored, signer }: ShownAction): JsonText {
  const { network, tokenAccount } = built.fee;
  return JSON.stringify({
    object: "action_transaction",
    action,
    payment: built.payment.address,
    transaction: built.transaction,
    total: built.total,
    fee: {
      networkLamports: network.toString(),
      tokenAccountLamports: tokenAccount.toString(),
      totalLamports: (network + tokenAccount).toString(),
    },
    returns: built.returns === null ? null : { lamports: built.returns.lamports.toString(), to: built.returns.to },
    sponsored,
    lastValidBlockHeight: Number(built.lastValidBlockHeight),
    instructions: built.instructions,
    ...(signer === undefined ? {} : { signer }),
  }) as JsonText;
}
