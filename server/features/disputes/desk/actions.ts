import type { Staff } from "../../../domain/callers.ts";
import { ApiError, invalid } from "../../../domain/errors.ts";
import { type JsonText, showObject, withMembers } from "../../../domain/show.ts";
import { symbolOf } from "../../../domain/tokens.ts";
import { missing } from "../../../edge/staff/route.ts";
import { pick } from "../../../lib/columns.ts";
import type { Database, Db } from "../../../store/database.ts";
import type { Sql } from "../../../store/sql.ts";
import { listFulfillments } from "../../fulfillments/fragments.ts";
import { FULFILLMENT } from "../../fulfillments/schema.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { listValues, type PaymentValue } from "../../rates/fragments.ts";
import { type Act, actIn, readWithTexts, refuse } from "../actions.ts";
import type { Dispute, Side } from "../dispute.ts";
import { findIntentOf } from "../queries.ts";
import { CONFLICT_TEXTS, warningOf } from "./desk.ts";
import {
  type DeskDispute,
  endHolder,
  findDeskDispute,
  findDeskState,
  insertHolder,
  isArbiter,
  lockHolder,
  saveNote,
} from "./queries.ts";
import { showWholeMembers } from "./schema.ts";

/** §13.22.5: the acts of an arbiter. */

/** What the addresses of a dispute's files have before `/disputes` at the desk. */
const DESK_FILES = "/staff/v1/desk";

type Arbiter = Pick<Staff, "userId">;
/** An arbiter, and the site whose receipts and terms a dispute links to. */
export interface DeskReader extends Arbiter {
  readonly checkoutUrl: string;
  /** The hash of the refund policy that the payment `p` names. */
  readonly policyHashOfP: Sql;
}

/** A dispute as the desk shows it. Answers 404 for an unknown one. */
export async function readDispute(db: Db, reader: DeskReader, id: string): Promise<JsonText> {
  const found = await findDeskDispute(db, reader, id);
  if (found === null) throw missing();
  const { dispute, now } = found;
  const shown = await readWithTexts(db, dispute, now, DESK_FILES);
  const fulfillments = await listFulfillments(db, dispute, dispute.intentId);
  const [paid] = await listValues(db, dispute, [dispute.payment]);
  return withMembers(shown, {
    ...showParts(
      found,
      paid?.value == null ? null : { value: paid.value, currency: paid.currency },
      reader.checkoutUrl,
    ),
    fulfillments: showAll(fulfillments.map(FULFILLMENT.show)),
  });
}

/** The value of a payment when it was made, in the reporting currency of its business. */
type Worth = Pick<PaymentValue, "currency"> & { readonly value: string };

const showAll = (objects: readonly object[]): string => `[${objects.map((one) => showObject(one)).join(",")}]`;

function showParts({ dispute, now, ...found }: DeskDispute, worth: Worth | null, checkoutUrl: string) {
  const { termsHash, termsKnown } = found.facts;
  const { object: _object, ...shown } = showWholeMembers({
    ...found,
    at: now,
    total: dispute.amount,
    ...pick(dispute, "buyerAskedAt", "merchantAskedAt"),
    worth,
    termsUrl: termsHash === null || !termsKnown ? null : `${checkoutUrl}/pay/terms/${termsHash}`,
    receiptPage: `${checkoutUrl}/pay/p/${dispute.payment}`,
    symbol: symbolOf(found.asset),
    warning: warningOf(dispute, now) ?? "none",
  });
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** The state of a dispute for an act. Throws `conflict_of_interest` if this arbiter may not decide it. */
async function requireFree(db: Db, { userId }: Arbiter, id: string) {
  const state = await findDeskState(db, userId, id);
  if (state === null) throw missing();
  const { conflict } = state;
  if (conflict !== null) throw new ApiError("conflict_of_interest", CONFLICT_TEXTS[conflict], { reason: conflict });
  return state;
}

/** The open dispute that this arbiter holds, locked until the transaction ends. Throws what refuses it. */
export async function requireHeld(db: Db, arbiter: Arbiter, id: string) {
  const state = await requireFree(db, arbiter, id);
  if (!(await lockHolder(db, state, id, arbiter.userId)))
    throw refuse(state.holder === null ? "not_held" : "held_by_other");
  return state;
}

/** Keeps what the arbiter noted for themselves on a dispute without a conflict; null deletes it. */
export const noteDispute = (
  database: Database,
  arbiter: DeskReader,
  id: string,
  text: string | null,
): Promise<JsonText> =>
  database.transaction(async (db) => {
    const state = await requireFree(db, arbiter, id);
    // An erasure, which deletes the notes, holds the same lock.
    await lockIntent(db, state, (await findIntentOf(db, state, id))!);
    if (!(await saveNote(db, state, id, arbiter.userId, text))) throw refuse("closed");
    return readDispute(db, arbiter, id);
  });

/** Makes the arbiter the holder of an open dispute. Claiming it again changes nothing. */
export const claimDispute = (database: Database, arbiter: DeskReader, id: string): Promise<JsonText> =>
  database.transaction(async (db) => {
    const state = await requireFree(db, arbiter, id);
    const { holder, status } = state;
    if (status === "decided" || status === "closed") throw refuse(status);
    if (holder !== arbiter.userId && !(await insertHolder(db, state, id, arbiter.userId)))
      throw refuse("held_by_other");
    return readDispute(db, arbiter, id);
  });

/** Hands a dispute over to an arbiter without a conflict, or back to the queue. A conflict of one's own does not hold it up. */
export const handOver = (database: Database, arbiter: DeskReader, id: string, to: string | null): Promise<JsonText> =>
  database.transaction(async (db) => {
    const state = await findDeskState(db, arbiter.userId, id);
    if (state === null) throw missing();
    if (to !== null) {
      if (!(await isArbiter(db, to))) throw invalid("to", "Expected the id of an arbiter.");
      const theirs = await findDeskState(db, to, id);
      if (theirs!.conflict !== null)
        throw new ApiError("conflict_of_interest", "That arbiter has a conflict of interest in this dispute.", {
          reason: theirs!.conflict,
        });
    }
    if (!(await endHolder(db, state, id, arbiter.userId)))
      throw refuse(state.holder === null ? "not_held" : "held_by_other");
    if (to !== null && !(await insertHolder(db, state, id, to))) throw refuse("held_by_other");
    return readDispute(db, arbiter, id);
  });

/** Asks one side or both (null), in the name of the arbiter who holds the dispute. */
export const askSides = (
  database: Database,
  arbiter: DeskReader,
  id: string,
  { text, side }: { readonly text: string; readonly side: Side | null },
): Promise<JsonText> =>
  database.transaction(async (db) => {
    const state = await requireHeld(db, arbiter, id);
    const acted = await actIn(db, state, id, draftQuestion(arbiter.userId, text, side));
    if (acted === null) throw missing();
    return readDispute(db, arbiter, id);
  });

/** The act of a question to one side, or to both (null). */
export const draftQuestion =
  (askedBy: string, text: string, askedSide: Side | null = null) =>
  (_: Dispute, now: Date): Act => ({
    happening: { kind: "question", side: askedSide },
    adds: ({ businessId, id: disputeId, questions: number, questionUntil }) => ({
      question: {
        ...{ businessId, disputeId, number, askedBy, askedSide, text },
        ...{ askedAt: now, until: questionUntil!, erasedAt: null },
      },
    }),
  });
