import { readFile, stat } from "node:fs/promises";
import { readClock } from "../../store/clock.ts";
import type { Context } from "../context.ts";
import { checkTokenRates, withFile } from "./checkTokenRates.ts";
import { insertRates, listKnownDays, listTokenRates, saveTokenRates } from "./queries.ts";
import { type DayRate, parseRates, RatesError, type TokenRate } from "./rate.ts";

/** The sources of a step; null: there is none of the kind. */
interface RateSources {
  /** The address of rates as the European Central Bank publishes them. */
  readonly url: string | null;
  /** A file of the operator. */
  readonly file: string | null;
}

/** Reads a file by https, by the rules of deliveries (§6.1.5). */
type FetchFile = (
  name: string,
  path: string,
  options?: { readonly bytesMax?: number },
) => Promise<{ readonly text: string | null; readonly reason: string | null }>;

/** The 90 days that the bank publishes in one file are about 70,000 bytes. */
const FETCHED_BYTES_MAX = 1_048_576;
/** The bank's whole history is about 8 MB. */
const FILE_BYTES_MAX = 33_554_432;
/** Rates appear once a day. */
const FETCH_MS = 3_600_000;
const INSERTED_MAX = 5_000;

/** The step that keeps new rates: those of the file when it has changed, those of the address every hour. */
export function createRatesStep(
  { database, log }: Context,
  fetchFile: FetchFile,
  { url, file }: RateSources,
): () => Promise<boolean> {
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fileAtMs: number | null = null;
  const keep = async (source: "ecb" | "file", rates: readonly DayRate[]) => {
    for (let first = 0; first < rates.length; first += INSERTED_MAX)
      await insertRates(database, source, rates.slice(first, first + INSERTED_MAX));
  };
  const keepTokens = async (given: readonly TokenRate[], fileDays: readonly DayRate[]) => {
    if (given.length === 0) return;
    const now = await readClock(database);
    const tokens = await listTokenRates(
      database,
      given.map(({ asset }) => asset),
    );
    const currencies = [...new Set([...given, ...tokens].map(({ currency }) => currency))];
    const days = withFile(await listKnownDays(database, currencies), fileDays, now);
    checkTokenRates(given, { tokens, days }, now);
    await saveTokenRates(database, given);
  };
  const loadFile = async (path: string) => {
    const { mtimeMs, size } = await stat(path);
    if (mtimeMs === fileAtMs) return;
    if (size > FILE_BYTES_MAX) throw new RatesError(`It is larger than ${FILE_BYTES_MAX} bytes.`);
    const { days, tokens } = parseRates(await readFile(path, "utf8"));
    const after = await stat(path);
    if (after.mtimeMs !== mtimeMs || after.size !== size) throw new RatesError("It was written while it was read.");
    await keepTokens(tokens, days);
    await keep("file", days);
    fileAtMs = mtimeMs;
  };
  const fetchRates = async (address: string) => {
    if (performance.now() - fetchedAt < FETCH_MS) return;
    const { hostname, pathname, search } = new URL(address);
    const { text, reason } = await fetchFile(hostname, pathname + search, { bytesMax: FETCHED_BYTES_MAX });
    if (text === null) throw new RatesError(reason ?? "There is no such file.");
    await keep("ecb", parseRates(text).days);
    fetchedAt = performance.now();
  };
  /** What was logged of each source, until it works again: a file is tried every few seconds. */
  const logged = new Map<string, string>();
  const tryEach = async (name: string, run: () => Promise<void>) => {
    try {
      await run();
      logged.delete(name);
    } catch (error) {
      // An absent or wrong file holds up neither the other source nor anything else; values wait for their rates.
      const isExpected = error instanceof RatesError || (error as NodeJS.ErrnoException).syscall !== undefined;
      if (!isExpected) throw error;
      const { message } = error as Error;
      if (logged.get(name) !== message) log(`The rates of ${name} could not be read: ${message}`);
      logged.set(name, message);
    }
  };
  return async () => {
    if (file !== null) await tryEach("RATES_FILE", () => loadFile(file));
    if (url !== null) await tryEach("RATES_URL", () => fetchRates(url));
    return false;
  };
}
