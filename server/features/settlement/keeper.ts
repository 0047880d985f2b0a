import { isPaidOut } from "../../chain/acts.ts";
import { fetchOrLeave } from "../../chain/fetchOrLeave.ts";
import { type ChainAccount, type ChainSender, type DuePart, isClosed, isPayment } from "../../chain/port.ts";
import type { Level } from "../../lib/log.ts";
import type { ChainContext } from "../context.ts";
import { type Claim, type ClaimEnd, claimDue, claimDueUnmatched, endClaims, listBusinessesDue } from "./claims.ts";
import { type Bundle, bundle, closingParts, dueSides } from "./dueParts.ts";
import { createFeePayerWatch } from "./feePayerWatch.ts";
import { UNLANDED_TRIES } from "./fragments.ts";
import { type PartEnd, payOutBundles } from "./payOuts.ts";
import type { OnChanged } from "./settleable.ts";
import { CLOSING_TRIES_MAX } from "./waits.ts";

/** A step ends well before the shortest wait of a claim. */
const STEP_MS = 40_000;
/** A step sends this many times `concurrency` transactions: one read of the accounts serves them all. */
const WAVES = 3;
/** Businesses that one step visits. */
const VISITED_MAX = 60;
/** The share of a step that payments without an intent may take while businesses wait. */
const UNMATCHED_SHARE = 1 / 8;

/**
 * Pays out due payments, and closes the records whose rent the deployment paid, at its expense: only fees. No outcome
 * changes the books of a payment: the sweep alone records what the chain did, so a part sent twice or never costs only
 * a fee or a delay. Each step takes the businesses in turn, from where the last one ended, so that no business's
 * hopeless payments delay another's. Returns true when there may be more.
 */
export function createKeeper(
  ctx: ChainContext,
  sender: ChainSender,
  onChanged: OnChanged,
): (stopping: AbortSignal) => Promise<boolean> {
  const { chain, database } = ctx;
  const { environment } = chain;
  const { concurrency } = sender;
  const claimsMax = concurrency * sender.payOutMax * WAVES;
  const log = (message: string, level?: Level) => ctx.log(`${environment} keeper: ${message}`, undefined, level);
  const watch = createFeePayerWatch(sender, log);
  const told = new Told();
  let after = "";

  /** `isRoundOver` is true once every business was visited, from the first to the last. */
  async function claimInTurn(): Promise<{ readonly claims: readonly Claim[]; readonly isRoundOver: boolean }> {
    const isFromStart = after === "";
    const found = { found: Math.min(claimsMax, VISITED_MAX), visited: VISITED_MAX };
    const { ids, next } = await listBusinessesDue(database, environment, after, found);
    const each = Math.floor(claimsMax / Math.max(ids.length, 1));
    const claims = ids.length === 0 ? [] : [...(await claimDue(database, environment, ids, each))];
    after = next ?? "";
    const left = Math.max(claimsMax - claims.length, Math.ceil(claimsMax * UNMATCHED_SHARE));
    claims.push(...(await claimDueUnmatched(database, environment, left)));
    return { claims, isRoundOver: isFromStart && next === null };
  }

  /** The due parts of the claimed payments, by their accounts. If the chain is down, no try is made. */
  async function fetchTasks(claims: readonly Claim[], signal: AbortSignal): Promise<Task[]> {
    const fetchAccounts = (part: readonly Claim[], within: AbortSignal) =>
      chain.reader.fetchPayments(
        part.map(({ address }) => address),
        { signal: within },
      );
    try {
      const { read, unread } = await fetchOrLeave(chain.reader, claims, fetchAccounts, signal);
      const tasks = read.flatMap(({ items, answer }) =>
        items.map((claim, index) => taskOf(claim, answer.value[index] ?? null, sender.rentPayers)),
      );
      return [...tasks, ...[...unread.keys()].map((claim) => ({ ...nothingFor(claim), isUnread: true }))];
    } catch (error) {
      await endClaims(database, environment, claims.map(release));
      throw error;
    }
  }

  async function work(tasks: readonly Task[], signal: AbortSignal): Promise<void> {
    const bundles = bundleTasks(tasks, sender.fitsInOne);
    const { ends, feePayer, unanswered } = await payOutBundles(sender, bundles, { concurrency, signal });
    if (feePayer !== null) watch.noteEmpty(feePayer);
    const isAnswered = [...ends.values()].some(({ kind }) => kind !== "unanswered" && kind !== "untried");
    // A payment that no node returns, although nodes answer otherwise, waits like a refused one.
    const outage = unanswered !== null && !isAnswered && !(await isReachable(signal)) ? unanswered : null;
    const claimEnds = tasks.flatMap((task) => endOf(task, ends, outage !== null));
    const destinations = new Map(tasks.map(({ claim, parts }) => [claim, destinationOf(parts, ends)]));
    for (const one of claimEnds)
      if (one.kind === "refused") {
        const destination = destinations.get(one.claim) ?? one.claim.address;
        if (one.reason !== one.claim.refusal && told.isNew(`${destination} ${one.reason}`))
          log(
            `parts for ${destination} cannot be paid out now, such as of ${one.claim.address}: ${dotted(one.reason)}`,
          );
      } else if (one.kind === "given_up")
        log(
          `the record of the payment ${one.claim.address} stays open, and its rent bound, until a person closes it: ${dotted(one.reason)}`,
        );
    for (const { claim, parts } of tasks)
      if (
        claim.tries === UNLANDED_TRIES &&
        claim.refusal === null &&
        parts.some((part) => ends.get(part)?.kind === "sent")
      )
        log(
          `a part of the payment ${claim.address} was sent ${claim.tries} times and has not left: the node drops it, or it fails on chain.`,
          "warn",
        );
    await endClaims(database, environment, claimEnds);
    const overtaken = [...ends].filter(([, { kind }]) => kind === "overtaken").map(([{ payment }]) => payment.address);
    if (overtaken.length > 0) await onChanged([...new Set(overtaken)]);
    if (outage !== null) throw outage;
  }

  const isReachable = (signal: AbortSignal): Promise<boolean> =>
    sender.fetchBalance({ signal }).then(
      () => true,
      () => false,
    );

  return async (stopping) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_MS)]);
    if (!(await watch.mayPay(signal))) return false;
    const { claims, isRoundOver } = await claimInTurn();
    if (claims.length === 0) return !isRoundOver;
    await work(await fetchTasks(claims, signal), signal);
    return true;
  };
}

const release = (claim: Claim): ClaimEnd => ({ kind: "released", claim });

interface Task {
  readonly claim: Claim;
  readonly parts: readonly DuePart[];
  /** True if the parts close a record, one after the other. */
  readonly isClosing: boolean;
  /** True if nothing will ever be left to do for it. */
  readonly isDone: boolean;
  /** True if no node returns its account: it waits like a refused one. */
  readonly isUnread: boolean;
}

const nothingFor = (claim: Claim): Task => ({ claim, parts: [], isClosing: false, isDone: false, isUnread: false });

/** The due parts of a payment on chain. If nothing is due despite the books, the sweep has yet to record it. */
function taskOf(claim: Claim, account: ChainAccount, rentPayers: ReadonlySet<string>): Task {
  const nothing = nothingFor(claim);
  if (isClosed(account)) return { ...nothing, isDone: true };
  if (!isPayment(account)) return nothing;
  if (!isPaidOut(account))
    return { ...nothing, parts: dueSides(account, claim.now).map((side) => ({ payment: account, side })) };
  // A payment that is paid out has only its record left, which others may close too.
  if (!rentPayers.has(account.rentPayer)) return { ...nothing, isDone: true };
  return { ...nothing, parts: closingParts(account, claim.now), isClosing: true };
}

function bundleTasks(tasks: readonly Task[], fits: ChainSender["fitsInOne"]): Bundle[] {
  const payOuts = tasks.filter(({ isClosing, parts }) => !isClosing && parts.length > 0);
  const closings = tasks.filter(({ isClosing, parts }) => isClosing && parts.length > 0);
  return [
    ...bundle(
      payOuts.map(({ claim, parts }) => ({ parts, isRetry: claim.tries > 1 })),
      fits,
    ),
    ...closings.map(({ parts }) => ({ parts, isDivisible: false })),
  ];
}

/** The end of a claim, by its parts. Empty if it waits as it was claimed. */
function endOf(task: Task, ends: ReadonlyMap<DuePart, PartEnd>, isOutage: boolean): ClaimEnd[] {
  const { claim, parts, isClosing, isDone, isUnread } = task;
  if (isDone) return [{ kind: "done", claim }];
  if (isUnread) return [{ kind: "refused", claim, reason: "no node gives its account", side: null }];
  const own = parts.map((part) => ends.get(part)!);
  const has = (kind: PartEnd["kind"]) => own.some((end) => end.kind === kind);
  const part = refusedOf(parts, ends);
  if (part !== null) {
    const kind = isClosing && claim.tries >= CLOSING_TRIES_MAX ? "given_up" : "refused";
    return [{ kind, claim, reason: part.reason, side: part.side === "record" ? null : part.side }];
  }
  if (has("sent")) return claim.refusal === null ? [] : [{ kind: "sent", claim }];
  if (has("unanswered") && !isOutage)
    return [{ kind: "refused", claim, reason: "no node answers about it", side: null }];
  return has("unanswered") || has("untried") ? [release(claim)] : [];
}

/** The first part that was refused, with the reason; null: none was. */
function refusedOf(parts: readonly DuePart[], ends: ReadonlyMap<DuePart, PartEnd>) {
  for (const part of parts) {
    const end = ends.get(part)!;
    if (end.kind === "refused") return { ...part, reason: end.reason };
  }
  return null;
}

/** The wallet that a refused part is for. */
function destinationOf(parts: readonly DuePart[], ends: ReadonlyMap<DuePart, PartEnd>): string | null {
  const part = refusedOf(parts, ends);
  return part === null || part.side === "record" ? null : part.payment[part.side];
}

const dotted = (reason: string): string => (reason.endsWith(".") ? reason : `${reason}.`);

const TOLD_MAX = 1_000;

/** What the log was told: one cause at one wallet is one line, however many payments wait for it. */
class Told {
  readonly #known = new Set<string>();

  isNew(line: string): boolean {
    if (this.#known.has(line)) return false;
    if (this.#known.size >= TOLD_MAX) this.#known.clear();
    this.#known.add(line);
    return true;
  }
}
