import { Time } from "@holdfast/ui/time.tsx";
import type { DeskDispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { openOfferOf } from "../disputes/case.ts";
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
        [words.atLeast, words.least(token.gain(offered, refundTotal)), words.byOffers],
        [
          words.between,
          token.show(BigInt(asked) - BigInt(offered)),
          words.range(token.show(offered), token.show(asked)),
        ],
      ]
    : [
        [words.asked, asked === null ? words.none : token.gain(asked, refundTotal), ""],
        [words.offered, offered === null ? words.none : token.gain(offered, refundTotal), ""],
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
        : [[words.agreed, token.gain(dispute.agreement.total, refundTotal), words.agreedBy] as const]),
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
  const { facts, history } = dispute;
  return (
    <Section title={words.title}>
      <Facts
        inColumn
        facts={[
          [
            words.payment,
            <Linked key="payment" of={dispute.payment} href={explorerOf(dispute, "address", dispute.payment)} />,
          ],
          facts.signature === null
            ? null
            : [
                words.transaction,
                <Linked key="transaction" of={facts.signature} href={explorerOf(dispute, "tx", facts.signature)} />,
              ],
          [
            words.receipt,
            <Away key="receipt" href={dispute.receiptPage}>
              {words.openReceipt}
            </Away>,
          ],
          dispute.termsUrl === null
            ? null
            : [
                words.terms,
                <Away key="terms" href={dispute.termsUrl}>
                  {words.openTerms}
                </Away>,
              ],
          [
            words.policy,
            dispute.refundPolicy === null ? (
              <span key="none" className="text-soft">
                {words.noPolicy}
              </span>
            ) : (
              <span key="policy" className="max-w-text whitespace-pre-wrap">
                {dispute.refundPolicy}
              </span>
            ),
          ],
          [
            words.paid,
            <>
              {token.show(facts.amount)} · <Time at={facts.createdAt} />
            </>,
          ],
          [words.disputed, time(dispute.openedAt)],
          dispute.intentDescription === null ? null : [words.description, dispute.intentDescription],
          ...(history === null ? [] : showCounts(history)),
          dispute.usualOutcome === null ? null : [words.usual, dispute.usualOutcome],
          [words.arbiter, code(facts.arbiter)],
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
  const words = texts.desk.facts;
  return [
    [words.buyer, words.buyerCounts(buyer.payments, buyer.disputes, buyer.decidedAgainst)],
    [
      words.merchant,
      words.merchantCounts(merchant.payments, merchant.disputes, merchant.decidedAgainst, merchant.refunds),
    ],
  ] as const;
}

/** What decides a dispute of this reason, as a rule. */
export const Checklist = ({ reason }: Pick<DeskDispute, "reason">) => (
  <Section title={texts.desk.checklist.title}>
    <ul className="m-0 max-w-text pl-5 text-soft">
      {texts.desk.checklist[reason].split("\n").map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </Section>
);
