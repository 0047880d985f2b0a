import type { ChainTransaction, LandedRuling } from "../../../chain/port.ts";
import type { Tenant } from "../../../domain/callers.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Database, Db } from "../../../store/database.ts";
import { advance } from "../../disputes/advance.ts";
import { findFrozen } from "../../disputes/decision/fragments.ts";
import { draftDisputeEvent } from "../../disputes/dispute.ts";
import { listDisputesOf } from "../../disputes/fragments.ts";
import { draftRuling, memoHash } from "../../disputes/ruling.ts";
import { draftEvent } from "../../events/event.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { isShownAlike } from "../decide/followDispute.ts";
import { findTenantByPaymentAddress } from "../finality/queries.ts";
import { saveRuling } from "./queries.ts";

type Ruled = Pick<ChainTransaction, "signature" | "slot" | "blockTime" | "rulings">;

/**
 * Joins the rulings of landed transactions with the records that their memos name (§17.3). Before the payments' accounts
 * are recorded, so that the events of a decision have it. Returns the transactions with a ruling of a payment that has no
 * dispute yet.
 */
export async function recordRulings<Transaction extends Ruled>(
  database: Database,
  environment: Environment,
  transactions: readonly Transaction[],
): Promise<readonly Transaction[]> {
  const left = new Set<Transaction>();
  for (const transaction of transactions)
    for (const landed of transaction.rulings ?? []) {
      const found = await findTenantByPaymentAddress(database, environment, landed.payment);
      const isJoined =
        found !== null && (await database.transaction((db) => recordRuling(db, found, landed, transaction)));
      if (!isJoined) left.add(transaction);
    }
  return [...left];
}

/** Returns false if the payment has no dispute. */
async function recordRuling(
  db: Db,
  { intentId, ...tenant }: Tenant & { readonly intentId: string },
  landed: LandedRuling,
  { signature, slot, blockTime }: Ruled,
): Promise<boolean> {
  const locked = await lockIntent(db, tenant, intentId);
  const disputes = await listDisputesOf(db, [{ tenant, address: landed.payment }]);
  const before = disputes.get(landed.payment);
  if (locked === null || before === undefined) return false;
  // Read twice, by a notice and by the sweep: the node may have had no time for its block at first.
  if (before.ruling?.signature === signature && before.ruling.slot === slot) return true;
  const { now, lastOccurredAt } = locked;
  const hash = memoHash(landed);
  const frozen = hash === null ? null : await findFrozen(db, tenant, before.id, hash);
  const ruling = draftRuling(before, landed, frozen, { signature, slot, ruledAt: blockTime ?? now });
  const advanced = advance(before, { kind: "ruled", ruling }, now);
  if (!advanced.ok) throw new Error(`The dispute ${before.id} refused its ruling: ${advanced.reason}.`);
  const after = advanced.dispute;
  if (after === before) return true;
  // Until the payment's account shows the outcome, nobody is told.
  const isShown = !isShownAlike(before, after);
  const event = isShown ? draftEvent(tenant, draftDisputeEvent(before, after, lastOccurredAt, now), now) : null;
  const change = { before, after: isShown ? after : { ...after, version: before.version } };
  await saveRuling(db, tenant, change, event);
  return true;
}
