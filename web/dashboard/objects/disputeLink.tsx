import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { isUnsaid } from "@holdfast/ui/disputeStatus.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, SLOW_MS } from "../api/queries.ts";
import type { Dispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

/** A link to the dispute of a payment or of an intent's payments, if there is one. */
export function DisputeLink({ of }: { readonly of: { readonly payment: string } | { readonly intent: string } }) {
  const { path } = useTenant();
  const query = useQuery({
    ...read("listDisputes", { path, query: { ...of, limit: "5" } }),
    refetchInterval: SLOW_MS,
  });
  return query.data?.data.map((dispute) => (
    <p key={dispute.id}>
      {texts.disputes.opensDispute}{" "}
      <Link
        className="font-medium underline"
        to="/$business/$environment/disputes/$dispute"
        params={{ ...path, dispute: dispute.id }}
      >
        {texts.disputes.open}
      </Link>
      {dispute.turn === "nobody" ? null : ` (${turnWord(dispute)})`}
    </p>
  ));
}

const TONES: Readonly<Record<Dispute["turn"], Tone>> = {
  merchant: "wait",
  buyer: "info",
  arbiter: "info",
  nobody: "neutral",
};

/** Whose turn it is: a merchant need not answer what the buyer has not said yet. */
const turnWord = (dispute: Pick<Dispute, "status" | "turn" | "reason">): string =>
  isUnsaid(dispute) ? texts.disputes.nothingSaid : texts.disputes.turns[dispute.turn];

export function TurnBadge({ dispute }: { readonly dispute: Pick<Dispute, "status" | "turn" | "reason"> }) {
  const { status, turn } = dispute;
  const word =
    turn === "merchant" || status === "talking" || status === "deciding"
      ? turnWord(dispute)
      : texts.disputes.statuses[status];
  return <Badge tone={TONES[isUnsaid(dispute) ? "buyer" : turn]}>{word}</Badge>;
}
