import { Time } from "@holdfast/ui/time.tsx";
import type { DeskDispute, Fulfillment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { openOfferOf } from "../disputes/dispute.ts";
import { ErasableText } from "../disputes/erased.tsx";
import { code, Facts, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { type DeskProps, isEnded } from "./sides.tsx";

type Figure = readonly [title: string, figure: string, text: string];

/** The figures of a dispute: what is at stake, why, and how far apart the open offers are. */
export function Summary({ dispute, token }: DeskProps) {
  const labels = texts.desk.sum;
  const { refundTotal } = dispute.facts;
  const asked = openOfferOf(dispute, "buyer")?.total ?? dispute.requestedTotal;
  const offered = openOfferOf(dispute, "merchant")?.total ?? null;
  const isBetween = asked !== null && offered !== null && BigInt(asked) >= BigInt(offered);
  // Without two offers that meet in the middle, each side's wish stands by itself.
  const wishes: readonly Figure[] = isBetween
    ? [
        [labels.atLeast, labels.least(token.show(offered)), labels.byOffers],
        [
          labels.between,
          token.show(BigInt(asked) - BigInt(offered)),
          labels.range(token.show(offered), token.show(asked)),
        ],
      ]
    : [
        [labels.asked, asked === null ? labels.none : token.show(asked), ""],
        [labels.offered, offered === null ? labels.none : token.show(offered), ""],
      ];
  const hasEnded = isEnded(dispute);
  const figures: readonly Figure[] = [
    [
      labels.stake,
      token.show(dispute.total),
      hasEnded ? "" : refundTotal === "0" ? labels.nothingReturned : labels.returned(token.show(refundTotal)),
    ],
    [labels.reason, texts.disputes.reasons[dispute.reason], labels.byBuyer],
    ...(hasEnded
      ? sent(dispute, token)
      : dispute.agreement === null
        ? wishes
        : [[labels.agreed, token.show(dispute.agreement.total), labels.agreedBy] as const]),
  ];
  return (
    <dl
      aria-label={labels.title}
      className="m-0 grid grid-cols-4 overflow-hidden rounded-card border border-line tabular-nums max-md:grid-cols-2"
    >
      {figures.map(([title, figure, text]) => (
        <div key={title} className="px-4 py-3 [overflow-wrap:anywhere]">
          <dt className="text-small text-soft">{title}</dt>
          <dd className="m-0 font-semibold">
            {figure}
            {text === "" ? null : <span className="block text-small font-normal text-soft">{text}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What has left to each side, of what is due to it. */
function sent(
  { total, facts: { refundTotal, amountRefunded, amountReleased } }: DeskDispute,
  token: DeskProps["token"],
) {
  const labels = texts.desk.sum;
  const rest = BigInt(total) - BigInt(refundTotal);
  return [
    [labels.sentToBuyer, token.show(amountRefunded), labels.of(token.show(refundTotal))],
    [labels.sentToShop, token.show(amountReleased), labels.of(token.show(rest))],
  ] as const;
}

/** Facts beside the texts: payment, order, deliveries as the shop says, counts of both sides, and the usual outcome. */
export function DeskFacts({ dispute, token }: DeskProps) {
  const labels = texts.desk.facts;
  const { facts, history, fulfillments } = dispute;
  return (
    <Section title={labels.title}>
      <Facts
        inColumn
        facts={[
          [labels.payment, code(dispute.payment)],
          [
            labels.paid,
            <>
              {token.show(facts.amount)} · <Time at={facts.createdAt} />
            </>,
          ],
          [labels.disputed, time(dispute.openedAt)],
          dispute.intentDescription === null
            ? null
            : [
                labels.description,
                <span key="text" className="block overflow-clip">
                  {dispute.intentDescription}
                </span>,
              ],
          [
            labels.delivered,
            fulfillments.length === 0 ? (
              <span key="none" className="text-soft">
                {labels.noDelivery}
              </span>
            ) : (
              <ul key="all" className="m-0 grid list-none gap-1 p-0">
                {fulfillments.map((one) => (
                  <Delivery key={one.id} delivery={one} />
                ))}
              </ul>
            ),
          ],
          ...(history === null ? [] : showCounts(history)),
          dispute.usualOutcome === null ? null : [labels.usual, dispute.usualOutcome],
          [labels.arbiter, code(facts.arbiter)],
        ]}
      />
    </Section>
  );
}

function showCounts({ buyer, merchant }: NonNullable<DeskProps["dispute"]["history"]>) {
  const labels = texts.desk.facts;
  return [
    [labels.buyer, labels.buyerCounts(buyer.payments, buyer.disputes, buyer.decidedAgainst)],
    [
      labels.merchant,
      labels.merchantCounts(merchant.payments, merchant.disputes, merchant.decidedAgainst, merchant.refunds),
    ],
  ] as const;
}

const Delivery = ({
  delivery: { carrier, trackingNumber, sentAt, deliveredAt },
}: {
  readonly delivery: Pick<Fulfillment, "carrier" | "trackingNumber" | "sentAt" | "deliveredAt">;
}) => (
  <li>
    {[carrier, trackingNumber].filter((part) => part !== null).join(" ")}
    {sentAt === null ? null : (
      <span className="block text-small text-soft">
        <Filled text={texts.desk.facts.sent} slots={{ time: <Time at={sentAt} /> }} />
      </span>
    )}
    {deliveredAt === null ? null : (
      <span className="block text-small text-soft">
        <Filled text={texts.desk.facts.arrived} slots={{ time: <Time at={deliveredAt} /> }} />
      </span>
    )}
  </li>
);

/** The arbiter's questions, which both sides read. */
export const Questions = ({ questions }: Pick<DeskDispute, "questions">) =>
  questions.length === 0 ? null : (
    <Section title={texts.desk.questions.title}>
      <ol className="m-0 grid list-none gap-3 p-0 [overflow-wrap:anywhere]">
        {questions.map(({ number, text, askedAt, until, erasedAt }) => (
          <li key={number} className="grid gap-1 border-l-2 border-line pl-3">
            <ErasableText text={text} erasedAt={erasedAt} />
            <p className="text-small text-soft">
              <Filled
                text={texts.desk.questions.asked}
                slots={{ asked: <Time at={askedAt} />, until: <Time at={until} /> }}
              />
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );
