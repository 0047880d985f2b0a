import { Badge, Notice } from "@holdfast/ui/badge.tsx";
import { dueOf, endsWithLapse, isLapsed } from "@holdfast/ui/disputeStatus.ts";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { read } from "../api/queries.ts";
import type { DeskDispute } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { missingOf } from "../disputes/dispute.ts";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useIdOf } from "../shell/tenant.ts";
import { Acts, useHolds } from "./acts.tsx";
import { WarningBadge } from "./badges.tsx";
import { Decision } from "./decisionForm.tsx";
import { Checklist, DeskFacts, Summary } from "./facts.tsx";
import { Outcome } from "./outcome.tsx";
import { OwnNote } from "./ownNote.tsx";
import { isEnded, Sides } from "./sides.tsx";
import { Timeline } from "./timeline.tsx";
import { tokenOf } from "./token.ts";

const READ_MS = 2_000;

/** A dispute on the arbiter's desk (§13.22): both sides side by side, facts, and what the arbiter can do. */
export function DeskDisputePage() {
  const id = useIdOf("dispute");
  const query = useQuery({ ...read("getDeskDispute", { path: { dispute: id } }), refetchInterval: READ_MS });
  if (query.data !== undefined) return <Found key={id} dispute={query.data} />;
  return (
    <Page title={texts.desk.title}>
      <QueryState query={{ ...query, data: undefined }}>{() => null}</QueryState>
    </Page>
  );
}

function Found({ dispute }: { readonly dispute: DeskDispute }) {
  const token = tokenOf(dispute);
  const parts = { dispute, token };
  const isHeld = useHolds(dispute);
  const hasEnded = isEnded(dispute);
  const [wasOpen] = useState(!hasEnded);
  const hasLapsed = isLapsed(dispute, dispute.at);
  const canDecide = (dispute.status === "deciding" && !hasLapsed) || dispute.status === "agreed";
  const title = texts.desk.disputeTitle(dispute.business.name, dispute.merchantReference);
  return (
    <>
      <p
        className={`px-6 py-1 text-small font-semibold max-md:px-4 ${dispute.environment === "live" ? "bg-accent text-accent-ink" : "bg-wait-wash text-wait"}`}
      >
        {texts.desk.banners[dispute.environment]}
      </p>
      <Page
        title={title}
        heading={<Heading dispute={dispute} title={title} />}
        text={hasEnded || dispute.status === "paused" ? null : <Dates dispute={dispute} />}
        actions={<Acts dispute={dispute} />}
      >
        {hasEnded || hasLapsed ? null : <HolderNotice dispute={dispute} />}
        {hasEnded ? <Outcome {...parts} takesFocus={wasOpen && isHeld} /> : null}
        <Summary {...parts} />
        <Sides {...parts} />
        {hasEnded || hasLapsed ? null : <Checklist reason={dispute.reason} />}
        <Timeline {...parts} />
        <DeskFacts {...parts} />
        {dispute.conflict === null && dispute.erasedAt === null ? <OwnNote dispute={dispute} /> : null}
        {isHeld && canDecide && dispute.conflict === null ? <Decision {...parts} /> : null}
      </Page>
    </>
  );
}

const Heading = ({ dispute, title }: { readonly dispute: DeskDispute; readonly title: string }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <Link to="/desk" className="basis-full text-small text-soft">
      {texts.desk.title}
    </Link>
    <h1 className="min-w-0 [overflow-wrap:anywhere] text-title font-semibold">{title}</h1>
    {isLapsed(dispute, dispute.at) ? null : (
      <Badge tone={dispute.status === "deciding" ? "wait" : "neutral"}>{texts.desk.statuses[dispute.status]}</Badge>
    )}
    <WarningBadge warning={dispute.warning} />
    {dispute.ownArbiter ? <Badge tone="neutral">{texts.desk.ownArbiter}</Badge> : null}
    {dispute.conflict === null && !isEnded(dispute) ? (
      <span className="text-small text-soft">{texts.desk.noMember}</span>
    ) : null}
  </div>
);

const Dates = ({ dispute }: { readonly dispute: DeskDispute }) => (
  <>
    <b className="text-ink">
      <Agreed dispute={dispute} />
      <Due dispute={dispute} />
    </b>
    <Filled
      text={texts.desk.dispute.lapse[dispute.at < dispute.resolveBy ? "ahead" : "past"]}
      slots={{ time: <Time at={dispute.resolveBy} /> }}
    />
  </>
);

/** The sentence names who carries out an agreement, until when, and what follows if nobody does. */
function Agreed({ dispute }: { readonly dispute: DeskDispute }) {
  const { agreement } = dispute;
  const missing = missingOf(dispute);
  if (agreement === null || missing === null) return null;
  const { [missing]: next, fails } = texts.desk.agreed;
  return (
    <>
      <Filled text={next} slots={{ until: <Time at={agreement.until} /> }} />{" "}
      {endsWithLapse(dispute) ? null : `${fails} `}
    </>
  );
}

/** The date of the arbiter's decision; null without one, or while an agreement holds until the chain lets nobody decide. */
function Due({ dispute }: { readonly dispute: DeskDispute }) {
  const { decideBy, questionUntil, at } = dispute;
  const due = decideBy === null || endsWithLapse(dispute) ? null : dueOf({ ...dispute, decideBy }, at);
  if (due === null) return null;
  const [kind, when] = due;
  return (
    <>
      <Filled
        text={texts.desk.due[kind][when]}
        slots={{ time: <Time at={decideBy} />, until: <Time at={questionUntil} /> }}
      />{" "}
    </>
  );
}

/** Who holds the dispute, and why the reader cannot decide it if so. */
function HolderNotice({ dispute }: { readonly dispute: DeskDispute }) {
  const isHeld = useHolds(dispute);
  const { heldBy, conflict, status, answerBy } = dispute;
  const held =
    heldBy === null
      ? conflict === null && status !== "decided" && status !== "closed"
        ? texts.desk.heldByNobody[status === "agreed" && endsWithLapse(dispute) ? "agreedLast" : status]
        : ""
      : isHeld
        ? texts.desk.heldByYou
        : texts.desk.held(heldBy.name);
  return (
    <Notice tone={conflict === null ? "neutral" : "wait"}>
      <p>
        {[conflict === null ? "" : texts.desk.conflicts[conflict], held].filter((part) => part !== "").join(" ")}{" "}
        {conflict === null && status === "talking" ? (
          <Filled text={texts.desk.notYet} slots={{ time: <Time at={answerBy} /> }} />
        ) : null}
        {status === "paused" ? texts.desk.dispute.paused : null}
      </p>
    </Notice>
  );
}
