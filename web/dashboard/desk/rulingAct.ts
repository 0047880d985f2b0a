import { checkBuilt, checkPlainForm, checkRuling, UnexpectedBytesError } from "@holdfast/decoder";
import { handIn } from "../acts/handIn.ts";
import type { StaffAct } from "../acts/multisig.tsx";
import { call } from "../api/client.ts";
import { write } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { hashRecord, type ShownDecision } from "./ruling.ts";

/** A frozen decision as the page shows it: record and bytes are compared with it before a wallet has them. */
export interface ShownRuling extends ShownDecision {
  readonly programId: string;
  readonly path: { readonly dispute: string; readonly decision: string };
}

/** A ruling by the arbiter's wallet. It is built with a new blockhash each time. */
export function rulingAct(ruling: ShownRuling): StaffAct {
  const { path, arbiter } = ruling;
  return {
    signer: arbiter,
    build: async () => {
      const { transaction, plain, networkLamports, record } = await call("buildDecision", { path });
      if (transaction === null || plain === null || networkLamports === null)
        throw new UnexpectedBytesError(texts.desk.sign.otherRecord);
      const memo = await hashRecord(record, ruling);
      const fee = { networkLamports, tokenAccountLamports: "0", totalLamports: networkLamports };
      const built = { transaction, fee, sponsored: false, instructions: plain };
      checkBuilt(built, (bytes, networkLamports) => {
        checkPlainForm(bytes, plain);
        return checkRuling(bytes, { ...ruling, memo, networkLamports });
      });
      return built;
    },
    submit: (transaction) => handIn(write("submitDecision", { path, body: { transaction } })),
    life: (transaction) => call("fetchDecisionLife", { path, body: { transaction } }),
  };
}
