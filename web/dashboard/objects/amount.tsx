import { type AmountTexts, amountText, gainText, inOne, type ShownAmount, type Token } from "@holdfast/ui/amount.ts";
import { useQueries, useQuery } from "@tanstack/react-query";
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

/** The text of an amount whose token is known. */
export const textOfAmount = (amount: string, asset: string, token: Token): ShownAmount =>
  amountText(textsOf(asset), amount, token);

/** Lamports as a figure in SOL, exactly. */
export const solOf = (lamports: string): string => textOfAmount(lamports, "", { symbol: "SOL", decimals: 9 }).figure;

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
    return inOne(textOfAmount(amount, asset, token));
  };
}

/** A token as a page shows its amounts, and as a reader types them. */
export interface ShownToken {
  /** Null: the token is not known, and amounts are in its smallest units. */
  readonly decimals: number | null;
  /** The unit of whole tokens. */
  readonly wholeUnit: string;
  readonly text: (amount: string | bigint) => ShownAmount;
  /** An amount with its unit. */
  readonly show: (amount: string | bigint) => string;
  /** A total of which `before` is bound already: first what moves now. */
  readonly gain: (total: string, before: string) => string;
}

/** Returns the token of a mint; null while it is read, or its mint still is (undefined). Null as mint: nobody knows it. */
export function useToken(asset: string | null | undefined): ShownToken | null {
  const { path } = useTenant();
  const { data, isPending } = useQuery({
    ...read("listAssets", { path, query: { mint: asset ?? undefined } }),
    staleTime: STALE_MS,
    enabled: typeof asset === "string",
  });
  if (asset === undefined || (asset !== null && isPending)) return null;
  return shownToken(asset, data?.data.find(({ id }) => id === asset) ?? { symbol: null, decimals: null });
}

/** A token by what is known of it. Null as mint: nobody knows it. */
export function shownToken(asset: string | null, token: Token): ShownToken {
  const unknown = asset === null ? { ...textsOf(""), smallestUnits: texts.objects.units } : textsOf(asset);
  const text = (amount: string | bigint) => amountText(unknown, String(amount), token);
  const show = (amount: string | bigint) => inOne(text(amount));
  const gain = (total: string, before: string) =>
    gainText({ gain: texts.objects.gain, had: texts.objects.had }, total, before, show);
  return { decimals: token.decimals, wholeUnit: token.symbol ?? texts.objects.tokens, text, show, gain };
}

/** An amount in its token; its tooltip has the exact one, in smallest units. The object's JSON on the page has them too. */
export function Amount({ amount, asset }: { readonly amount: string; readonly asset: string }) {
  const show = useAmounts([asset]);
  return (
    <span title={`${amount} ${texts.objects.unitsOf(asset)}`} className="tabular-nums">
      {show === null ? "…" : show(amount, asset)}
    </span>
  );
}
