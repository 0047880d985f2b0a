import type { PaymentWithActions } from "../api/schema.ts";

/** The arbiter of a payment: its name, if the deployment gives one, and its wallet. */
export const Arbiter = ({ arbiter, arbiterName }: Pick<PaymentWithActions, "arbiter" | "arbiterName">) => (
  <>
    {arbiterName === null ? null : `${arbiterName} `}
    <code translate="no" className="break-all">
      {arbiter}
    </code>
  </>
);
