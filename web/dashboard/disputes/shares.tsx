import { type Share, ShareBar } from "@holdfast/ui/shareBar.tsx";
import type { DisputeWithTexts } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";

/** A dispute as its parts show it. */
export interface DisputeProps {
  readonly dispute: DisputeWithTexts;
  readonly amount: string;
  /** The amount that is bound to the buyer already. */
  readonly refundTotal: string;
  readonly token: ShownToken;
}

/** The two amounts of an offer: what the buyer has in the end, and what the merchant has. */
export const Shares = ({
  total,
  amount,
  token: { show },
}: {
  readonly total: string;
  readonly amount: string;
  readonly token: ShownToken;
}) => {
  const rest = BigInt(amount) - BigInt(total);
  const shares: readonly Share[] = [
    { fill: "returned", amount: BigInt(total), title: texts.disputes.offer.to(show(total)), text: null },
    { fill: "released", amount: rest, title: texts.disputes.offer.toYou(show(rest)), text: null },
  ];
  return <ShareBar shares={shares} />;
};
