import { Badge, Notice } from "@holdfast/ui/badge.tsx";
import { Time, Wait } from "@holdfast/ui/time.tsx";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { PaymentWithActions } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { Arbiter } from "../objects/arbiter.tsx";
import { DisputeLink } from "../objects/disputeLink.tsx";
import { objectLink } from "../objects/objectLink.tsx";
import { useEnvironmentTime } from "../shell/environmentTime.ts";
import { useTenant } from "../shell/tenant.ts";
import { useCourse } from "./course.ts";
import { refundableOf, splitOf } from "./money.ts";
import { stateOf } from "./paymentWord.ts";
import { type Followed, stageOf } from "./stage.ts";

interface PaymentProps {
  readonly payment: PaymentWithActions;
  readonly token: ShownToken;
}

/** The amount with the payment's state beside it, and further badges. */
export function PaymentHeading({
  payment,
  token,
  badges,
}: {
  readonly payment: Followed;
  readonly token: ShownToken;
  readonly badges: readonly string[];
}) {
  const { path } = useTenant();
  const { figure, unit } = token.text(payment.amount);
  const { tone, word } = stateOf(payment);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link to="/$business/$environment/payments" params={path} className="basis-full text-small text-soft">
        {texts.payment.up}
      </Link>
      <h1 className="text-[28px] leading-[34px] font-semibold tabular-nums">
        {figure} <span className="text-lead text-soft">{unit}</span>
      </h1>
      <Badge tone={tone}>{word}</Badge>
      {badges.map((badge) => (
        <Badge key={badge} tone="wait">
          {badge}
        </Badge>
      ))}
    </div>
  );
}

/** The order, and what happens when. */
export const PaymentSentence = ({ payment, token }: PaymentProps) => (
  <>
    <Filled text={texts.payment.paidOn(payment.merchantReference)} slots={{ time: <Time at={payment.createdAt} /> }} />{" "}
    {sentence(payment, token)}
  </>
);

function sentence(payment: PaymentWithActions, { show }: ShownToken): ReactNode {
  const { held, returning } = splitOf(payment);
  const labels = texts.payment.stages;
  const { outcome, amountReleased, amountRefunded, disputedAt, protectionDeadline } = payment;
  const decision = outcome === null ? "" : `${texts.payment.outcomes[outcome]} `;
  const timed = (text: string, at: string | null) => (
    <Filled text={`${decision}${text}`} slots={{ time: <Time at={at} /> } as Readonly<Record<string, ReactNode>>} />
  );
  switch (stageOf(payment)) {
    case "protected":
      return <Filled text={labels.protected(show(held))} slots={{ wait: <Left until={protectionDeadline} /> }} />;
    case "settleable":
      return labels.settleable(show(held));
    case "disputed":
      return timed(labels.disputed(show(held)), disputedAt);
    case "lapsed":
      return labels.lapsed(show(held + returning));
    case "decided":
      return `${decision}${labels.decided}`;
    case "released":
      return timed(
        amountRefunded === "0"
          ? labels.released(show(amountReleased))
          : labels.releasedInPart(show(amountReleased), show(amountRefunded)),
        payment.settledAt,
      );
    case "refunded":
      return timed(labels.refunded(show(amountRefunded)), payment.refundedAt);
  }
}

const Left = ({ until }: { readonly until: string }) => <Wait until={until} at={useEnvironmentTime()} />;

/** What keeps due parts in the escrow, with what to do. */
const heldOf = ({ nextActions }: Pick<PaymentWithActions, "nextActions">): string[] =>
  nextActions.flatMap(({ action, blockedBy }) => {
    if (blockedBy === null) return [];
    const side = action === "settle" || action === "pay_out_recipient" ? "recipient" : "sender";
    return [texts.payment.held[side][blockedBy]];
  });

/** Sentences about what needs a person: a dispute, a duplicate, a late payment. `primary`: the payment that came first. */
export function PaymentNotices({ payment, token, primary }: PaymentProps & { readonly primary: string | null }) {
  const { role, lateReason, overLimit } = payment;
  const isOpen = refundableOf(payment) > 0n;
  const course = useCourse(payment);
  return (
    <>
      {payment.disputedAt === null ? null : <DisputeLink of={{ payment: payment.id }} />}
      {stageOf(payment) === "disputed" ? (
        <Notice tone={course.total === null ? "bad" : "wait"}>
          <p className="max-w-text">
            <Filled
              text={texts.payment.frozen[course.kind](token.show(splitOf(payment).held))}
              slots={{
                arbiter: <Arbiter {...payment} />,
                total: course.total === null ? null : token.show(course.total),
                at: <Time at={course.at} />,
                resolveBy: <Time at={payment.resolveBy} />,
              }}
            />{" "}
            {course.turn === null ? null : (
              <Filled
                text={texts.payment.turns[course.total === null ? "asked" : "agreed"][course.turn]}
                slots={{ until: <Time at={course.turnUntil} /> }}
              />
            )}
          </p>
        </Notice>
      ) : null}
      {heldOf(payment).map((reason) => (
        <Notice key={reason} tone="bad">
          <p className="max-w-text">{reason}</p>
        </Notice>
      ))}
      {isOpen && role === "duplicate" && primary !== null ? (
        <Notice tone="wait">
          <p className="max-w-text">
            <Filled text={texts.payment.duplicateOf} slots={{ payment: objectLink(primary) }} />
          </p>
        </Notice>
      ) : null}
      {isOpen && role === "primary" && overLimit ? (
        <Notice tone="bad">
          <p className="max-w-text">{texts.payment.overLimit}</p>
        </Notice>
      ) : null}
      {isOpen && role === "primary" && lateReason !== null ? (
        <Notice tone="wait">
          <p className="max-w-text">{texts.payment.lateReasons[lateReason]}</p>
        </Notice>
      ) : null}
    </>
  );
}
