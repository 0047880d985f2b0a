import {
  type ActionName,
  checkAction,
  checkBuilt,
  checkPlainForm,
  signerOf,
  UnexpectedBytesError,
} from "@holdfast/decoder";
import type { Act } from "@holdfast/wallet/act.ts";
import type { ReceiptData, ShownOnReceipt } from "./data.ts";
import type { Posts } from "./schema.ts";
import { callService, handOver } from "./service.ts";

export type ActionTransaction = Posts["/pay/p/{payment}/build"]["answer"];

/** An action as the page shows it. */
export interface ShownChoice {
  readonly data: ReceiptData;
  readonly action: ActionName;
  /** The buyer's total in the end, in digits; null for actions without one. */
  readonly total: string | null;
}

/** The wallet whose signature the action needs; null: anybody's. */
export function walletNeededFor(action: ActionName, payment: ShownOnReceipt): string | null {
  const side = signerOf(action);
  return side && payment[side];
}

/** An action on the payment that a page shows. */
export function actionAct({ data, action, total }: ShownChoice): Act<ActionTransaction> {
  const { payment, sponsors } = data;
  return {
    signer: walletNeededFor(action, payment),
    isSponsorable: sponsors.length > 0,
    build: async (account, sponsored) => {
      const body = { action, account, sponsored, ...(total !== null && { total }) };
      const built = await callService("/pay/p/{payment}/build", data, body);
      const shown = { ...payment, payment: payment.address, account, action, total, sponsors };
      checkBuilt(built, (bytes, networkLamports) => {
        checkPlainForm(bytes, built.instructions);
        return checkAction(bytes, { ...shown, networkLamports });
      });
      checkReturns(built, payment);
      return built;
    },
    submit: (transaction) => handOver("/pay/p/{payment}/submit", data, { transaction }),
    life: (transaction) => callService("/pay/p/{payment}/life", data, { transaction }),
  };
}

/** Deposits come back to the wallet that paid them. They have no bound: anybody may send lamports to a vault. */
function checkReturns({ returns }: ActionTransaction, { rentPayer }: ShownOnReceipt): void {
  if (returns !== null && returns.to !== (rentPayer ?? returns.to))
    throw new UnexpectedBytesError("its deposit goes elsewhere");
}
