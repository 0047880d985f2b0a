import { CopyText } from "@holdfast/ui/copy.tsx";
import type { ReactNode } from "react";
import type { Payment } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

/**
 * Two columns on a wide page: what happened, and beside it the refund and the details. On a narrow one they follow each
 * other, the refund first, in the order of the keyboard.
 */
export const MoneyColumns = ({
  first,
  aside,
  children,
}: {
  readonly first: ReactNode;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}) => (
  <div className="grid grid-cols-[minmax(0,1fr)_376px] grid-rows-[auto_1fr] items-start gap-x-6 gap-y-5 max-[1100px]:grid-cols-[minmax(0,1fr)]">
    {first === null ? null : <div className="col-start-2 min-w-0 max-[1100px]:col-start-1">{first}</div>}
    <div className="col-start-1 row-span-2 row-start-1 grid min-w-0 gap-5 max-[1100px]:row-span-1 max-[1100px]:row-start-auto">
      {children}
    </div>
    <div className="col-start-2 min-w-0 max-[1100px]:col-start-1">{aside}</div>
  </div>
);

/** The way to pay a buyer back once the recipient's part has left the escrow; the buyer's may still leave. */
export const PayBackCard = ({ sender, status }: Pick<Payment, "sender" | "status">) => (
  <section className="grid gap-3 rounded-card border border-line p-4" aria-label={texts.payment.allLeftTitle}>
    <h2 className="text-lead font-semibold">{texts.payment.allLeftTitle}</h2>
    <p className="text-small text-soft">{texts.payment.allLeft[status === "released" ? "whole" : "part"]}</p>
    <CopyText what={texts.payment.buyerAddress} text={sender} />
  </section>
);
