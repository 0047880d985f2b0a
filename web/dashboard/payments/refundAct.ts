import { checkAction, checkBuilt, checkPlainForm } from "@holdfast/decoder";
import { handIn } from "../acts/handIn.ts";
import type { StaffAct } from "../acts/multisig.tsx";
import { call, type InputOf } from "../api/client.ts";

/** A refund as the page shows it: the bytes are compared with it before a wallet has them. */
export interface ShownRefund {
  readonly path: InputOf<"refundPayment">["path"];
  readonly program: { readonly programId: string; readonly operator: string };
  readonly sender: string;
  readonly recipient: string;
  readonly asset: string;
  /** The amount that the buyer has in the end, in smallest units. */
  readonly total: string;
}

/** A refund by the recipient's wallet. */
export function refundAct(refund: ShownRefund): StaffAct {
  const { path, program, sender, recipient, asset, total } = refund;
  const shown = {
    ...{ ...program, payment: path.payment, action: "refund" as const, total, sender, recipient, mint: asset },
    ...{ account: recipient, tokenProgram: null, rentPayer: null },
  };
  return {
    signer: recipient,
    build: async () => {
      const built = await call("refundPayment", { path, body: { total, account: recipient } });
      checkBuilt(built, (bytes, networkLamports) => {
        checkPlainForm(bytes, built.instructions);
        return checkAction(bytes, { ...shown, networkLamports });
      });
      return built;
    },
    submit: (transaction) => handIn(call("submitRefund", { path, body: { transaction } })),
    life: (transaction) => call("fetchRefundLife", { path, body: { transaction } }),
  };
}
