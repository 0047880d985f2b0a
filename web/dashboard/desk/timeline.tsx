import { Badge } from "@holdfast/ui/badge.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { lastPartLeftAt } from "@holdfast/ui/disputeStatus.ts";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { Fulfillment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { type Entry, entriesOf } from "../disputes/dispute.ts";
import { ErasableText } from "../disputes/erased.tsx";
import { FileList } from "../disputes/fileList.tsx";
import { QuestionTime } from "../disputes/talk.tsx";
import { Section } from "../shell/page.tsx";
import type { DeskProps } from "./sides.tsx";
import { missedStep } from "./silence.ts";

const MARKS = {
  ...{ buyer: "bg-info", merchant: "bg-accent", both: "bg-accent", arbiter: "bg-ink" },
  ...{ chain: "bg-line", service: "bg-line" },
} as const;

interface Happening {
  readonly key: string;
  readonly at: string;
  readonly by: keyof typeof MARKS;
  readonly body: ReactNode;
}

/** All that both sides, the arbiter and the chain did, in its order: who answered what, and when. */
export const Timeline = (props: DeskProps) => (
  <Section title={texts.desk.timeline.title}>
    <ol aria-label={texts.desk.timeline.title} className="m-0 grid list-none gap-4 p-0 [overflow-wrap:anywhere]">
      {happeningsOf(props).map(({ key, at, by, body }) => (
        <li key={key} data-by={by} className="grid gap-1 border-l-2 border-line pl-3">
          <h3 className="flex flex-wrap items-center gap-2 text-small font-semibold text-soft">
            <span aria-hidden="true" className={`size-[10px] rounded-[3px] ${MARKS[by]}`} />
            {texts.desk.timeline.by[by]}
            <Time at={at} />
          </h3>
          {body}
        </li>
      ))}
    </ol>
  </Section>
);

function happeningsOf({ dispute, token }: DeskProps): readonly Happening[] {
  const labels = texts.desk.timeline;
  const { facts, decision, agreement, failedAgreement: failed, decidingAt } = dispute;
  const said = (key: string, at: string | null, by: Happening["by"], text: string): readonly Happening[] =>
    at === null ? [] : [{ key, at, by, body: <p>{text}</p> }];
  const isBound = BigInt(facts.refundTotal) > BigInt(facts.amountRefunded);
  return [
    ...said("paid", facts.createdAt, "chain", labels.paid(token.show(facts.amount))),
    ...said("opened", dispute.openedAt, "buyer", labels.opened),
    ...dispute.fulfillments.flatMap((one) => deliveriesOf(one)),
    ...entriesOf(dispute).map((entry) => shownEntry(entry, { dispute, token })),
    ...dispute.files.map((file): Happening => {
      const body = (
        <>
          <p>{labels.file}</p>
          <FileList files={[file]} />
        </>
      );
      return { key: file.id, at: file.createdAt, by: file.side, body };
    }),
    ...said("buyer_asked", dispute.buyerAskedAt, "buyer", labels.askedArbiter),
    ...said("merchant_asked", dispute.merchantAskedAt, "merchant", labels.askedArbiter),
    // An agreement ends talking, too: where it failed, deciding began with that.
    ...(failed !== null && decidingAt !== null && decidingAt > failed.agreedAt
      ? []
      : said("deciding", decidingAt, "service", labels.deciding)),
    ...(failed === null
      ? []
      : [
          ...said("agreed", failed.agreedAt, "both", labels.agreed(token.show(failed.total))),
          ...said("failed", failed.failedAt, "service", labels.agreementFailed[missedStep(dispute) ?? "unknown"]),
        ]),
    ...(agreement === null
      ? []
      : said("agreed", later(agreement.buyer, agreement.merchant), "both", labels.agreed(token.show(agreement.total)))),
    // A ruling stands above the money that it moves at the same time.
    ...said("ruled", decision?.ruledAt ?? null, "arbiter", labels.ruled),
    ...(isBound
      ? said("bound", decision?.ruledAt ?? null, "chain", labels.refundBound(token.show(facts.refundTotal)))
      : []),
    ...(facts.amountRefunded === "0"
      ? []
      : said("refunded", facts.refundedAt, "chain", labels.refunded(token.show(facts.amountRefunded)))),
    ...said("left", lastPartLeftAt(facts), "chain", labels.left),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

const later = (one: string, other: string): string => (Date.parse(one) > Date.parse(other) ? one : other);

function shownEntry(entry: Entry, { dispute, token }: DeskProps): Happening {
  const labels = texts.desk.sides;
  const of = { key: entry.id, at: entry.at, by: entry.by };
  if (entry.kind === "statement") return { ...of, body: <ErasableText {...entry.statement} /> };
  if (entry.kind === "question") {
    return {
      ...of,
      body: (
        <>
          <p>{texts.desk.timeline.questions[entry.question.askedSide ?? "both"]}</p>
          <ErasableText {...entry.question} />
          <p className="text-small text-soft">
            <QuestionTime
              dispute={dispute}
              question={entry.question}
              now={dispute.at}
              unanswered={texts.desk.timeline.unanswered}
            />
          </p>
        </>
      ),
    };
  }
  const { total, text, status } = entry.offer;
  return {
    ...of,
    body: (
      <>
        <p className="flex flex-wrap gap-2">
          {labels.madeOffer(token.show(total))}{" "}
          <Badge tone="neutral">{texts.disputes.side.offerStatuses[status]}</Badge>
        </p>
        {text == null ? null : <p className="text-soft">{text}</p>}
      </>
    ),
  };
}

/** What the shop says of a delivery: at the time at which it recorded it, with the times that it names. */
function deliveriesOf({
  id,
  carrier,
  trackingNumber,
  link,
  sentAt,
  deliveredAt,
  delivery,
  recordedAt,
}: Fulfillment): readonly Happening[] {
  const labels = texts.desk.timeline;
  const name = [carrier, trackingNumber].filter((part) => part !== null).join(" ");
  const said = (what: string) => (
    <p>
      {labels.delivery([what, name].filter((part) => part !== "").join(" · "))}{" "}
      {link === null ? null : (
        <a href={link} target="_blank" rel="noopener noreferrer nofollow" className="font-medium">
          {labels.track} {new URL(link).host}
        </a>
      )}
      <span className="block text-small text-soft">
        <Filled text={labels.recorded} slots={{ time: <Time at={recordedAt} /> }} />
      </span>
    </p>
  );
  const body = (what: string) =>
    delivery === null ? (
      said(what)
    ) : (
      <>
        {said(what)}
        <p className="text-small text-soft">{labels.signed}</p>
        <CopyText what="delivery" text={delivery} />
      </>
    );
  const named = [
    [sentAt, labels.deliverySent],
    [deliveredAt, labels.deliveryArrived],
  ] as const;
  const dated = named.flatMap(([at, what]): Happening[] =>
    at === null ? [] : [{ key: `${id} ${what}`, at, by: "merchant", body: body(what) }],
  );
  return dated.length > 0 ? dated : [{ key: id, at: recordedAt, by: "merchant", body: body("") }];
}
