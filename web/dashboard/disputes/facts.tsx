import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, SLOW_MS } from "../api/queries.ts";
import type { DisputeWithTexts, Fulfillment, PaymentWithActions } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { type Fact, Facts } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { useTenant } from "../shell/tenant.ts";

interface FactsProps {
  readonly dispute: DisputeWithTexts;
  readonly payment: PaymentWithActions;
  readonly token: ShownToken;
}

/** The facts that the merchant and the arbiter read alike. */
export const factsOfBoth = ({ usualOutcome }: Pick<DisputeWithTexts, "usualOutcome">): (Fact | null)[] => [
  usualOutcome === null ? null : [texts.disputes.facts.usual, usualOutcome],
];

/** Facts beside the texts: the payment, the order, its deliveries as the shop says, and counts. */
export function DisputeFacts({ dispute, payment, token }: FactsProps) {
  const { path } = useTenant();
  const { intent } = dispute;
  const order = useQuery(read("getPaymentIntent", { path: { ...path, intent } })).data?.intent;
  const deliveries = useQuery({
    ...read("listFulfillments", { path: { ...path, intent } }),
    refetchInterval: SLOW_MS,
  }).data?.data;
  const labels = texts.disputes.facts;
  const count = (side: "buyer" | "merchant") => dispute.statements.filter(({ by }) => by === side).length;
  return (
    <Section title={labels.title} text={<span className="text-small">{labels.text}</span>}>
      <Facts
        inColumn
        facts={[
          [
            labels.paid,
            <>
              {token.show(payment.amount)} · <Time at={payment.createdAt} />
            </>,
          ],
          order?.description == null ? null : [labels.description, order.description],
          dispute.requestedTotal === null ? null : [labels.requested, token.show(dispute.requestedTotal)],
          ...factsOfBoth(dispute),
          [
            labels.delivered,
            deliveries === undefined ? null : deliveries.length === 0 ? (
              <Link key="none" to="/$business/$environment/intents/$intent" params={{ ...path, intent }}>
                {labels.noDelivery}
              </Link>
            ) : (
              <ul key="all" className="m-0 grid list-none gap-1 p-0">
                {deliveries.map((one) => (
                  <Delivery key={one.id} delivery={one} />
                ))}
              </ul>
            ),
          ],
          [labels.statements, labels.counts(count("merchant"), count("buyer"))],
          [labels.buyer, <OfBuyer key="buyer" payment={payment} />],
        ]}
      />
    </Section>
  );
}

const Delivery = ({
  delivery: { carrier, trackingNumber, sentAt, deliveredAt },
}: {
  readonly delivery: Fulfillment;
}) => (
  <li>
    {[carrier, trackingNumber].filter((part) => part !== null).join(" ")}
    {sentAt === null ? null : (
      <span className="block text-small text-soft">
        <Filled text={texts.disputes.facts.sent} slots={{ time: <Time at={sentAt} /> }} />
      </span>
    )}
    {deliveredAt === null ? null : (
      <span className="block text-small text-soft">
        <Filled text={texts.disputes.facts.arrived} slots={{ time: <Time at={deliveredAt} /> }} />
      </span>
    )}
  </li>
);

const COUNTED_MAX = "100";

/** The other payments of the buyer's wallet at this shop. */
function OfBuyer({ payment: { id, sender } }: Pick<FactsProps, "payment">) {
  const { path } = useTenant();
  const list = useQuery(read("listPayments", { path, query: { sender, limit: COUNTED_MAX } })).data;
  if (list === undefined) return null;
  const others = list.data.filter((one) => one.id !== id);
  const labels = texts.disputes.facts;
  return (
    <>
      {labels.earlier(others.length, list.hasMore)}
      {others.length === 0 ? null : (
        <span className="text-soft">
          {" "}
          · {labels.disputed(others.filter(({ disputedAt }) => disputedAt !== null).length)}
        </span>
      )}
    </>
  );
}
