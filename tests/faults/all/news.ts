import type { DisputeNotice } from "../../../server/domain/notices.ts";
import type { Database } from "../../../server/store/database.ts";
import { sql } from "../../../server/store/sql.ts";

/** The beginnings of the sentences about a dispute. */
const SENTENCES = {
  opened: "A dispute was opened.",
  turn: "It is your turn until ",
  closed: "The dispute was decided or closed.",
} as const satisfies Partial<Record<DisputeNotice, string>>;

/** News of a dispute that the members of its shop must get. */
interface News {
  readonly disputeId: string;
  readonly kind: keyof typeof SENTENCES;
}

/** The news for which an email was queued. The email names twenty disputes at most, and the number of the others. */
type Queued = readonly { readonly disputeId: string; readonly kind: DisputeNotice }[];

/** From now on the database keeps what each email with news is queued for. */
export async function keepQueuedNews(database: Database): Promise<void> {
  await database.rows(sql`create table queued_news (recipient text not null, facts text not null)`);
  await database.rows(sql`
    create function keep_queued_news() returns trigger language plpgsql as $$
      begin
        insert into queued_news values (new.recipient, new.facts);
        return null;
      end $$`);
  await database.rows(sql`
    create trigger keep_queued_news after insert on emails
    for each row when (new.kind = 'member_news') execute function keep_queued_news()`);
}

export async function listQueuedNews(database: Database, mailbox: string): Promise<readonly Queued[]> {
  const rows = await database.rows<{ facts: string }>(
    sql`select facts from queued_news where recipient = ${mailbox} order by facts`,
  );
  return rows.map(({ facts }) => (JSON.parse(facts) as { readonly news: Queued }).news);
}

/**
 * The news that the shop's members must have got by now, whenever it was gathered: of a dispute that has ended, that; of any
 * other, its opening, and that it is their turn, which comes once in a run. No news is told of a paused dispute, and nobody
 * can say what was told of one that a fork gave back.
 */
export const listRequiredNews = (database: Database, businessId: string) =>
  database.rows<News>(sql`
    select d.id as "disputeId", n.kind
    from disputes d cross join lateral (
      select 'closed' as kind where d.status in ('decided', 'closed')
      union all
      select o.kind from (values ('opened'), ('turn')) o (kind)
      where d.status not in ('decided', 'closed', 'paused') and (o.kind = 'opened' or d.turn = 'merchant')
        and not exists (
          select from events e
          where e.business_id = d.business_id and e.payment_address = d.payment_address and starts_with(e.type, 'dispute.')
            and e.body::json -> 'data' -> 'object' ->> 'status' in ('decided', 'closed', 'paused'))) n
    where d.business_id = ${businessId} order by d.id, n.kind`);

interface Read {
  /** The text about each dispute that the email names. */
  readonly texts: ReadonlyMap<string, string>;
  /** The number of the others. */
  readonly others: number;
}

function readNews(email: string): Read {
  const text = email.replaceAll("=\n", "");
  const texts = text.matchAll(/^(.*)\n\S+\/disputes\/(\w+)$/gm).map(([, said, id]) => [id!, said!] as const);
  return { texts: new Map(texts), others: Number(/^And (\d+) more disputes: /m.exec(text)?.[1] ?? 0) };
}

/** The required news that none of these emails has. */
export function findLostNews(
  required: readonly News[],
  queued: readonly Queued[],
  emails: readonly string[],
): readonly string[] {
  const read = emails.map(readNews);
  const isNamed = ({ disputeId, kind }: News): boolean =>
    read.some(({ texts }) => texts.get(disputeId)?.includes(SENTENCES[kind]));
  const isIn = (facts: Queued, { disputeId, kind }: News): boolean =>
    facts.some((one) => one.disputeId === disputeId && one.kind === kind);
  /** It is one of the others in the email that was queued for it, which has room for all that must be among them. */
  const isCounted = (news: News): boolean =>
    queued.some((facts) => {
      if (!isIn(facts, news)) return false;
      const disputes = new Set(facts.map(({ disputeId }) => disputeId));
      const wanted = new Set(required.filter((one) => isIn(facts, one)).map(({ disputeId }) => disputeId));
      return read.some(
        ({ texts, others }) =>
          !texts.has(news.disputeId) &&
          texts.keys().every((named) => disputes.has(named)) &&
          [...wanted].filter((id) => !texts.has(id)).length <= others,
      );
    });
  return required
    .filter((news) => !isNamed(news) && !isCounted(news))
    .map(({ disputeId, kind }) => `the news "${kind}" of ${disputeId}`);
}
