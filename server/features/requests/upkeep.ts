import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { keepPartitions } from "../../store/partitions.ts";

/** Days for which requests are stored (§13.9). */
export const REQUESTS_KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** Creates the partitions of the coming days and drops expired ones. */
export async function keepRequests(database: Database, log: Log): Promise<boolean> {
  const now = new Date();
  const keepFrom = new Date(now.getTime() - REQUESTS_KEPT_DAYS * DAY_MS);
  const outside = await keepPartitions(database, [{ name: "request_log", days: 1, keepFrom }], now);
  if (outside.length > 0) log("Requests were logged on a day without a partition.");
  return false;
}
