import { sql } from "../../../server/store/sql.ts";
import type { Traffic } from "../traffic.ts";
import type { People } from "./people.ts";
import type { World } from "./world.ts";

/** Work that is under way: unanswered, unrecorded, not delivered, not paid out, not stored or not sent. */
export const WORKS = ["requests", "payments", "deliveries", "payouts", "uploads", "emails"] as const;
export type Work = (typeof WORKS)[number];

/** The last payments, of which some may not be recorded yet. */
const RECENT = 50;

/** The work that waits in the players, and in the database if that is asked and answers. */
export async function listWork(
  { service: { database } }: World,
  { traffic, people }: { readonly traffic: Traffic; readonly people: People },
  { asked }: { readonly asked: boolean },
): Promise<Work[]> {
  const paid = [...traffic.paid.values()].slice(-RECENT).flat();
  const waits = asked
    ? await database
        .row<Readonly<Record<"payments" | "deliveries" | "payouts" | "emails", boolean>>>(sql`
        select exists (select from webhook_queue where due_at <= now()) as deliveries,
          exists (select from emails) as emails,
          exists (select from unnest(${paid}::text[]) as made (address)
            where not exists (select from payments p where p.address = made.address)) as payments,
          exists (select from payments where status in ('protected', 'disputed') and (outcome is not null
            or refund_total > amount_refunded)) as payouts`)
        .catch(() => null)
    : null;
  const isUnderWay: Readonly<Record<Work, boolean | undefined>> = {
    requests: traffic.unanswered > 0 || people.doing !== null,
    uploads: people.doing === "file",
    payments: traffic.unconfirmed > 0 || waits?.payments,
    deliveries: waits?.deliveries,
    payouts: waits?.payouts,
    emails: people.doing === "email" || waits?.emails,
  };
  return WORKS.filter((work) => isUnderWay[work]);
}
