import * as texts from "../catalogue/index.ts";

const PERIODS: Readonly<Record<string, string>> = texts.objects.periods;

/** The time that a buyer has to dispute, in words; any other text unchanged. */
export const periodText = (period: string): string => PERIODS[period] ?? period;
