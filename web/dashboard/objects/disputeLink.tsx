import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { agreedTotal } from "@holdfast/ui/disputeStatus.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, SLOW_MS } from "../api/queries.ts";
import type { Dispute, Payment } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

type Of = { readonly payment: string } | { readonly intent: string };

function useDisputes(of: Of, enabled = true): readonly Dispute[] {
  const { path } = useTenant();
  const options = { refetchInterval: SLOW_MS, enabled };
  return useQuery({ ...read("listDisputes", { path, query: { ...of, limit: "5" } }), ...options }).data?.data ?? [];
}

/** The dispute of a payment; null: it has none, or it is not read. */
export function useDisputeOf({ id, disputedAt }: Pick<Payment, "id" | "disputedAt">): Dispute | null {
  return useDisputes({ payment: id }, disputedAt !== null)[0] ?? null;
}

/** The total that both sides of a payment's dispute agreed, while that holds: nothing else is refunded then. */
export function useAgreed(payment: Pick<Payment, "id" | "disputedAt">): string | null {
  const dispute = useDisputeOf(payment);
  return dispute === null ? null : agreedTotal(dispute);
}

/** A link to the dispute of a payment or of an intent's payments, if there is one. */
export function DisputeLink({ of }: { readonly of: Of }) {
  const { path } = useTenant();
  return useDisputes(of).map((dispute) => (
    <p key={dispute.id}>
      {texts.disputes.opensDispute}{" "}
      <Link
        className="font-medium underline"
        to="/$business/$environment/disputes/$dispute"
        params={{ ...path, dispute: dispute.id }}
      >
        {texts.disputes.open}
      </Link>
      {dispute.turn === "nobody" ? null : ` (${texts.disputes.turns[dispute.turn]})`}
    </p>
  ));
}

const TONES: Readonly<Record<Dispute["turn"], Tone>> = {
  merchant: "wait",
  buyer: "info",
  arbiter: "info",
  nobody: "neutral",
};

export function TurnBadge({ dispute: { status, turn } }: { readonly dispute: Pick<Dispute, "status" | "turn"> }) {
  const word =
    turn === "merchant" || status === "talking" || status === "deciding"
      ? texts.disputes.turns[turn]
      : texts.disputes.statuses[status];
  return <Badge tone={TONES[turn]}>{word}</Badge>;
}
