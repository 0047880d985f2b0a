import * as texts from "../catalogue/index.ts";
import { useAmounts } from "../objects/amount.tsx";

/** An amount in a row of a list, on one line. A token that is not known is named where the amount is pointed at. */
export function RowAmount({ amount, asset }: { readonly amount: string; readonly asset: string }) {
  const show = useAmounts([asset]);
  const units = texts.objects.unitsOf(asset);
  return (
    <span title={`${amount} ${units}`} className="whitespace-nowrap tabular-nums">
      {show === null ? "…" : show(amount, asset).replace(units, texts.paymentLists.units)}
    </span>
  );
}

/** A reference in a row of a list, on one line. */
export const RowReference = ({ text }: { readonly text: string }) => (
  <span title={text} className="block max-w-[30vw] truncate md:max-w-[180px]">
    {text}
  </span>
);
