import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * The baseline of the service: pgbench writes the same rows (rate, kept answer, intent, payment id, counter, event, and a
 * delivery where the business has an endpoint), one statement a transaction, and nothing else.
 */
const SCRIPT = `
\\set b random(:first, :last)
\\set p random(1, 9000000000000000000)
with me as (
  select 'biz_' || lpad((:b)::text, 32, '0') as business, 'key_' || lpad((:b)::text, 32, '0') as key,
    'pi_test_' || to_hex((:p)::bigint) || md5((:p)::bigint::text) as intent, md5((:p)::bigint::text || 'k') as name),
rate as (
  insert into key_rates as r (business_id, key_id, minute, used) select business, key, date_trunc('minute', now()), 1 from me
  on conflict (business_id, key_id) do update set used = case when excluded.minute > r.minute then 1 else r.used + 1 end, minute = greatest(r.minute, excluded.minute)),
kept as (
  insert into idempotency_keys (business_id, environment, key, fingerprint, status, body, created_at)
  select business, 'test', name, sha256(name::bytea), 201, repeat('x', 650), now() from me),
made as (
  insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period, merchant_reference, metadata, payment_id, created_at, expires_at, last_occurred_at, list_position)
  select business, intent, 'test', 'requires_payment', true, :recipient, 5000000, :asset, 'sevenDays', name, '{"order":"' || name || '"}', (:p)::bigint, now(), date_trunc('second', now()) + interval '1 day', now(), (:p)::bigint from me),
numbered as (
  update event_counters c set last_sequence = last_sequence + 1 from me where c.business_id = me.business and c.environment = 'test' returning c.business_id, last_sequence),
recorded as (
  insert into events (business_id, environment, id, sequence, type, intent_id, payment_address, occurred_at, created_at, recorded_at, body)
  select business, 'test', 'evt_test_' || name, last_sequence, 'payment_intent.created', intent, null, now(), now(), now(), repeat('y', 900) from me, numbered)
insert into webhook_queue (business_id, endpoint_id, event_id, event_type, event_recorded_at, priority, due_at, created_at)
select me.business, e.id, 'evt_test_' || name, 'payment_intent.created', now(), 'new', now(), now() from me join webhook_endpoints e on e.business_id = me.business;
`;

export interface Baseline {
  readonly perSecond: number;
}

/** Runs pgbench for `seconds` with `clients` clients and prepared statements, and returns its rate. */
export async function runBaseline(
  url: string,
  options: {
    readonly clients: number;
    readonly seconds: number;
    /** The number of its first business. */
    readonly first?: number;
    readonly businesses: number;
    readonly recipient: string;
    readonly asset: string;
  },
): Promise<Baseline> {
  const { first = 1 } = options;
  const folder = await mkdtemp(join(tmpdir(), "holdfast-bench-"));
  try {
    const script = join(folder, "create.sql");
    await writeFile(
      script,
      SCRIPT.replaceAll(":recipient", `'${options.recipient}'`).replaceAll(":asset", `'${options.asset}'`),
    );
    const args = [
      "-n",
      "-M",
      "prepared",
      "-c",
      String(options.clients),
      "-j",
      "1",
      "-T",
      String(options.seconds),
      "-D",
      `first=${first}`,
      "-D",
      `last=${first + options.businesses - 1}`,
      "-f",
      script,
      url,
    ];
    const { stdout } = await promisify(execFile)("pgbench", args);
    const rate = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (rate === undefined) throw new Error(`pgbench said no rate: ${stdout}`);
    return { perSecond: Number(rate) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
