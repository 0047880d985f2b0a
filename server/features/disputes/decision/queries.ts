import type { Tenant } from "../../../domain/callers.ts";
import { pick } from "../../../lib/columns.ts";
import { environmentNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { insertion, selected } from "../../../store/table.ts";
import { OFFERS, type Offer } from "../dispute.ts";
import { DECISIONS, type DecisionBasis, type FrozenDecision } from "./decision.ts";

const SELECTED = selected(DECISIONS.columns, "f");
const insert = insertion(DECISIONS);

/** A payment's dispute as its decision needs it: the tenant comes with it, and the caller has checked the right of the desk. */
export interface DecidedDispute extends Omit<DecisionBasis, "statements" | "files"> {
  readonly sender: string;
  readonly observedSlot: number;
  /** The environment's time. */
  readonly now: Date;
  /** Frozen records so far. */
  readonly count: number;
}

export const findDecidedDispute = (db: Db, { businessId, environment }: Tenant, disputeId: string) =>
  db.row<DecidedDispute>(sql`
    select c.genesis_hash as "genesisHash", c.operator, p.arbiter, p.sender, p.observed_slot::float8 as "observedSlot",
      ${environmentNow(environment)} as now,
      (select coalesce(max(f.number), 0) from dispute_decisions f
        where f.business_id = d.business_id and f.dispute_id = d.id)::integer as count
    from disputes d
    join payments p on p.business_id = d.business_id and p.address = d.payment_address
    join chains c on c.environment = d.environment
    where d.business_id = ${businessId} and d.id = ${disputeId} and d.environment = ${environment}`);

/** The salted hashes of what both sides sent, oldest first, in hex digits. */
export async function listHashes(
  db: Db,
  { businessId }: Tenant,
  disputeId: string,
): Promise<Pick<DecisionBasis, "statements" | "files">> {
  const row = await db.row<{ statements: readonly string[]; files: readonly string[] }>(sql`
    select
      array(select encode(s.sha256, 'hex') from dispute_statements s
        where s.business_id = ${businessId} and s.dispute_id = ${disputeId} order by s.number) as statements,
      array(select encode(f.salted_sha256, 'hex') from dispute_files f
        where f.business_id = ${businessId} and f.dispute_id = ${disputeId} order by f.number) as files`);
  return row!;
}

const SIGNED = pick(OFFERS.columns, "id", "side", "total", "author", "acceptedBy");
const EVIDENCE = pick(OFFERS.columns, ...(["signedText", "signature", "acceptedText", "acceptedSignature"] as const));
export type SignedOffer = Pick<Offer, keyof typeof SIGNED | keyof typeof EVIDENCE>;

/** The offer of an agreement with what both sides gave for it. */
export const findSignedOffer = (db: Db, { businessId }: Tenant, disputeId: string, offerId: string) =>
  db.row<SignedOffer>(sql`
    select ${selected(SIGNED, "o")}, ${selected(EVIDENCE, "o")} from dispute_offers o
    where o.business_id = ${businessId} and o.dispute_id = ${disputeId} and o.id = ${offerId}`);

export const insertDecision = (db: Db, decision: FrozenDecision) => db.rows(insert([decision]));

export const findDecision = (db: Db, { businessId }: Tenant, disputeId: string, id: string) =>
  db.row<FrozenDecision>(sql`
    select ${SELECTED} from dispute_decisions f
    where f.business_id = ${businessId} and f.dispute_id = ${disputeId} and f.id = ${id}`);
