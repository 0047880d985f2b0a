import { Badge } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { DeskDispute, DisputeOffer } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { entriesOf, openOfferOf } from "../disputes/dispute.ts";
import { ErasableText } from "../disputes/erased.tsx";
import { FileList } from "../disputes/fileList.tsx";
import type { ShownToken } from "../objects/amount.tsx";

export interface DeskProps {
  readonly dispute: DeskDispute;
  readonly token: ShownToken;
}

/** What each side said and offered, side by side; each in its own order. */
export const Sides = (props: DeskProps) => (
  <div className="grid grid-cols-2 overflow-hidden rounded-card border border-line max-md:grid-cols-1">
    <Side {...props} by="buyer" />
    <Side {...props} by="merchant" />
  </div>
);

/** The chain has decided: no arbiter has anything to do, and no date or wish is left. */
export const isEnded = ({ status }: Pick<DeskDispute, "status">): boolean =>
  status === "decided" || status === "closed";

const MARKS = { buyer: "bg-info", merchant: "bg-accent" } as const;

function Side({ dispute, token, by }: DeskProps & { readonly by: DisputeOffer["by"] }) {
  const entries = entriesOf(dispute).filter((entry) => entry.by === by);
  const { sender, recipient } = dispute.facts;
  const name = by === "buyer" ? texts.desk.sides.buyer : dispute.business.name;
  return (
    <section
      aria-label={name}
      className="grid min-w-0 content-start gap-3 p-5 [overflow-wrap:anywhere] max-md:p-4 [&+&]:border-l [&+&]:border-line max-md:[&+&]:border-t max-md:[&+&]:border-l-0"
    >
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-lead font-semibold">
          <span aria-hidden="true" className={`size-[10px] rounded-[3px] ${MARKS[by]}`} />
          {name}
        </h2>
        <p className="text-soft">
          <code translate="no" className="break-all text-small">
            {by === "buyer" ? sender : recipient}
          </code>
        </p>
        {isEnded(dispute) ? null : <p className="text-soft">{wishOf(dispute, token, by)}</p>}
      </div>
      {entries.length === 0 ? <p className="text-soft">{texts.desk.sides.silent}</p> : null}
      {entries.map((entry) =>
        entry.kind === "statement" ? (
          <div key={entry.id} className="grid gap-1">
            <h3 className="text-small font-semibold text-soft">
              <Time at={entry.at} />
            </h3>
            <ErasableText {...entry.statement} />
          </div>
        ) : entry.kind === "offer" ? (
          <div key={entry.id} className="grid justify-items-start gap-1 border-l-2 border-line pl-3">
            <h3 className="flex flex-wrap gap-2 text-small font-semibold text-soft">
              <Time at={entry.at} /> <Badge tone="neutral">{texts.desk.sides.offerStatuses[entry.offer.status]}</Badge>
            </h3>
            <p>{texts.desk.sides.madeOffer(token.show(entry.offer.total))}</p>
            {entry.offer.text == null ? null : <p className="text-soft">{entry.offer.text}</p>}
          </div>
        ) : null,
      )}
      <Files files={dispute.files.filter(({ side }) => side === by)} />
    </section>
  );
}

/** The files of a side. */
const Files = ({ files }: Pick<DeskDispute, "files">) =>
  files.length === 0 ? null : (
    <>
      <h3 className="text-small font-semibold text-soft">{texts.desk.files}</h3>
      <FileList files={files} />
    </>
  );

/** The amount that a side would end the dispute with. */
function wishOf(dispute: DeskDispute, token: ShownToken, by: DisputeOffer["by"]): ReactNode {
  const labels = texts.desk.sides;
  const total = openOfferOf(dispute, by)?.total ?? (by === "buyer" ? dispute.requestedTotal : null);
  if (total === null) return by === "buyer" ? labels.asksNothing : labels.offersNothing;
  const amount = <b className="font-semibold text-ink">{token.show(total)}</b>;
  return <Filled text={by === "buyer" ? labels.asks : labels.offers} slots={{ amount }} />;
}
