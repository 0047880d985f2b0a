import type { ChainTransaction } from "../../../chain/port.ts";
import type { LandedRuling } from "../../../chain/ruling.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Database, Db } from "../../../store/database.ts";
import { draftEvent } from "../../events/event.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { advance } from "../advance.ts";
import { findDisputeOf } from "../caseQueries.ts";
import { type Dispute, draftDisputeEvent, rulingOf } from "../dispute.ts";
import { findDispute, saveChange, saveQuietly } from "../queries.ts";
import { draftRuling, memoHash } from "./decision.ts";
import { findDecisionByHash } from "./queries.ts";

type Ruled = Pick<ChainTransaction, "signature" | "slot" | "blockTime" | "rulings">;

/**
 * Joins the rulings of landed transactions with the records that their memos name (§17.3). Before the payments' accounts
 * are recorded, so that the events of a decision have it. Returns the transactions with a ruling of a payment that has no
 * case yet.
 */
export async function recordRulings<Transaction extends Ruled>(
  database: Database,
  environment: Environment,
  transactions: readonly Transaction[],
): Promise<readonly Transaction[]> {
  const left: Transaction[] = [];
  for (const transaction of transactions)
    for (const landed of transaction.rulings ?? []) {
      const dispute = await findDisputeOf(database, landed.payment);
      if (dispute === null || dispute.environment !== environment) left.push(transaction);
      else await database.transaction((db) => recordRuling(db, dispute, landed, transaction));
    }
  return [...new Set(left)];
}

async function recordRuling(
  db: Db,
  { businessId, environment, id, intentId }: Dispute,
  landed: LandedRuling,
  by: Ruled,
) {
  const tenant = { businessId, environment };
  const locked = await lockIntent(db, tenant, intentId);
  const before = await findDispute(db, tenant, id);
  if (locked === null || before === null) return;
  const { now, lastOccurredAt } = locked;
  const hash = memoHash(landed);
  const frozen = hash === null ? null : await findDecisionByHash(db, tenant, id, hash);
  const { signature, slot } = by;
  const ruling = draftRuling(before, landed, frozen, { signature, slot, ruledAt: by.blockTime ?? now });
  const advanced = advance(before, { kind: "ruled", ruling }, now);
  if (!advanced.ok) throw new Error(`The dispute ${id} refused its ruling: ${advanced.reason}.`);
  const after = advanced.dispute;
  if (after === before) return;
  // Until the payment's account shows the outcome, nobody is told.
  if (rulingOf(after) === null) return saveQuietly(db, { before, after: { ...after, version: before.version } });
  const event = draftDisputeEvent(before, after, lastOccurredAt, now);
  return saveChange(db, tenant, { before, after }, draftEvent(tenant, event, now));
}
