import { type AmountTexts, amountWords, inOne } from "@holdfast/ui/amount.ts";
import { useQueries } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

/** An amount of an asset in words: "14.576 USDC". */
export type ShowAmount = (amount: string, asset: string) => string;

/** The decimals of a mint never change. */
const STALE_MS = 3_600_000;
const textsOf = (asset: string): AmountTexts => ({
  locale: undefined,
  tokens: texts.objects.tokens,
  smallestUnits: texts.objects.unitsOf(asset),
});

/**
 * Returns a function that shows amounts of these assets, in smallest units if a token is not known; null while the tokens
 * are read.
 */
export function useAmounts(assets: readonly string[]): ShowAmount | null {
  const { path } = useTenant();
  const answers = useQueries({
    queries: assets.map((mint) => ({ ...read("listAssets", { path, query: { mint } }), staleTime: STALE_MS })),
  });
  if (answers.some(({ isPending }) => isPending)) return null;
  const tokens = answers.flatMap(({ data }) => data?.data ?? []);
  return (amount, asset) => {
    const token = tokens.find(({ id }) => id === asset) ?? { symbol: null, decimals: null };
    return inOne(amountWords(textsOf(asset), amount, token));
  };
}

/** An amount in its token; its tooltip has the exact one, in smallest units. The object's JSON on the page has them too. */
export function Amount({ amount, asset }: { readonly amount: string; readonly asset: string }) {
  const show = useAmounts([asset]);
  return (
    <span title={`${amount} ${texts.objects.unitsOf(asset)}`} className="break-words tabular-nums">
      {show === null ? "…" : show(amount, asset)}
    </span>
  );
}
