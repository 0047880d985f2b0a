import { agreementOf, missingSteps } from "../../disputes/dispute.ts";
import type { Language } from "../languages/language.ts";
import { receiptData } from "../receipt/scriptData.ts";
import { caseVersion } from "./live.ts";
import type { CaseView } from "./view.ts";

/** Data for the script of a case: the receipt's, with the place that signed texts name, and the open offers. */
export function caseData(language: Language, { receipt, facts }: CaseView, isLocal: boolean) {
  const data = receiptData(language, receipt, isLocal);
  const dispute = facts.content?.dispute ?? null;
  const agreement = dispute === null ? null : agreementOf(dispute);
  return {
    ...data,
    page: "case",
    // Without a proof the page follows the payment alone.
    ...(facts.isProven ? { livePath: `${data.path}/case`, ...caseVersion(data, String(dispute?.version ?? 0)) } : {}),
    texts: language.dispute.script,
    genesis: receipt.genesisHash,
    isProven: facts.isProven,
    // The chain's clock, which a local control may have moved ahead.
    aheadMs: receipt.now.getTime() - receipt.at.getTime(),
    resolveBy: dispute?.resolveBy.getTime() ?? null,
    offers: (dispute?.offers ?? [])
      .filter(({ status, side }) => status === "open" && side === "merchant")
      .map(({ id, total, until }) => ({ id, total, until: until.toISOString() })),
    /** The total of an agreement. Once the shop's refund of it is bound, its release needs no typed amount. */
    agreed:
      dispute !== null && agreement !== null && dispute.status === "agreed"
        ? { total: agreement.total, isRefunded: agreement.total !== "0" && !missingSteps(dispute).includes("refund") }
        : null,
  };
}
