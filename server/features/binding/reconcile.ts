import { sql } from "../../store/sql.ts";
import { draftSeen } from "./binding.ts";
import { recordPayments } from "./record.ts";
import type { Sweeping } from "./sweep.ts";

const READ_MS = 60_000;
/**
 * Above this many unread signatures, a few seconds of reading, payments are found by their accounts first, and the inbox
 * drains behind: often enough that nobody waits longer than 10 s for noise.
 */
const BACKLOG_MAX = 1_000;
const DAILY_MS = 86_400_000;
const BACKLOG_MS = 4_000;
const BATCH_MAX = 100;

/**
 * Finds every payment account under the operator in one request, and records those the books lack: once a day, and
 * while somebody floods the operator's history with noise. True never: once is enough.
 */
export async function reconcilePayments(deps: Sweeping, stopping: AbortSignal): Promise<boolean> {
  const { database, chain, commitment } = deps;
  const due = await database.row(sql`
    select 1 from chains c where environment = ${chain.environment} and not sweep_paused and (
      reconciled_at is null or reconciled_at < now() - make_interval(secs => ${DAILY_MS / 1000}::double precision)
      or (reconciled_at < now() - make_interval(secs => ${BACKLOG_MS / 1000}::double precision) and ${BACKLOG_MAX}::bigint < (
        select count(*) from (select from chain_inbox i where i.environment = c.environment and not i.read limit ${BACKLOG_MAX + 1}::integer) unread)))`);
  if (due === null) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const { value: payments, slot } = await chain.reader.listAllPayments({ signal, commitment });
  for (let at = 0; at < payments.length; at += BATCH_MAX) {
    const batch = payments.slice(at, at + BATCH_MAX);
    const known = await database.rows<{ address: string }>(sql`
      select address from payment_addresses where address = any(${batch.map((payment) => payment.address)}::text[])
      union all select address from unmatched_payments
      where environment = ${chain.environment} and address = any(${batch.map((payment) => payment.address)}::text[])`);
    const recorded = new Set(known.map((row) => row.address));
    const missed = batch.filter((payment) => !recorded.has(payment.address));
    await recordPayments(
      deps,
      chain.environment,
      missed.map((payment) => draftSeen(payment, slot, commitment)),
    );
  }
  await database.rows(sql`update chains set reconciled_at = now() where environment = ${chain.environment}`);
  return false;
}
