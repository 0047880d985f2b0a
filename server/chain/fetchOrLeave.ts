import type { Log } from "../lib/log.ts";
import { RestList } from "../lib/restList.ts";
import {
  type ChainAccount,
  type ChainReader,
  ChainUnavailableError,
  isPayment,
  type PaymentReadOptions,
  type SignatureStatus,
  unlessAway,
} from "./port.ts";

/** Deadline of each single read after the common read failed, and of the check that any node answers at all. */
const APART_MS = 1_500;

interface Read<Item, Answer> {
  readonly items: readonly Item[];
  readonly answer: Answer;
}

interface Failed<Item> {
  readonly items: readonly Item[];
  readonly error: ChainUnavailableError;
}

interface Fetched<Item, Answer> {
  readonly read: readonly Read<Item, Answer>[];
  /** Items that no node returns, though nodes answer other requests, each with the reason. */
  readonly unread: ReadonlyMap<Item, ChainUnavailableError>;
}

/**
 * Reads all items together. If no node returns them, reads them in parts and at last one by one, so that one unreadable
 * item does not hold up the others. Throws when the chain is down: no node answers even a request for the head.
 */
export async function fetchOrLeave<Item, Answer>(
  reader: Pick<ChainReader, "fetchHead">,
  items: readonly Item[],
  fetchPart: (part: readonly Item[], signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Fetched<Item, Answer>> {
  const fetchOrError = async (
    part: readonly Item[],
    within: AbortSignal,
  ): Promise<Read<Item, Answer> | Failed<Item>> => {
    try {
      return { items: part, answer: await fetchPart(part, within) };
    } catch (error) {
      if (error instanceof ChainUnavailableError && !signal.aborted) return { items: part, error };
      throw error;
    }
  };
  const fetchParts = (items: readonly Item[], size: number) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(APART_MS)]);
    const parts = Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
      items.slice(at * size, (at + 1) * size),
    );
    return Promise.all(parts.map((part) => fetchOrError(part, within)));
  };
  const together = await fetchOrError(items, signal);
  if ("answer" in together) return { read: [together], unread: new Map() };
  if (!(await isAnswered(reader, signal))) throw together.error;

  const size = Math.floor(Math.sqrt(items.length));
  const parts = items.length === 1 ? [together] : await fetchParts(items, size);
  const failed = parts.filter((part) => "error" in part);
  const alone =
    size === 1
      ? failed
      : await fetchParts(
          failed.flatMap((part) => part.items),
          1,
        );
  return {
    read: [...parts, ...(size === 1 ? [] : alone)].filter((part) => "answer" in part),
    unread: new Map(alone.flatMap((part) => ("error" in part ? [[part.items[0]!, part.error]] : []))),
  };
}

/**
 * Returns true if a node answers now. Then an item that no node returns at the same moment is itself at fault, and the
 * chain is up.
 */
export const isAnswered = (reader: Pick<ChainReader, "fetchHead">, signal: AbortSignal): Promise<boolean> =>
  reader.fetchHead({ signal: AbortSignal.any([signal, AbortSignal.timeout(APART_MS)]) }).then(
    () => true,
    (error: unknown) => (error instanceof ChainUnavailableError ? false : Promise.reject(error)),
  );

export interface ReadAccount {
  readonly address: string;
  readonly account: ChainAccount;
  readonly slot: number;
  readonly node: number;
}

interface FetchedAccounts {
  readonly read: readonly ReadAccount[];
  readonly unread: ReadonlyMap<string, ChainUnavailableError>;
}

/** Fetches the accounts of payments like {@link fetchOrLeave}. */
export async function fetchAccountsOrLeave(
  reader: ChainReader,
  addresses: readonly string[],
  options: PaymentReadOptions,
): Promise<FetchedAccounts> {
  const fetchPart = (part: readonly string[], signal: AbortSignal) =>
    reader.fetchPayments(part, { ...options, signal });
  const { read, unread } = await fetchOrLeave(reader, addresses, fetchPart, options.signal);
  const accounts = read.flatMap(({ items, answer: { value, slot, node } }) =>
    items.map((address, at) => ({ address, account: value[at] ?? null, slot, node })),
  );
  return { read: accounts, unread };
}

/** The same, and leaves the accounts of large payments that no second node shows. */
export async function fetchSureAccountsOrLeave(
  reader: ChainReader,
  addresses: readonly string[],
  options: PaymentReadOptions,
): Promise<FetchedAccounts> {
  const first = await fetchAccountsOrLeave(reader, addresses, options);
  const large = first.read.flatMap(({ address, account }) =>
    account !== null && isPayment(account) && reader.needsTwoNodes(account) ? [address] : [],
  );
  if (large.length === 0) return first;
  const again = await fetchAccountsOrLeave(reader, large, { ...options, toBind: true });
  const sure = new Set(again.read.flatMap(({ address, account }) => (account === null ? [] : [address])));
  const why = new ChainUnavailableError("No second node shows it.");
  const unsure = new Map(large.flatMap((address) => (sure.has(address) ? [] : [[address, why]])));
  return {
    read: first.read.filter(({ address }) => !unsure.has(address)),
    unread: new Map([...first.unread, ...unsure]),
  };
}

/**
 * Checks what became of signatures, each by the status that a node returns; null where no node returned one, or answered
 * the check.
 */
export async function checkStatuses<Item extends { readonly signature: string }, Result>(
  reader: ChainReader,
  items: readonly Item[],
  check: (item: Item, status: SignatureStatus) => Promise<Result>,
  signal: AbortSignal,
): Promise<{ readonly item: Item; readonly result: Result | null }[]> {
  const fetchPart = (part: readonly Item[], within: AbortSignal) =>
    reader.fetchSignatureStatuses(
      part.map(({ signature }) => signature),
      { signal: within },
    );
  const { read, unread } = await fetchOrLeave(reader, items, fetchPart, signal);
  const checks = read.flatMap(({ items, answer }) =>
    items.map(async (item, at) => ({ item, result: await unlessAway(check(item, answer.value[at] ?? null)) })),
  );
  return [...(await Promise.all(checks)), ...[...unread.keys()].map((item) => ({ item, result: null }))];
}

const REST_FIRST_MS = 30_000;
const REST_MAX_MS = 3_600_000;
/** The most items that one log line names. */
const NAMED_MAX = 5;

/**
 * Payments whose accounts a loop could not read. Each rests, longer each time. The log names it once until it is read
 * again.
 */
export class UnreadList {
  readonly #rests = new RestList(REST_FIRST_MS, REST_MAX_MS);
  readonly #what: string;
  readonly #log: Log;

  /** `what` opens the line: "The account of a payment". */
  constructor(what: string, log: Log) {
    this.#what = what;
    this.#log = log;
  }

  /** The payments to skip for now. */
  list = (): string[] => this.#rests.list();

  /** Updates the list from a step's reads, and returns the accounts that were read. */
  record({ read, unread }: FetchedAccounts): readonly ReadAccount[] {
    for (const { address } of read) this.#rests.forget(address);
    this.add(unread);
    return read;
  }

  add(unread: ReadonlyMap<string, Error>): void {
    const fresh = new Map([...unread].filter(([name]) => this.#rests.rest(name) === REST_FIRST_MS));
    logUnread(this.#log, this.#what, fresh);
  }
}

/**
 * Logs one line for all unread items of a step. The error is part of the text: passed as an error, the log would count it
 * as an outage, and say it only once.
 */
export function logUnread(log: Log, what: string, unread: ReadonlyMap<string, Error>): void {
  const [first] = unread.values();
  if (first === undefined) return;
  const names = [...unread.keys()].slice(0, NAMED_MAX).join(", ");
  const more = unread.size > NAMED_MAX ? ` and ${unread.size - NAMED_MAX} more` : "";
  log(`${what} could not be read and is tried again later: ${names}${more}. ${first.message}`, undefined, "warn");
}
