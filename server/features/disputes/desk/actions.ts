import type { Staff } from "../../../domain/callers.ts";
import { ApiError, type ConflictOfInterest, invalid } from "../../../domain/errors.ts";
import { type JsonText, showObject, withMembers } from "../../../domain/show.ts";
import { symbolOf } from "../../../domain/tokens.ts";
import { missing } from "../../../edge/staff/route.ts";
import type { Accounts } from "../../../store/accounts.ts";
import type { Cells } from "../../../store/cells.ts";
import type { Database, Db } from "../../../store/database.ts";
import { listFulfillments } from "../../fulfillments/fragments.ts";
import { FULFILLMENT } from "../../fulfillments/schema.ts";
import { findArbiters, findUsers } from "../../staff/fragments.ts";
import { type Act, actIn, readWithTexts, refuse } from "../actions.ts";
import type { Dispute } from "../dispute.ts";
import { CONFLICT_TEXTS, warningOf } from "./desk.ts";
import {
  type Counts,
  countHistory,
  type DeskCase,
  endHolder,
  findDeskCase,
  findDeskState,
  insertHolder,
  lockHolder,
} from "./queries.ts";
import { showCaseMembers } from "./schema.ts";
import { listWallets } from "./wallets.ts";

/** §13.22.5: the acts of an arbiter. */

/** What the addresses of a case's files have before `/disputes` at the desk. */
const DESK_FILES = "/staff/v1/desk";

/** The cell of the case, and what it does not know of an arbiter. */
export interface CaseDeps {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly cells: Cells;
}
type Arbiter = Pick<Staff, "userId">;

/** What the accounts and other cells add to a case. */
interface Added {
  readonly heldBy: { readonly id: string; readonly name: string } | null;
  readonly conflict: ConflictOfInterest | null;
  /** Null where this arbiter has a conflict of interest. */
  readonly history: Counts | null;
}

/** A case as the desk shows it. Answers 404 for an unknown one. */
export async function readCase(
  { database, accounts, cells }: CaseDeps,
  { userId }: Arbiter,
  id: string,
): Promise<JsonText> {
  const found = await findDeskCase(database, userId, id);
  if (found === null) throw missing();
  const { dispute, now, heldBy, facts } = found;
  const names = await findUsers(accounts, heldBy === null ? [] : [heldBy]);
  const conflict = found.conflict ?? ((await listWallets(cells, userId, found.sides)).size > 0 ? "wallet" : null);
  const added: Added = {
    heldBy: showHolder(heldBy, names),
    conflict,
    history: conflict === null ? await countHistory(database, dispute, facts.sender) : null,
  };
  const words = await readWithTexts(database, dispute, dispute, now, DESK_FILES);
  const fulfillments = await listFulfillments(database, dispute, dispute.intentId);
  return withMembers(words, { ...showParts(found, added), fulfillments: showAll(fulfillments.map(FULFILLMENT.show)) });
}

/** The id stands for the name of a user whom the accounts lack, such as after a restore of an older backup. */
export const showHolder = (id: string | null, users: Awaited<ReturnType<typeof findUsers>>): Added["heldBy"] =>
  id === null ? null : { id, name: users.get(id)?.name ?? id };

const showAll = (objects: readonly object[]): string => `[${objects.map((one) => showObject(one)).join(",")}]`;

function showParts({ dispute, now, ...found }: DeskCase, added: Added) {
  const { object: _object, ...shown } = showCaseMembers({
    ...found,
    ...added,
    total: dispute.amount,
    symbol: symbolOf(found.asset),
    warning: warningOf(dispute, now) ?? "none",
  });
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** The state of a case for an act. Throws `conflict_of_interest` if this arbiter may not decide it. */
async function requireFree(db: Db, { userId }: Arbiter, id: string) {
  const state = await findDeskState(db, userId, id);
  if (state === null) throw missing();
  if (state.conflict !== null) throw conflicting(state.conflict);
  return state;
}

const conflicting = (reason: ConflictOfInterest) =>
  new ApiError("conflict_of_interest", CONFLICT_TEXTS[reason], { reason });

const conflictOfOther = (reason: ConflictOfInterest) =>
  new ApiError("conflict_of_interest", "That arbiter has a conflict of interest in this case.", { reason });

/** The conflict of a user in a case, with what only other cells know of it. Answers 404 for an unknown case. */
async function findConflict({ database, cells }: CaseDeps, userId: string, id: string) {
  const state = await findDeskState(database, userId, id);
  if (state === null) throw missing();
  return state.conflict ?? ((await listWallets(cells, userId, state.sides)).size > 0 ? "wallet" : null);
}

/** Throws the conflict of the arbiter. It is asked before the transaction of an act, which cannot ask other cells. */
async function requireNoConflict(deps: CaseDeps, { userId }: Arbiter, id: string): Promise<void> {
  if (deps.cells.all.length === 1) return;
  const conflict = await findConflict(deps, userId, id);
  if (conflict !== null) throw conflicting(conflict);
}

/** The open case that this arbiter holds, locked until the transaction ends. Throws what refuses it. */
export async function requireHeld(db: Db, arbiter: Arbiter, id: string) {
  const state = await requireFree(db, arbiter, id);
  if (!(await lockHolder(db, state, id, arbiter.userId)))
    throw refuse(state.holder === null ? "not_held" : "held_by_other");
  return state;
}

/** The same before a transaction, with what only other cells know. */
export async function requireHeldCase(deps: CaseDeps, arbiter: Arbiter, id: string) {
  await requireNoConflict(deps, arbiter, id);
  return requireHeld(deps.database, arbiter, id);
}

/** Makes the arbiter the holder of an open case. Claiming it again changes nothing. */
export async function claimCase(deps: CaseDeps, arbiter: Arbiter, id: string): Promise<JsonText> {
  await requireNoConflict(deps, arbiter, id);
  await deps.database.transaction(async (db) => {
    const state = await requireFree(db, arbiter, id);
    const { holder, status } = state;
    if (status === "decided" || status === "closed") throw refuse(status);
    if (holder !== arbiter.userId && !(await insertHolder(db, state, id, arbiter.userId)))
      throw refuse("held_by_other");
  });
  return readCase(deps, arbiter, id);
}

/** Hands a case over to an arbiter without a conflict, or back to the queue. A conflict of one's own does not hold it up. */
export async function handOver(deps: CaseDeps, arbiter: Arbiter, id: string, to: string | null): Promise<JsonText> {
  if (to !== null) {
    const conflict = await findConflict(deps, to, id);
    if (!(await findArbiters(deps.accounts, [to])).has(to)) throw invalid("to", "Expected the id of an arbiter.");
    if (conflict !== null) throw conflictOfOther(conflict);
  }
  await deps.database.transaction(async (db) => {
    const state = await findDeskState(db, to ?? arbiter.userId, id);
    if (state === null) throw missing();
    if (to !== null && state.conflict !== null) throw conflictOfOther(state.conflict);
    if (!(await endHolder(db, state, id, arbiter.userId)))
      throw refuse(state.holder === null ? "not_held" : "held_by_other");
    if (to !== null && !(await insertHolder(db, state, id, to))) throw refuse("held_by_other");
  });
  return readCase(deps, arbiter, id);
}

/** Asks both sides, in the name of the arbiter who holds the case. */
export async function askSides(deps: CaseDeps, arbiter: Arbiter, id: string, text: string): Promise<JsonText> {
  await requireNoConflict(deps, arbiter, id);
  await deps.database.transaction(async (db) => {
    const state = await requireHeld(db, arbiter, id);
    const acted = await actIn(db, state, id, draftQuestion(arbiter.userId, text));
    if (acted === null) throw missing();
  });
  return readCase(deps, arbiter, id);
}

const draftQuestion =
  (askedBy: string, text: string) =>
  (_: Dispute, now: Date): Act => ({
    happening: { kind: "question" },
    adds: ({ businessId, id: disputeId, questions: number, questionUntil }) => ({
      question: { businessId, disputeId, number, askedBy, text, askedAt: now, until: questionUntil!, erasedAt: null },
    }),
  });
