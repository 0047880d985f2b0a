import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { omit, pick, type Row, rowReader } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { piece, type Sql, sql } from "../../store/sql.ts";
import { assignmentsFrom, fieldRows, insertion, jsonReader, jsonRow } from "../../store/table.ts";
import { AGREEMENTS, DISPUTES, type Dispute, OFFER_STATE, OFFERS, type Offer } from "./dispute.ts";
import { type DisputeFile, FILES } from "./files/file.ts";
import { draftNotices, NOTICES } from "./notices/notice.ts";
import { QUESTIONS, type Question } from "./question.ts";
import { RULINGS } from "./ruling.ts";
import { STATEMENTS, type Statement } from "./statement.ts";
import { DEFAULT_WAITS, type Waits } from "./waits.ts";

const readRow = rowReader(DISPUTES.columns);
const readOffer = jsonReader(OFFER_STATE);
const readAgreement = jsonReader(AGREEMENTS.columns);
const readRuling = jsonReader(RULINGS.columns);

/** The columns of a dispute `d` with its offers and its agreement, for {@link readDisputeRow}. */
export const DISPUTE_WITH_PARTS: Sql = sql`d.*,
      case when d.buyer_offers + d.merchant_offers > 0 then
        (select json_agg(${jsonRow("o", OFFER_STATE)} order by o.number) from dispute_offers o
          where o.business_id = d.business_id and o.dispute_id = d.id) end as offers,
      -- An agreement is about an offer.
      case when d.buyer_offers + d.merchant_offers > 0 then
        (select ${jsonRow("a", AGREEMENTS.columns)} from dispute_agreements a
          where a.business_id = d.business_id and a.dispute_id = d.id) end as agreement,
      (select ${jsonRow("r", RULINGS.columns)} from dispute_rulings r
        where r.business_id = d.business_id and r.dispute_id = d.id) as ruling`;

/** The offer `o` that the buyer of a dispute `d` has open, to be joined. */
export const OPEN_OFFERS_OF_BUYERS: Sql = sql`
  dispute_offers o on o.business_id = d.business_id and o.dispute_id = d.id and o.side = 'buyer' and o.status = 'open'`;

export function readDisputeRow(row: Row): Dispute {
  const { offers, agreement, ruling } = row as {
    readonly offers: readonly Record<string, unknown>[] | null;
    readonly agreement: Record<string, unknown> | null;
    readonly ruling: Record<string, unknown> | null;
  };
  return {
    ...readRow(row),
    offers: (offers ?? []).map(readOffer),
    agreement: agreement === null ? null : readAgreement(agreement),
    ruling: ruling === null ? null : readRuling(ruling),
  };
}

/** The disputes of payments, by address; each payment with its tenant. Writers hold the locks of the intents. */
export async function listDisputesOf(
  db: Db,
  payments: readonly { readonly tenant: Tenant; readonly address: string }[],
): Promise<ReadonlyMap<string, Dispute>> {
  const rows = await db.rows<Row>(sql`
    select ${DISPUTE_WITH_PARTS}
    from unnest(
        ${payments.map(({ tenant }) => tenant.businessId)}::text[], ${payments.map(({ address }) => address)}::text[]
      ) as p (business_id, address)
      join disputes d on d.business_id = p.business_id and d.payment_address = p.address`);
  return new Map(rows.map(readDisputeRow).map((dispute) => [dispute.payment, dispute]));
}

const MARKS = ["acceptedBy", "acceptedText", "acceptedSignature"] as const;
/** An offer that nobody has accepted. */
export const NO_MARKS = { acceptedBy: null, acceptedText: null, acceptedSignature: null };

/** What an act adds to a dispute, besides its new state. */
export interface DisputeAct {
  readonly statement?: Statement;
  readonly file?: DisputeFile;
  readonly question?: Question;
  /** A new offer. */
  readonly offer?: Offer;
  /** The offer has its acceptance: the author, and what a wallet signed. */
  readonly marks?: Partial<Pick<Offer, (typeof MARKS)[number]>> & { readonly id: string };
}

/** A change of a dispute; `before` is null for a new one. */
export interface DisputeChange extends DisputeAct {
  readonly before: Dispute | null;
  readonly after: Dispute;
}

const insertDisputes = insertion(DISPUTES);
const insertOffers = insertion(OFFERS);
const insertStatements = insertion(STATEMENTS);
const insertFiles = insertion(FILES);
const insertQuestions = insertion(QUESTIONS);
const insertAgreements = insertion(AGREEMENTS);
const insertNotices = insertion(NOTICES);
const CHANGED = assignmentsFrom(omit(DISPUTES.columns, "businessId", "id"), "excluded");
const insertRulings = insertion(RULINGS);
const RULING_CHANGED = assignmentsFrom(omit(RULINGS.columns, "businessId", "disputeId"), "excluded");
const AGREEMENT_CHANGED = assignmentsFrom(pick(AGREEMENTS.columns, "until", "failedAt", "executedAt"), "excluded");
const OFFER_CHANGE = pick(
  OFFERS.columns,
  ...(["businessId", "disputeId", "id", "status", "acceptedAt"] as const),
  ...MARKS,
);
const offerRows = fieldRows("u", OFFER_CHANGE);
const KEPT_MARKS = piece(
  ["accepted_by", "accepted_text", "accepted_signature"]
    .map((name) => `${name} = coalesce(u.${name}, o.${name})`)
    .join(", "),
);

/**
 * CTEs that save changes of disputes, each with a comma in front; none for no change. The statement holds the locks of
 * the intents, and records the events.
 */
export function saveDisputes(changes: readonly DisputeChange[]): Sql {
  if (changes.length === 0) return sql``;
  const agreements = changes.flatMap(({ before, after }) =>
    after.agreement === null || after.agreement === before?.agreement ? [] : [after.agreement],
  );
  const rulings = changes.flatMap(({ before, after: { ruling } }) =>
    ruling === null || ruling === before?.ruling ? [] : [ruling],
  );
  const unruled = changes.filter(({ before, after }) => after.ruling === null && (before?.ruling ?? null) !== null);
  const ended = changes.flatMap(({ after: { status, ruling } }) =>
    status === "closed" && ruling !== null ? [ruling] : [],
  );
  return sql`,
    saved_disputes as (
      ${insertDisputes(changes.map(({ after }) => after))}
      on conflict (business_id, id) do update set ${CHANGED} where t.version <= excluded.version),
    changed_offers as (
      update dispute_offers o set status = u.status, accepted_at = u.accepted_at, ${KEPT_MARKS}
      from ${offerRows(changes.flatMap(draftOfferChanges))}
      where o.business_id = u.business_id and o.dispute_id = u.dispute_id and o.id = u.id
      returning o.id),
    -- A replaced offer is closed before its successor is inserted: a side has one open offer.
    new_offers as (
      ${insertOffers(changes.flatMap(({ offer }) => offer ?? []))} where (select count(*) from changed_offers) >= 0),
    new_statements as (${insertStatements(changes.flatMap(({ statement }) => statement ?? []))}),
    new_files as (${insertFiles(changes.flatMap(({ file }) => file ?? []))}),
    new_questions as (${insertQuestions(changes.flatMap(({ question }) => question ?? []))}),
    saved_agreements as (
      ${insertAgreements(agreements)} on conflict (business_id, dispute_id) do update set ${AGREEMENT_CHANGED}),
    new_notices as (
      ${insertNotices(changes.flatMap(({ before, after }) => draftNotices(before, after)))}
      on conflict (business_id, dispute_id, side, kind, version) do nothing),
    saved_rulings as (
      ${insertRulings(rulings)} on conflict (business_id, dispute_id) do update set ${RULING_CHANGED}),
    reverted_rulings as (
      delete from dispute_rulings r using (
        select * from unnest(
          ${unruled.map(({ after }) => after.businessId)}::text[], ${unruled.map(({ after }) => after.id)}::text[]) as u (business_id, id)) u
      where r.business_id = u.business_id and r.dispute_id = u.id),
    -- No other draft can land any more.
    dropped_decisions as (
      delete from dispute_decisions f using (
        select * from unnest(
          ${ended.map(({ businessId }) => businessId)}::text[], ${ended.map(({ disputeId }) => disputeId)}::text[],
          ${ended.map(({ decisionId }) => decisionId)}::text[]) as e (business_id, dispute_id, decision_id)) e
      where f.business_id = e.business_id and f.dispute_id = e.dispute_id and f.id is distinct from e.decision_id)`;
}

/** The offers that a change ends or accepts. */
function draftOfferChanges({ before, after, marks }: DisputeChange) {
  const earlier = new Map(before?.offers.map((offer) => [offer.id, offer]));
  return after.offers
    .filter((offer) => earlier.has(offer.id) && earlier.get(offer.id) !== offer)
    .map((offer) => ({
      businessId: after.businessId,
      disputeId: after.id,
      ...NO_MARKS,
      ...(marks?.id === offer.id ? marks : {}),
      ...stateOf(offer),
    }));
}

const stateOf = ({ id, status, acceptedAt }: Dispute["offers"][number]) => ({ id, status, acceptedAt });

/** {@link listDisputesOf}, and the waits of those that begin now. */
export const listDisputesAndWaits = async (
  db: Db,
  environment: Environment,
  payments: readonly { readonly tenant: Tenant; readonly address: string }[],
) => ({ disputes: await listDisputesOf(db, payments), waits: await findWaits(db, environment) });

/** The waits of disputes that begin now: the operator's, else the defaults. */
export async function findWaits(db: Db, environment: Environment): Promise<Waits> {
  const row = await db.row<Waits>(sql`
    select answer_days as "answerDays", decide_days as "decideDays", agreement_days as "agreementDays"
    from dispute_waits where environment = ${environment}`);
  return row ?? DEFAULT_WAITS;
}
