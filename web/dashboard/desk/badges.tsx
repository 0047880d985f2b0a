import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { useSuspenseQuery } from "@tanstack/react-query";
import { accountQuery } from "../api/queries.ts";
import type { DeskDispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

const TONES: Readonly<Record<Exclude<DeskDispute["warning"], "none">, Tone>> = {
  due_soon: "wait",
  overdue: "bad",
  resolve_30: "wait",
  resolve_7: "bad",
  resolve_1: "bad",
  lapsed: "bad",
};

/** The date that is near, in a word. */
export const WarningBadge = ({ warning }: Pick<DeskDispute, "warning">) =>
  warning === "none" ? null : <Badge tone={TONES[warning]}>{texts.desk.warnings[warning]}</Badge>;

/** The arbiter who holds a dispute, by name. */
export function Holder({ heldBy }: Pick<DeskDispute, "heldBy">) {
  const { user } = useSuspenseQuery(accountQuery).data;
  if (heldBy === null) return <span className="text-soft">{texts.desk.nobody}</span>;
  return <>{heldBy.id === user.id ? texts.desk.you(heldBy.name) : heldBy.name}</>;
}
