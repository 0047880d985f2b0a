import type { Database } from "../../server/store/database.ts";
import { type DatabaseSnapshot, readSnapshot } from "./databaseSnapshot.ts";
import { everyChangeHasEvents } from "./invariants/changes.ts";
import { disputesFollowTheChain } from "./invariants/disputes.ts";
import { partsCanLeave } from "./invariants/parts.ts";
import { onePrimary } from "./invariants/primaries.ts";
import { oneOpenReference } from "./invariants/references.ts";
import { noGaps } from "./invariants/sequences.ts";
import { vaultsHoldTheSum } from "./invariants/vaults.ts";

/**
 * The state that a fault run leaves for the checker. Optional members for later checks (clients' logs, receivers' logs) are
 * added here.
 */
export interface Evidence {
  readonly snapshot: DatabaseSnapshot;
  /** The chain; null when it has ended or is still moving. */
  readonly chain: { readonly rpcUrl: string; readonly programId: string; readonly operator: string } | null;
  /** True when the step that announces settleable payments has run to its end since the clock was moved. */
  readonly announced?: boolean;
  /** Payments whose parts cannot leave because of their own beneficiary or the token's issuer. */
  readonly excused?: ReadonlySet<string>;
}

/** The amount that was checked, in words, and everything that is wrong. */
export interface Finding {
  readonly checked: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

export interface Invariant {
  /** The name that runs and planted bugs use for a broken promise. */
  readonly id: string;
  readonly promise: string;
  /** Returns null if this evidence does not concern it. */
  check(evidence: Evidence): Promise<Finding | null> | Finding | null;
}

const INVARIANTS: readonly Invariant[] = [
  everyChangeHasEvents,
  onePrimary,
  oneOpenReference,
  noGaps,
  vaultsHoldTheSum,
  partsCanLeave,
  disputesFollowTheChain,
];

export interface Report {
  readonly checks: readonly { readonly id: string; readonly promise: string; readonly finding: Finding | null }[];
  /** The ids of the broken invariants. */
  readonly violated: readonly string[];
  readonly violations: readonly string[];
}

/** Checks the database, and the chain if it is given. Changes nothing. */
export async function check(
  database: Database,
  chain: Evidence["chain"],
  announced = false,
  excused: ReadonlySet<string> = new Set(),
): Promise<Report> {
  const evidence: Evidence = { snapshot: await readSnapshot(database), chain, announced, excused };
  const checks = [];
  for (const { id, promise, check: run } of INVARIANTS) checks.push({ id, promise, finding: await run(evidence) });
  const wrong = checks.filter(({ finding }) => (finding?.violations.length ?? 0) > 0);
  return {
    checks,
    violated: wrong.map(({ id }) => id),
    violations: wrong.flatMap(({ id, finding }) => finding!.violations.map((text) => `${id}: ${text}`)),
  };
}

const VIOLATIONS_SHOWN_MAX = 20;

export function describeReport({ checks, violations }: Report): string {
  const lines = checks.map(({ id, promise, finding }) => {
    if (finding === null) return `  ${id.padEnd(4)}- ${promise}: no evidence`;
    const counts = Object.entries(finding.checked).map(([what, count]) => `${count} ${what}`);
    return `  ${id.padEnd(4)}${finding.violations.length === 0 ? "✔" : "✖"} ${promise}: ${counts.join(", ")}`;
  });
  const shown = violations.slice(0, VIOLATIONS_SHOWN_MAX).map((text) => `  ✖ ${text}`);
  const more = violations.length - shown.length;
  return [...lines, ...shown, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
}

/** Throws with everything that is wrong; returns the report otherwise. */
export async function assertSound(
  database: Database,
  chain: Evidence["chain"],
  announced = false,
  excused: ReadonlySet<string> = new Set(),
): Promise<Report> {
  const report = await check(database, chain, announced, excused);
  if (report.violations.length > 0) throw new Error(`Promises are broken:\n${describeReport(report)}`);
  return report;
}
