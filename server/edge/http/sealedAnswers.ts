import type { Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import type { OnUnreadable, SealedSecret, Sealing } from "../../domain/sealing.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** Private answers under Idempotency-Keys (§4.22.1): encrypted, and opened for a repeat. */

interface AnswerKey {
  readonly tenant: Tenant;
  readonly key: string;
}

const boundTo = ({ tenant, key }: AnswerKey): string => `answer ${tenant.businessId} ${tenant.environment} ${key}`;

export function sealAnswer(sealing: Sealing | null, key: AnswerKey, body: string): string {
  if (sealing === null) throw new Error("A private answer cannot be stored without keys.");
  return sealing.seal(boundTo(key), body);
}

/** An answer is a JSON object, and a sealed text begins with its version. */
export function openAnswer(sealing: Sealing | null, key: AnswerKey, stored: string): string {
  if (stored.startsWith("{")) return stored;
  if (sealing !== null) return sealing.open(boundTo(key), stored);
  throw new ApiError("unavailable", "This process lacks the key of a stored answer.", {}, { retryAfterSeconds: 60 });
}

const BATCH_MAX = 1_000;
const FIRST = { businessId: "", environment: "test", key: "", body: "" } as const;
type SealedRow = Tenant & { readonly key: string; readonly body: string };

/** The private answers under another key than the current one: few, of a day at most. */
async function* eachOutdated(db: Db, { prefix }: Pick<Sealing, "prefix">): AsyncGenerator<SealedRow> {
  for (let after: SealedRow | undefined = FIRST; after; ) {
    const rows: SealedRow[] = await db.rows(sql`
      select business_id as "businessId", environment, key, body from idempotency_keys
      where starts_with(body, 'v') and not starts_with(body, ${prefix})
        and (business_id, environment, key) > (${after.businessId}, ${after.environment}, ${after.key})
      order by business_id, environment, key limit ${BATCH_MAX}::integer`);
    yield* rows;
    after = rows.length === BATCH_MAX ? rows.at(-1) : undefined;
  }
}

const NAME = "answers under Idempotency-Keys";

export async function* listSealedAnswers(db: Db, sealing: Sealing): AsyncGenerator<SealedSecret> {
  for await (const { key, body, ...tenant } of eachOutdated(db, sealing))
    yield { what: NAME, boundTo: boundTo({ tenant, key }), sealed: body };
}

/** Encrypts private answers with the current key, so that older keys can be removed. */
export async function resealAnswers(db: Db, sealing: Sealing, onUnreadable: OnUnreadable): Promise<void> {
  for await (const { key, body, ...tenant } of eachOutdated(db, sealing)) {
    const name = boundTo({ tenant, key });
    try {
      const sealed = sealing.seal(name, sealing.open(name, body));
      await db.rows(sql`
        update idempotency_keys set body = ${sealed}
        where business_id = ${tenant.businessId} and environment = ${tenant.environment} and key = ${key} and body = ${body}`);
    } catch (error) {
      onUnreadable(NAME, error);
    }
  }
}
