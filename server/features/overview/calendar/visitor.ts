import { hashStaffSecret } from "../../../domain/staffSecrets.ts";
import { addressOf } from "../../../edge/buyer/door.ts";
import { MinuteLimit, networkOf } from "../../../edge/buyer/limits.ts";
import type { App, Reply } from "../../../edge/http/app.ts";
import { DATA_HEADERS } from "../../../edge/http/headers.ts";
import { STAFF_PREFIX } from "../../../edge/staff/description.ts";
import { readNow } from "../../../store/clock.ts";
import type { Database } from "../../../store/database.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { ASSETS_MAX, daysAt } from "../overview.ts";
import { listAnswers, listAssets } from "../queries.ts";
import { draftCalendar } from "./calendar.ts";
import { findTenantOfFeed } from "./queries.ts";

export interface CalendarDeps {
  readonly slowDatabase: Database;
  /** The header in which a proxy names the client's address; null: the connection's own counts. */
  readonly addressHeader: string | null;
}

/** The form of a secret with 256 random bits. */
const FILE = /^([A-Za-z0-9_-]{43})\.ics$/;
/** Programs read a calendar a few times a day. */
const READS_PER_MINUTE = 20;
const RETRY_SECONDS = 60;

/** The link of a calendar, at the dashboard's own address. */
export const calendarUrl = (dashboardUrl: string, secret: string): string =>
  `${new URL(dashboardUrl).origin}${STAFF_PREFIX}/calendars/${secret}.ics`;

/** Serves calendars to programs, which have no session: the secret of the link is all they bring (§13.17.5). */
export function registerCalendars(app: App, { slowDatabase: db, addressHeader }: CalendarDeps): void {
  const limit = new MinuteLimit(READS_PER_MINUTE);
  app.get(`${STAFF_PREFIX}/calendars/:file`, async (request, reply) => {
    reply.headers({ ...DATA_HEADERS, "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
    const seconds = limit.use(networkOf(addressOf(request.raw, addressHeader)), Date.now());
    if (seconds !== null) return refuse(reply.header("Retry-After", seconds), 429, "Too many reads. Wait a minute.");
    try {
      const calendar = await readCalendar(db, FILE.exec(request.params.file!)?.[1] ?? null);
      if (calendar === null) return refuse(reply, 404, "There is no calendar at this link, or no longer.");
      return reply.type("text/calendar; charset=utf-8").send(calendar);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return refuse(reply.header("Retry-After", RETRY_SECONDS), 503, "The calendar cannot be read now.");
    }
  });
}

const refuse = (reply: Reply, status: number, text: string): Reply =>
  reply.code(status).type("text/plain; charset=utf-8").send(`${text}\n`);

async function readCalendar(db: Database, secret: string | null): Promise<string | null> {
  const tenant = secret === null ? null : await findTenantOfFeed(db, secret);
  if (secret === null || tenant === null) return null;
  const now = await readNow(db, tenant.environment);
  const [assets, answers] = await Promise.all([
    listAssets(db, tenant, daysAt(now), ASSETS_MAX),
    listAnswers(db, tenant),
  ]);
  // The hash of the hash: it tells calendars apart, and says nothing of the secret or of the business.
  const id = hashStaffSecret(hashStaffSecret(secret)).slice(0, 16);
  return draftCalendar({ assets: assets.slice(0, ASSETS_MAX), answers }, tenant.environment, id, now);
}
