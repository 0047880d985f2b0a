import { useQuery } from "@tanstack/react-query";
import { read, SLOW_MS } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "./tenant.ts";

/** Beyond this a count says no more than that there are many. */
const COUNTED_MAX = 20;

/** The number of disputes that wait for the business, in words; null if there are none. */
export function useYourTurn(): string | null {
  const { path, isConfigured } = useTenant();
  const query = useQuery({
    ...read("listDisputes", { path, query: { turn: "merchant", limit: String(COUNTED_MAX) } }),
    refetchInterval: SLOW_MS,
    enabled: isConfigured,
  });
  const count = query.data?.data.length ?? 0;
  return count === 0 ? null : texts.shell.yourTurn.countOf(count, query.data?.hasMore === true);
}

export const Count = ({ count }: { readonly count: string }) => (
  <span className="rounded-full bg-wait-wash px-2 text-small font-semibold text-wait">
    <span aria-hidden="true">{count}</span>
    <span className="sr-only">{texts.shell.yourTurn.waiting(count)}</span>
  </span>
);

export function YourTurnCount() {
  const count = useYourTurn();
  return count === null ? null : <Count count={count} />;
}
