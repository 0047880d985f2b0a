import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { read } from "../api/queries.ts";
import type { Options } from "../pages/listFilters.ts";
import { useTenant } from "../shell/tenant.ts";

/** The tokens to filter by: those in which the business was paid, and the one of the page's address. */
export function useTokenOptions(): { readonly asset?: Options } {
  const { path } = useTenant();
  const { asset: chosen } = useSearch({ strict: false });
  const tokens = useQuery(read("listPaidAssets", { path })).data?.data ?? [];
  const options = tokens.map(({ id, symbol }) => [id, symbol ?? id] as const);
  // Without tokens the filter takes an address.
  if (options.length === 0) return {};
  const isKnown = chosen === undefined || tokens.some(({ id }) => id === chosen);
  return { asset: isKnown ? options : [...options, [chosen, chosen]] };
}
