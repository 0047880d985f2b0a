import type { Chain } from "../../chain/chain.ts";
import type { Deployment } from "../../chain/deployment.ts";
import { ChainUnavailableError, type NodeAnswer } from "../../chain/port.ts";
import type { Database } from "../../store/database.ts";
import type { ChainContext } from "../context.ts";
import {
  confirm,
  type DeploymentFacts,
  holdReason,
  listChanges,
  NO_AUTHORITY,
  type RecordedDeployment,
  refuseDeployment,
} from "./deployment.ts";
import { findDeployment, insertDeployment, lockDeployment, updateDeployment } from "./queries.ts";

/** A chain joins before the start of the process has a whole context. */
export type JoiningContext = Pick<ChainContext, "database" | "chain" | "log">;

/**
 * Reads the deployment from the chain. If the service may not run on it, throws an error whose message says what to do
 * (§10.11).
 */
export async function fetchDeployment(chain: Chain, signal: AbortSignal): Promise<NodeAnswer<Deployment>> {
  const answer = await chain.reader.fetchDeployment({ signal });
  const wrong = refuseDeployment(chain, answer.value);
  if (wrong !== null) throw new Error(wrong);
  return answer;
}

/**
 * Checks the deployment again while the service runs. An unreachable chain changes nothing; a chain without a
 * deployment holds new checkouts at once.
 */
export async function lookAtDeployment(ctx: JoiningContext, signal: AbortSignal): Promise<void> {
  try {
    await checkDeployment(ctx, await fetchDeployment(ctx.chain, signal), signal);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) ctx.chain.deployment.checkoutsHeld = (error as Error).message;
    throw error;
  }
}

/**
 * Compares program and operator account on chain with the confirmed values, and holds new checkouts while they differ
 * (§10.12). Several processes may see a change; the one that records it logs it.
 */
export async function checkDeployment(
  { database, chain, log }: JoiningContext,
  { value, slot }: NodeAnswer<Deployment>,
  signal: AbortSignal,
): Promise<DeploymentFacts> {
  const facts = await completeFacts(database, chain, value, slot, signal);
  const { recorded, changes } = await recordFacts(database, chain, facts, slot);
  const held = holdReason(chain, recorded.facts, recorded.confirmed);
  chain.deployment.arbiter = recorded.facts.arbiter;
  chain.deployment.checkoutsHeld = held;
  for (const change of changes)
    log(`${chain.environment} chain: ${change}.${held === null ? "" : ` ${held}`}`, undefined, "error");
  return recorded.facts;
}

/** The whole program is read only if it was deployed since the last check. */
async function completeFacts(
  database: Database,
  chain: Chain,
  { program, operator }: Deployment,
  slot: number,
  signal: AbortSignal,
): Promise<DeploymentFacts> {
  if (program.kind !== "program" || operator.kind !== "operator") throw new Error("A refused deployment went on.");
  const known = (await findDeployment(database, chain.environment))?.facts ?? null;
  const isKnown = known?.programSlot === program.deployedSlot;
  // The owner of the new file is unknown until it is read, which may take several tries.
  if (!isKnown) chain.deployment.checkoutsHeld = "The program was deployed again, and its file has not been read yet.";
  const programHash = isKnown
    ? known.programHash
    : (await chain.reader.fetchProgramHash({ signal, minSlot: slot })).value;
  const { kind: _, ...offices } = operator;
  const upgradeAuthority = program.upgradeAuthority ?? NO_AUTHORITY;
  return { ...offices, upgradeAuthority, programSlot: program.deployedSlot, programHash };
}

/** Records the differences, under a lock. An answer from before the last change is ignored. */
const recordFacts = (
  database: Database,
  { environment, confirmed: bySetting }: Chain,
  facts: DeploymentFacts,
  slot: number,
): Promise<{ recorded: RecordedDeployment; changes: readonly string[] }> =>
  database.transaction(async (db) => {
    const first = { facts, confirmed: confirm(facts, bySetting, facts), slot };
    if (await insertDeployment(db, environment, first)) return { recorded: first, changes: [] };
    const known = await lockDeployment(db, environment);
    const changes = slot > known.outdatedUntil ? listChanges(known.facts, facts) : [];
    const newest = changes.length > 0 ? { facts, slot } : known;
    const recorded = { ...newest, confirmed: confirm(newest.facts, bySetting, known.confirmed) };
    await updateDeployment(db, environment, recorded, changes.length);
    return { recorded, changes };
  });
