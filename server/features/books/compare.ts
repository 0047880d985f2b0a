import { setTimeout as sleep } from "node:timers/promises";
import { type ChainReader, HOLDINGS_MAX, type Holding } from "../../chain/port.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import {
  type BookedPayment,
  type ComparedAsset,
  ComparedSums,
  compareHolding,
  compareSums,
  type Finding,
  isGift,
} from "./books.ts";
import { listOpenPayments, listStillOpen, listSumPairs, OPEN_STATUSES } from "./queries.ts";

export interface CompareDeps {
  readonly db: Db;
  readonly reader: Pick<ChainReader, "fetchHoldings" | "bindCommitment">;
  /** The waits before each further look at payments that differ: the service may be a few seconds behind the chain. */
  readonly waitsMs: readonly number[];
}

export const WAITS_MS: readonly number[] = [2_000, 5_000, 15_000];

export interface Comparison {
  readonly assets: readonly ComparedAsset[];
  /** At most {@link KEPT_MAX} differences, and as many gifts. */
  readonly findings: readonly Finding[];
  readonly differences: number;
}

/**
 * The findings that are kept, and the payments that are looked at again together. Anybody may send dust to vaults, and a broken
 * copy of the database may differ in each row: behind so many differences nothing is looked at again.
 */
const KEPT_MAX = 500;

interface Compared {
  readonly booked: BookedPayment;
  readonly holding: Holding;
  readonly slot: number;
  readonly node: number;
  readonly findings: readonly Finding[];
}

/** The findings so far, and the payments that differ and are looked at once more. */
class Walk {
  readonly sums = new ComparedSums();
  readonly gifts: Finding[] = [];
  readonly differing: Finding[] = [];
  differences = 0;
  unsure: { readonly address: string; readonly node: number }[] = [];

  /** `isLast`: what differs now is a difference. */
  add({ booked, holding, slot, node, findings }: Compared, isLast: boolean): void {
    const differing = findings.filter((one) => !isGift(one));
    if (differing.length > 0 && !isLast && this.differing.length < KEPT_MAX) {
      this.unsure.push({ address: booked.address, node });
      return;
    }
    this.sums.add(booked, holding, slot);
    this.gifts.push(...findings.filter(isGift).slice(0, KEPT_MAX - this.gifts.length));
    this.addDifferences(differing);
  }

  addDifferences(found: readonly Finding[]): void {
    this.differences += found.length;
    this.differing.push(...found.slice(0, KEPT_MAX - this.differing.length));
  }
}

/**
 * Compares the books of a tenant with the chain: each open payment with its record and vault, both read at one slot that is
 * not before the one of the books, and the sums of days with the rows of payments. A payment that differs is looked at
 * again, by another node where there is one, and is a difference once it still differs at the last look.
 */
export async function compareBooks(deps: CompareDeps, tenant: Tenant, signal: AbortSignal): Promise<Comparison> {
  const { db, waitsMs } = deps;
  const walk = new Walk();
  for (const status of OPEN_STATUSES)
    for (let after = "0"; ; ) {
      signal.throwIfAborted();
      const rows = await listOpenPayments(db, tenant, status, after);
      for (const compared of await comparePayments(deps, rows, signal)) walk.add(compared, waitsMs.length === 0);
      // A node that errs may differ in all payments: each of them is looked at again.
      if (walk.unsure.length >= KEPT_MAX) await lookAgain(deps, tenant, walk, signal);
      if (rows.length < HOLDINGS_MAX) break;
      after = rows.at(-1)!.recordedSequence;
    }
  await lookAgain(deps, tenant, walk, signal);
  walk.addDifferences(compareSums(await listSumPairs(db, tenant)));
  return {
    assets: walk.sums.list(),
    findings: [...walk.differing, ...walk.gifts],
    differences: walk.differences,
  };
}

/** Looks at the unsure payments until none is unsure. */
async function lookAgain(deps: CompareDeps, tenant: Tenant, walk: Walk, signal: AbortSignal): Promise<void> {
  for (const [look, waitMs] of deps.waitsMs.entries()) {
    if (walk.unsure.length === 0) break;
    await sleep(waitMs, null, { signal });
    const unsure = walk.unsure;
    walk.unsure = [];
    for (let at = 0; at < unsure.length; at += HOLDINGS_MAX) {
      const some = unsure.slice(at, at + HOLDINGS_MAX);
      // What is no longer open has nothing left to compare.
      const rows = await listStillOpen(
        deps.db,
        tenant,
        some.map(({ address }) => address),
      );
      const compared = await comparePayments(deps, rows, signal, some[0]!.node);
      for (const one of compared) walk.add(one, look === deps.waitsMs.length - 1);
    }
  }
}

async function comparePayments(
  { reader }: CompareDeps,
  rows: readonly BookedPayment[],
  signal: AbortSignal,
  notNode?: number,
): Promise<Compared[]> {
  if (rows.length === 0) return [];
  const minSlot = Math.max(...rows.map(({ observedSlot }) => observedSlot));
  const other = notNode === undefined ? {} : { notNode };
  // At another commitment, records are of another moment than the books.
  const options = { signal, commitment: reader.bindCommitment, minSlot, ...other };
  const { value, slot, node } = await reader.fetchHoldings(rows, options);
  return rows.map((booked, at) => {
    const holding = value[at]!;
    return { booked, holding, slot, node, findings: compareHolding(booked, holding, slot) };
  });
}
