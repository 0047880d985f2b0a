// Pages of disputes as statements to measure: of the merchant API, the dashboard, the arbiter's desk, and the loops.
import { queryParser } from "../../server/edge/http/parameters.ts";
import { readWithTexts } from "../../server/features/disputes/actions.ts";
import { readCase } from "../../server/features/disputes/desk/actions.ts";
import { listQueue } from "../../server/features/disputes/desk/queries.ts";
import { LIST_DESK } from "../../server/features/disputes/desk/schema.ts";
import { listKept } from "../../server/features/disputes/erasure/queries.ts";
import { findDispute, listDisputes, listDue, listDueByClock } from "../../server/features/disputes/queries.ts";
import { LIST_DISPUTES } from "../../server/features/disputes/schema.ts";
import { LIST_STAFF_DISPUTES } from "../../server/features/disputes/staffSchema.ts";
import { ago, DAY_MS, type List, ofEachFilter, type Query, SAMPLE } from "./listPages.ts";
import type { Statement, Target } from "./target.ts";

const disputes = (name: string, query: (target: Target) => Query): List => ({
  path: "/disputes",
  name: `/disputes: ${name}`,
  filters: Object.keys(query(SAMPLE)),
  run: (database, target) => {
    const input = queryParser(LIST_DISPUTES.query)(new URLSearchParams({ limit: "20", ...query(target) }));
    return listDisputes(database, target.tenant, input);
  },
});

/** The dashboard's list: with a turn, by the time at which a case is due. */
const ofStaff = (name: string, query: (target: Target) => Query): List => ({
  path: "/staff/disputes",
  name: `disputes of staff: ${name}`,
  filters: Object.keys(query(SAMPLE)),
  run: (database, target) => {
    const input = queryParser(LIST_STAFF_DISPUTES.query)(new URLSearchParams({ limit: "20", ...query(target) }));
    const list = input.turn === null || input.turn === "nobody" ? listDisputes : listDue;
    return list(database, target.tenant, { ...input, endingBefore: null });
  },
});

const queue = (name: string, query: Query): Statement => ({
  name: `queue: ${name}`,
  run: (database) => {
    const input = queryParser(LIST_DESK.query)(new URLSearchParams({ limit: "20", ...query }));
    return listQueue(database, "usr_1", input);
  },
});

const CASE: readonly Statement[] = [
  {
    name: "case of a merchant",
    isOneAnswer: true,
    run: async (database, { tenant, dispute }) => {
      const found = await findDispute(database, tenant, dispute!);
      return readWithTexts(database, tenant, found!, new Date(), "/api/v1");
    },
  },
  {
    name: "case on the desk",
    isOneAnswer: true,
    run: (database, { dispute }) => readCase(database, { userId: "usr_1" }, dispute!),
  },
];

const QUEUE: readonly Statement[] = [
  queue("first page", {}),
  ...["talking", "deciding", "agreed", "decided", "paused", "closed"].map((status) =>
    queue(`status ${status}`, { environment: "test", status }),
  ),
  ...["me", "nobody", "others"].map((held) => queue(`held by ${held}`, { held })),
  queue("due before now", { due_before: ago(0) }),
  queue("due before any", { due_before: ago(1_000 * DAY_MS) }),
];

export const CASE_PAGES: readonly Statement[] = [
  disputes("first page", () => ({})),
  disputes("a page behind a cursor", ({ dispute }) => ({ starting_after: dispute ?? "" })),
  disputes("a page before a cursor", ({ dispute }) => ({ ending_before: dispute ?? "" })),
  ...ofEachFilter(LIST_DISPUTES.query, disputes),
  disputes("of this intent", ({ intent }) => ({ intent })),
  disputes("of this payment", ({ payment }) => ({ payment: payment ?? "" })),
  ...["talking", "deciding", "agreed", "decided", "paused", "closed"].map((status) =>
    disputes(`status ${status}`, () => ({ status })),
  ),
  disputes("due before any", () => ({ due_before: ago(1_000 * DAY_MS) })),
  disputes("deciding, of the merchant", () => ({ status: "deciding", turn: "merchant" })),
  ofStaff("first page", () => ({})),
  ...ofEachFilter(LIST_STAFF_DISPUTES.query, ofStaff),
  ofStaff("of the arbiter, due before any", () => ({ turn: "arbiter", due_before: ago(1_000 * DAY_MS) })),
  ...CASE,
  ...QUEUE,
  { name: "loop of clocks", run: (database) => listDueByClock(database, "test", [], 100) },
  { name: "loop of retention, nothing due", run: (database) => listKept(database, 3_650, [], 50) },
];
