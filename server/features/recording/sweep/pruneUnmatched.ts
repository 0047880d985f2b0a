import { sql } from "../../../store/sql.ts";
import type { Finalizing } from "../finality/finalize.ts";

const BATCH_MAX = 100;
const READ_MS = 10_000;

/**
 * Payments bound to no intent that a fork took: their rows go when two looks at `finalized`, on two nodes where there
 * are two, find nothing so far past the slot they were last observed at. Nobody was told of them, and whoever lands again is
 * kept again. True when there may be more.
 */
export async function forgetLost({ database, chain, revertRule }: Finalizing, stopping: AbortSignal): Promise<boolean> {
  const held = await database.row(sql`
    select 1 from unmatched_payments
    where environment = ${chain.environment} and status in ('protected', 'disputed') limit 1`);
  if (held === null) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const rows = await database.rows<{ address: string }>(sql`
    select address from unmatched_payments
    where environment = ${chain.environment} and status in ('protected', 'disputed')
      and observed_slot + ${revertRule.slots}::bigint <= ${head.slot}::bigint
    order by observed_slot limit ${BATCH_MAX}::integer`);
  if (rows.length === 0) return false;
  const addresses = rows.map((row) => row.address);
  const options = { signal, commitment: "finalized", minSlot: head.slot } as const;
  const first = await chain.reader.fetchPayments(addresses, options);
  const absent = addresses.filter((_, index) => first.value[index] === null);
  if (absent.length === 0) return false;
  const second = await chain.reader.fetchPayments(absent, { ...options, notNode: first.node });
  const gone = absent.filter((_, index) => second.value[index] === null);
  await database.rows(sql`
    delete from unmatched_payments
    where environment = ${chain.environment} and address = any(${gone}::text[])
      and observed_slot + ${revertRule.slots}::bigint <= ${head.slot}::bigint`);
  return gone.length === BATCH_MAX;
}
