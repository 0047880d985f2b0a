import { Time } from "@holdfast/ui/time.tsx";
import type { DeskDispute, Fulfillment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { openOfferOf } from "../disputes/case.ts";
import { Words } from "../disputes/erased.tsx";
import { code, Facts, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { type DeskProps, isEnded } from "./sides.tsx";

type Figure = readonly [title: string, figure: string, text: string];

/** The figures of a case: what is at stake, why, and how far apart the open offers are. */
export function Summary({ dispute, token }: DeskProps) {
  const words = texts.desk.sum;
  const { refundTotal } = dispute.facts;
  const asked = openOfferOf(dispute, "buyer")?.total ?? dispute.requestedTotal;
  const offered = openOfferOf(dispute, "merchant")?.total ?? null;
  const isBetween = asked !== null && offered !== null && BigInt(asked) >= BigInt(offered);
  // Without two offers that meet in the middle, each side's wish stands by itself.
  const wishes: readonly Figure[] = isBetween
    ? [
        [words.atLeast, words.least(token.show(offered)), words.byOffers],
        [
          words.between,
          token.show(BigInt(asked) - BigInt(offered)),
          words.range(token.show(offered), token.show(asked)),
        ],
      ]
    : [
        [words.asked, asked === null ? words.none : token.show(asked), ""],
        [words.offered, offered === null ? words.none : token.show(offered), ""],
      ];
  const hasEnded = isEnded(dispute);
  const figures: readonly Figure[] = [
    [
      words.stake,
      token.show(dispute.total),
      hasEnded ? "" : refundTotal === "0" ? words.nothingReturned : words.returned(token.show(refundTotal)),
    ],
    [words.reason, texts.disputes.reasons[dispute.reason], words.byBuyer],
    ...(hasEnded
      ? sent(dispute, token)
      : dispute.agreement === null
        ? wishes
        : [[words.agreed, token.show(dispute.agreement.total), words.agreedBy] as const]),
  ];
  return (
    <dl
      aria-label={words.title}
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
  const words = texts.desk.sum;
  const rest = BigInt(total) - BigInt(refundTotal);
  return [
    [words.sentToBuyer, token.show(amountRefunded), words.of(token.show(refundTotal))],
    [words.sentToShop, token.show(amountReleased), words.of(token.show(rest))],
  ] as const;
}

/** Facts beside the words: payment, order, deliveries as the shop says, counts of both sides, and the usual outcome. */
export function DeskFacts({ dispute, token }: DeskProps) {
  const words = texts.desk.facts;
  const { facts, history, fulfillments } = dispute;
  return (
    <Section title={words.title}>
      <Facts
        inColumn
        facts={[
          [words.payment, code(dispute.payment)],
          [
            words.paid,
            <>
              {token.show(facts.amount)} · <Time at={facts.createdAt} />
            </>,
          ],
          [words.disputed, time(dispute.openedAt)],
          dispute.intentDescription === null
            ? null
            : [
                words.description,
                <span key="text" className="block overflow-clip">
                  {dispute.intentDescription}
                </span>,
              ],
          [
            words.delivered,
            fulfillments.length === 0 ? (
              <span key="none" className="text-soft">
                {words.noDelivery}
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
          dispute.usualOutcome === null ? null : [words.usual, dispute.usualOutcome],
          [words.arbiter, code(facts.arbiter)],
        ]}
      />
    </Section>
  );
}

function showCounts({ buyer, merchant }: NonNullable<DeskProps["dispute"]["history"]>) {
  const words = texts.desk.facts;
  return [
    [words.buyer, words.buyerCounts(buyer.payments, buyer.disputes, buyer.decidedAgainst)],
    [
      words.merchant,
      words.merchantCounts(merchant.payments, merchant.disputes, merchant.decidedAgainst, merchant.refunds),
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
            <Words text={text} erasedAt={erasedAt} />
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
