import { isAddress } from "../domain/addresses.ts";
import { isDay, PARS, type Par, type Pars } from "../features/rates/rate.ts";
import { form, isObject } from "./setting.ts";

export const NO_PARS: Pars = new Map();
/** The value of `ASSET_PARS`. */
export const assetPars = form(
  'JSON of mints, each with USD or EUR, or an object of `currency`, `at`, `until` and `deviationMax`, such as {"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v": "USD"}',
  readPars,
  {
    fromText: (text) => JSON.parse(text),
  },
);
/** Spreads and deviations: more would be a slip of the pen. */
const PART_MAX = 0.2;
const isPart = (text: unknown): text is string =>
  typeof text === "string" && /^0(?:\.[0-9]{1,6})?$/.test(text) && Number(text) <= PART_MAX;
export const spread = form("a part from 0 to 0.2, such as 0.01", (given) => (isPart(given) ? given : undefined));

/** The tokens of `ASSET_PARS`; undefined if it is no such object. */
function readPars(given: unknown): Pars | undefined {
  if (!isObject(given)) return undefined;
  const pars = new Map<string, Par>();
  for (const [mint, written] of Object.entries(given)) {
    const par = readPar(written);
    if (!isAddress(mint) || par === undefined) return undefined;
    pars.set(mint, par);
  }
  return pars;
}

const DEVIATION_MAX = "0.02";

/** A par of the books, or one with a promise. */
function readPar(written: unknown): Par | undefined {
  const isPromise = isObject(written);
  const { currency, at, until, deviationMax, ...others } = isPromise ? written : { currency: written };
  const known = PARS.find((one) => one === currency);
  if (known === undefined || Object.keys(others).length > 0) return undefined;
  if (!isPromise) return { currency: known, promise: null };
  const part = deviationMax ?? DEVIATION_MAX;
  const isDated = typeof at === "string" && isDay(at) && typeof until === "string" && isDay(until) && at <= until;
  return isDated && isPart(part) ? { currency: known, promise: { at, until, deviationMax: part } } : undefined;
}
