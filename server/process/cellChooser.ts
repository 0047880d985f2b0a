import type { IncomingMessage } from "node:http";
import { cellOf, cellOfBusiness } from "../domain/ids.ts";
import { cellOfKey } from "../domain/secretKeys.ts";
import { MERCHANT_PREFIX } from "../edge/merchant/description.ts";
import { STAFF_PREFIX } from "../edge/staff/description.ts";
import { findTermsByHash } from "../features/checkout/paying/queries.ts";
import { hasIntent, listReceipts } from "../features/checkout/receipt/queries.ts";
import { hasDispute } from "../features/disputes/desk/queries.ts";
import { findUploadByToken } from "../features/disputes/files/queries.ts";
import { tokenHashOf } from "../features/disputes/uploads/actions.ts";
import { findLinkById } from "../features/links/queries.ts";
import { findTenantOfFeed } from "../features/overview/calendar/queries.ts";
import { Lru } from "../lib/lru.ts";
import type { Database } from "../store/database.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";

/** Paths whose cell only the cells know: a text of the path, and how a cell tells that it has the object. */
interface Asked {
  readonly path: RegExp;
  /** Returns the cell to which the text leads. Older texts lead anywhere, and are asked in cell 0 too. Null: all are asked. */
  readonly leadsTo: ((text: string) => number) | null;
  readonly has: (database: Database, text: string) => Promise<boolean>;
}

const isThere = (found: unknown): boolean => found !== null;
const hasUpload = async (db: Database, token: string) => isThere(await findUploadByToken(db, tokenHashOf(token)));

const ASKED: readonly Asked[] = [
  { path: /^\/pay\/i\/([\w-]+)/, leadsTo: cellOf, has: hasIntent },
  { path: /^\/pay\/l\/([\w-]+)/, leadsTo: cellOf, has: async (db, id) => isThere(await findLinkById(db, id)) },
  {
    path: /^\/pay\/p\/(\w+)/,
    leadsTo: null,
    has: async (db, address) => (await listReceipts(db, [address])).length > 0,
  },
  { path: /^\/pay\/terms\/(\w+)/, leadsTo: null, has: async (db, hash) => isThere(await findTermsByHash(db, hash)) },
  { path: new RegExp(`^(?:/pay|${MERCHANT_PREFIX}|${STAFF_PREFIX})/uploads/([\\w-]+)`), leadsTo: null, has: hasUpload },
  {
    path: new RegExp(`^${STAFF_PREFIX}/calendars/([\\w-]+)`),
    leadsTo: null,
    has: async (db, secret) => isThere(await findTenantOfFeed(db, secret)),
  },
  {
    path: new RegExp(`^${STAFF_PREFIX}/desk/disputes/(\\w+)`),
    leadsTo: cellOf,
    has: hasDispute,
  },
];

const BUSINESS = new RegExp(`^${STAFF_PREFIX}/businesses/(\\w+)`);
const KEY = /^bearer +(sk_\S+)$/i;
/** Texts whose cell is remembered: an object stays in its cell. */
const KNOWN_MAX = 100_000;

/**
 * Returns a function that finds the cell of a request, by its key or its path; the routes of that cell answer it. What leads
 * nowhere is cell 0's, and so is what no cell has. If a cell that may have it cannot be asked, that cell's routes answer.
 */
export function cellChooser(databases: readonly Database[]): (request: IncomingMessage) => number | Promise<number> {
  const known = new Lru<string, number>(KNOWN_MAX);
  const existing = (cell: number): number => (cell < databases.length ? cell : 0);

  async function ask(text: string, { leadsTo, has }: Asked): Promise<number> {
    const led = leadsTo === null ? null : existing(leadsTo(text));
    if (led === 0) return 0;
    const candidates = led === null ? [...databases.keys()] : [led, 0];
    const answers = await Promise.allSettled(candidates.map((cell) => has(databases[cell]!, text)));
    const found = answers.findIndex((answer) => answer.status === "fulfilled" && answer.value);
    if (found !== -1) {
      known.set(text, candidates[found]!);
      return candidates[found]!;
    }
    const away = answers.findIndex(
      (one) => one.status === "rejected" && one.reason instanceof DatabaseUnavailableError,
    );
    return away === -1 ? 0 : candidates[away]!;
  }

  return ({ url = "", headers }) => {
    const key = KEY.exec(headers.authorization ?? "")?.[1];
    // As the router reads it; the server has checked that it can be decoded.
    const path = decodeURI(url.split("?", 1)[0]!);
    if (path.startsWith(MERCHANT_PREFIX) && key !== undefined) return existing(cellOfKey(key) ?? 0);
    const business = BUSINESS.exec(path)?.[1];
    if (business !== undefined) return existing(cellOfBusiness(business));
    for (const rule of ASKED) {
      const text = rule.path.exec(path)?.[1];
      if (text !== undefined) return known.get(text) ?? ask(text, rule);
    }
    return 0;
  };
}
