import { callRpc } from "@holdfast/devnet/client.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";

interface Line {
  readonly signature: string;
  readonly slot: number;
}

interface Market {
  readonly database: Database;
  readonly rpcUrl: string;
  readonly operator: string;
}

/** A bound that means "hung", not "slow". */
const QUIET_MS_MAX = 600_000;

/**
 * Waits until the service has caught up with the chain: the newest transaction of the operator's history is final and
 * below the cursor, nothing is unread, every binding is final, and nothing is left that the keeper would settle.
 */
export async function awaitQuiet({ database, rpcUrl, operator }: Market, msMax = QUIET_MS_MAX): Promise<void> {
  const newest = async (): Promise<Line | null> => {
    const form = { limit: 1, commitment: "confirmed" };
    return (await callRpc<Line[]>(rpcUrl, "getSignaturesForAddress", [operator, form]))[0] ?? null;
  };
  await eventually(
    "the sweep has caught up",
    async () => {
      const before = await newest();
      if (before === null) return true;
      const busy = await database.row<{ behind: boolean; unread: boolean; unfinal: boolean; due: boolean }>(sql`
        select cursor_slot < ${before.slot}::bigint as behind,
          exists (select from chain_inbox i where i.environment = c.environment and not processed) as unread,
          exists (select from payments p where p.environment = c.environment and not finalized) as unfinal,
          exists (
            select from payments p where p.environment = c.environment and status in ('protected', 'disputed')
              and (outcome is not null or refund_total > amount_refunded or status = 'protected' and protection_deadline <= now() + (select ahead from clocks k where k.environment = c.environment) + interval '3 seconds')) as due
        from chains c where environment = 'test'`);
      if (busy === null || busy.behind || busy.unread || busy.unfinal || busy.due) return false;
      return (await newest())?.signature === before.signature;
    },
    msMax,
  );
}
