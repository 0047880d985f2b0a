import { Time } from "@holdfast/ui/time.tsx";
import type { DeskDispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { buyersWish, openOfferOf } from "../disputes/dispute.ts";
import { factsOfBoth } from "../disputes/facts.tsx";
import { fiatText } from "../objects/fiat.ts";
import { code, Facts, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { type DeskProps, isEnded } from "./sides.tsx";

type Figure = readonly [title: string, figure: string, text: string];

/** The figures of a dispute: what is at stake, why, and how far apart the open offers are. */
export function Summary({ dispute, token }: DeskProps) {
  const labels = texts.desk.sum;
  const { refundTotal } = dispute.facts;
  const { asked, takes } = buyersWish(dispute);
  const offered = openOfferOf(dispute, "merchant")?.total ?? null;
  const isBetween = takes !== null && offered !== null && BigInt(takes) >= BigInt(offered);
  // Without two open offers that leave room between them, each side's wish stands by itself.
  const wishes: readonly Figure[] = isBetween
    ? [
        [labels.atLeast, labels.least(token.gain(offered, refundTotal)), ""],
        [
          labels.between,
          token.show(BigInt(takes) - BigInt(offered)),
          labels.range(token.show(offered), token.show(takes)),
        ],
      ]
    : [
        [
          labels.asked,
          asked === null ? labels.none : token.gain(asked, refundTotal),
          takes === null || takes === asked ? "" : labels.takes(token.gain(takes, refundTotal)),
        ],
        [labels.offered, offered === null ? labels.none : token.gain(offered, refundTotal), ""],
      ];
  const hasEnded = isEnded(dispute);
  const figures: readonly Figure[] = [
    [
      hasEnded ? labels.disputed : labels.stake,
      token.show(hasEnded ? dispute.total : BigInt(dispute.total) - BigInt(refundTotal)),
      hasEnded
        ? ""
        : refundTotal === "0"
          ? labels.nothingReturned
          : labels.returned(token.show(refundTotal), token.show(dispute.total)),
    ],
    [labels.reason, texts.disputes.reasons[dispute.reason], dispute.reason === "not_given" ? "" : labels.byBuyer],
    ...(hasEnded
      ? sent(dispute, token)
      : dispute.agreement === null
        ? wishes
        : [[labels.agreed, token.gain(dispute.agreement.total, refundTotal), labels.agreedBy] as const]),
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
  const { facts, history, comparable } = dispute;
  return (
    <Section title={labels.title}>
      <Facts
        inColumn
        facts={[
          [
            labels.payment,
            <Linked key="payment" of={dispute.payment} href={explorerOf(dispute, "address", dispute.payment)} />,
          ],
          facts.signature === null
            ? null
            : [
                labels.transaction,
                <Linked key="transaction" of={facts.signature} href={explorerOf(dispute, "tx", facts.signature)} />,
              ],
          [
            labels.receipt,
            <Away key="receipt" href={dispute.receiptPage}>
              {labels.openReceipt}
            </Away>,
          ],
          dispute.termsUrl === null
            ? null
            : [
                labels.terms,
                <Away key="terms" href={dispute.termsUrl}>
                  {labels.openTerms}
                </Away>,
              ],
          [
            labels.policy,
            dispute.refundPolicy === null ? (
              <span key="none" className="text-soft">
                {labels.noPolicy}
              </span>
            ) : (
              <span key="policy" className="max-w-text whitespace-pre-wrap">
                {dispute.refundPolicy}
              </span>
            ),
          ],
          [
            labels.paid,
            <>
              {token.show(facts.amount)} · <Time at={facts.createdAt} />
              {dispute.worth === null ? null : (
                <> · {labels.worth(fiatText(dispute.worth.value, dispute.worth.currency))}</>
              )}
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
          ...(history === null ? [] : showCounts(history)),
          ...factsOfBoth(dispute),
          [
            labels.comparable,
            comparable === null
              ? labels.tooFew
              : labels.comparableCounts(comparable.decided, comparable.nothing, comparable.part, comparable.all),
          ],
          [labels.arbiter, code(facts.arbiter)],
        ]}
      />
    </Section>
  );
}

const EXPLORER = "https://explorer.solana.com";
/** The address of something on a public chain; null where the chain is not public. */
function explorerOf({ chain: { cluster } }: DeskDispute, kind: "address" | "tx", id: string): string | null {
  if (cluster === null) return null;
  return `${EXPLORER}/${kind}/${id}${cluster === "mainnet-beta" ? "" : `?cluster=${cluster}`}`;
}

const Away = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" className="font-medium">
    {children}
  </a>
);

const Linked = ({ of, href }: { readonly of: string; readonly href: string | null }) => (
  <>
    {code(of)} {href === null ? null : <Away href={href}>{texts.desk.facts.explorer}</Away>}
  </>
);

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

/** What decides a dispute of this reason, as a rule. */
export const Checklist = ({ reason }: Pick<DeskDispute, "reason">) => (
  <Section title={texts.desk.checklist.title}>
    <ul className="m-0 max-w-text list-disc pl-5 text-soft">
      {texts.desk.checklist[reason].split("\n").map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </Section>
);
