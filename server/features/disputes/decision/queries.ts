import type { Tenant } from "../../../domain/callers.ts";
import { pick } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { part } from "../../../store/parts.ts";
import { sql } from "../../../store/sql.ts";
import { insertion, selected } from "../../../store/table.ts";
import { CHAIN } from "../../chains/fragments.ts";
import { paymentReader } from "../../payments/fragments.ts";
import { type Dispute, OFFERS, type Offer } from "../dispute.ts";
import { DECISIONS, type DecisionBasis, type FrozenDecision } from "./decision.ts";

const SELECTED = selected(DECISIONS.columns, "f");
const insert = insertion(DECISIONS);

const readPayments = paymentReader({
  chain: CHAIN,
  /** Frozen records so far. */
  count: part<number>(
    ({ businessId, payment }) => sql`(
      select coalesce(max(f.number), 0)::integer from disputes d
        join dispute_decisions f on f.business_id = d.business_id and f.dispute_id = d.id
      where d.business_id = ${businessId} and d.payment_address = ${payment})`,
  ),
});

/** The payment of a dispute as its decision needs it; null while a fork has removed it. */
export async function findDecidedPayment(db: Db, dispute: Pick<Dispute, "payment">) {
  const [found] = await readPayments(db, [dispute.payment]);
  if (found === undefined || found.order === null) return null;
  const { arbiter, sender, observedSlot } = found.payment;
  return { ...found.chain, arbiter, sender, observedSlot, now: found.now, count: found.count };
}

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
