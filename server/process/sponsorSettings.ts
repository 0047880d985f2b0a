import type { SponsorLimits } from "../chain/sponsor.ts";
import type { SettingsReader } from "./settingsReader.ts";

export interface SponsorSettings {
  /** Each a JSON array of 64 bytes, as wallets write it. */
  readonly keyFiles: readonly string[];
  /** Below so many lamports of a sponsor the log says so. */
  readonly balanceMin: number;
  readonly limits: SponsorLimits;
}

/** The settings of an environment's sponsors, which mean nothing without its RPC URLS. */
export const SPONSOR_COMPANIONS = [
  "SPONSOR_KEY_FILES",
  "SPONSOR_AMOUNTS_MIN",
  "SPONSOR_HOUR_MAX",
  "SPONSOR_DAY_MAX",
  "SPONSOR_BOUND_MAX",
  "SPONSOR_BALANCE_MIN",
] as const;

/** 0.2 SOL an hour, 1 SOL a day, 10 SOL out at once: at 0.0037 SOL a payment about 54, 270 and 2,700 payments, at 0.0051 some 39, 196 and 1,960. */
const SPONSOR_DEFAULTS = {
  hourMax: 200_000_000,
  dayMax: 1_000_000_000,
  boundMax: 10_000_000_000,
  balanceMin: 100_000_000,
} as const;
const LAMPORTS_MAX = 1_000_000_000_000;

/** Null: no sponsor. With a key, each token that is sponsored must be named. */
export function readSponsor(reader: SettingsReader, prefix: string): SponsorSettings | null {
  const lamports = (name: string, fallback: number) =>
    reader.integer(`${prefix}_SPONSOR_${name}`, fallback, 0, LAMPORTS_MAX);
  const { hourMax, dayMax, boundMax, balanceMin } = SPONSOR_DEFAULTS;
  const keyFiles = reader.list(`${prefix}_SPONSOR_KEY_FILES`);
  const limits = {
    amountsMin: readAmounts(reader, `${prefix}_SPONSOR_AMOUNTS_MIN`),
    hourMax: BigInt(lamports("HOUR_MAX", hourMax)),
    dayMax: BigInt(lamports("DAY_MAX", dayMax)),
    boundMax: BigInt(lamports("BOUND_MAX", boundMax)),
  };
  const settings = { keyFiles, limits, balanceMin: lamports("BALANCE_MIN", balanceMin) };
  if (keyFiles.length === 0) return null;
  if (limits.amountsMin.size === 0)
    reader.refuse(`${prefix}_SPONSOR_AMOUNTS_MIN must name the tokens that are sponsored, such as <mint>=5000000.`);
  return settings;
}

/** `<mint>=<smallest units>`, separated by commas. */
function readAmounts(reader: SettingsReader, name: string): ReadonlyMap<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const one of reader.list(name)) {
    const [, mint, amount] = /^([1-9A-HJ-NP-Za-km-z]{32,44})=([1-9]\d{0,19})$/.exec(one) ?? [];
    if (mint === undefined || amount === undefined)
      reader.refuse(`${name} must be <mint>=<amount> in smallest units, separated by commas; "${one}" is not.`);
    else amounts.set(mint, BigInt(amount));
  }
  return amounts;
}
