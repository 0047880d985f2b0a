import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { StaffEvent } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { stepText } from "../objects/eventTypes.ts";
import { ExplorerLink } from "../objects/explorerLink.tsx";
import { Section } from "../shell/page.tsx";
import { useCourse } from "./course.ts";
import { type Followed, type NextStep, nextSteps } from "./stage.ts";

const DOTS = {
  next: "border-dashed border-[var(--edge)] bg-card",
  back: "border-info bg-info",
  bad: "border-bad bg-bad",
  done: "border-accent bg-accent",
} as const;
type Dot = keyof typeof DOTS;

const EVENT_DOTS: Readonly<Partial<Record<StaffEvent["type"], Dot>>> = {
  "payment.partially_refunded": "back",
  "payment.refunded": "back",
  "payment.disputed": "bad",
  "payment.reverted": "bad",
};
const REFUNDS: readonly StaffEvent["type"][] = ["payment.partially_refunded", "payment.refunded"];

interface TimelineProps {
  readonly payment: Followed & { readonly sender: string | null; readonly signature: string | null };
  readonly token: ShownToken;
  readonly isOurs: boolean;
  /** The newest first. */
  readonly events: readonly StaffEvent[];
  /** True if older events are not shown. */
  readonly hasMore: boolean;
  /** The time of the intent's creation; null if it is not known. */
  readonly intentCreatedAt: string | null;
}

/** What comes next on top, then what happened, the newest first. */
export function PaymentTimeline({ payment, token, isOurs, events, hasMore, intentCreatedAt }: TimelineProps) {
  const newestRefund = events.find(({ type }) => REFUNDS.includes(type));
  const isCreationKnown = events.some(({ type }) => type === "payment_intent.created");
  return (
    <Section title={texts.payment.timeline.title}>
      <ol className="m-0 list-none p-0">
        {nextSteps(payment, useCourse(payment)).map((step) => (
          <Entry key={step.kind} dot="next" title={titleOf(step, token, isOurs)} when={whenOf(step)}>
            <Filled
              text={texts.payment.timeline.whys[step.why]}
              slots={{ resolveBy: <Time at={payment.resolveBy} /> }}
            />
          </Entry>
        ))}
        {events.map((event) => (
          <Entry
            key={event.id}
            dot={EVENT_DOTS[event.type] ?? "done"}
            title={stepText(event)}
            when={<Time at={event.occurredAt} />}
          >
            {event.type === "payment.protected" ? <PaidBy {...payment} /> : null}
            {event === newestRefund ? texts.payment.timeline.inAll(token.show(payment.amountRefunded)) : null}
          </Entry>
        ))}
        {intentCreatedAt === null || isCreationKnown || hasMore ? null : (
          <Entry
            dot="done"
            title={texts.objects.eventTypes["payment_intent.created"].step}
            when={<Time at={intentCreatedAt} />}
          />
        )}
      </ol>
    </Section>
  );
}

const titleOf = ({ kind, amount }: NextStep, { show }: ShownToken, isOurs: boolean): string => {
  const labels = texts.payment.timeline;
  if (kind === "goesToRecipient") return (isOurs ? labels.goesToYou : labels.goesToRecipient)(show(amount));
  return labels[kind](show(amount));
};

function whenOf({ at, why }: NextStep): ReactNode {
  if (at === null) return texts.payment.timeline.next;
  const time = <Time at={at} />;
  const { whens } = texts.payment.timeline;
  return why in whens ? <Filled text={whens[why as keyof typeof whens]} slots={{ time }} /> : time;
}

function Entry({
  dot,
  title,
  when,
  children,
}: {
  readonly dot: Dot;
  readonly title: string;
  readonly when: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 pb-4 pl-[28px] before:absolute before:top-[20px] before:bottom-[-4px] before:left-[5px] before:border-l-2 before:border-line last:before:hidden max-md:grid-cols-[minmax(0,1fr)]">
      <span aria-hidden="true" className={`absolute top-[4px] left-0 size-[12px] rounded-full border-2 ${DOTS[dot]}`} />
      <span className="font-semibold">{title}</span>
      <span className="text-small text-soft">{when}</span>
      {children === undefined ? null : <span className="col-span-full text-small text-soft">{children}</span>}
    </li>
  );
}

const PaidBy = ({ sender, signature }: Pick<TimelineProps["payment"], "sender" | "signature">) => (
  <>
    {sender === null ? null : (
      <Filled
        text={texts.payment.timeline.by}
        slots={{
          sender: (
            <code translate="no" className="break-all">
              {sender}
            </code>
          ),
        }}
      />
    )}{" "}
    {signature === null ? null : <ExplorerLink signature={signature} />}
  </>
);
