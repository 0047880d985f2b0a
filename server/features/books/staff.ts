import type { Tenant, Visitor } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { symbolOf } from "../../domain/tokens.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { done } from "../../edge/staff/answers.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, memberWrite, STALE, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { Database } from "../../store/database.ts";
import { findReporting } from "../businesses/fragments.ts";
import type { Context } from "../context.ts";
import { listValuedRefunds, listValueSums, type ValueSum } from "../rates/fragments.ts";
import type { EntryKind } from "../rates/rate.ts";
import { periodOf } from "./period.ts";
import {
  askForComparison,
  type BooksRow,
  findCheckState,
  findCosts,
  listBooks,
  listFindings,
  listUnmatchedSums,
  type ShownFinding,
} from "./queries.ts";
import { BOOKS_ASSET, type BooksQuery, CHECK_BOOKS, FINDING, GET_BOOKS, UNMATCHED_SUM } from "./schema.ts";

const ASSETS_MAX = 20;
const FINDINGS_MAX = 50;

/** §13.19. */
export const booksRoutes = ({ slowDatabase: db }: Context): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/books`, GET_BOOKS, async ({ caller, params, input }) =>
    ok(showObject(await readBooks(db, tenantOf(caller, params), input))),
  ),
  memberWrite("compare_books", "POST", `${IN_TENANT}/books/check`, CHECK_BOOKS, STALE, async ({ caller, params }) => {
    await askForComparison(db, tenantOf(caller, params));
    return done;
  }),
];

async function readBooks(db: Database, tenant: Tenant, { from, until }: BooksQuery) {
  const at = await readNow(db, tenant.environment);
  const today = at.toISOString().slice(0, 10);
  const period = periodOf(from, until, today);
  // One after the other, as Home does: a page takes one of the few connections for slow reads.
  const assets = await listBooks(db, tenant, period, ASSETS_MAX);
  const { currency } = await findReporting(db, tenant.businessId);
  const values = {
    sums: currency === null ? [] : await listValueSums(db, tenant, currency, period),
    refunds: currency === null ? [] : await listValuedRefunds(db, tenant, currency, period),
  };
  const unmatched = await listUnmatchedSums(db, tenant, period);
  const findings = await listFindings(db, tenant, FINDINGS_MAX);
  const state = await findCheckState(db, tenant);
  return {
    object: "books",
    at,
    today,
    assets: assets.slice(0, ASSETS_MAX).map((row) => describeAsset(row, currency, values)),
    hasMoreAssets: assets.length > ASSETS_MAX,
    unmatched: unmatched.map((row) => UNMATCHED_SUM.show({ ...row, symbol: symbolOf(row.asset) })),
    costs: await findCosts(db, tenant, period),
    checkedAt: state?.checkedAt ?? null,
    isChecking: state?.isUnderWay ?? false,
    differences: state?.differences ?? 0,
    findings: findings.slice(0, FINDINGS_MAX).map(describeFinding),
    hasMoreFindings: findings.length > FINDINGS_MAX,
  };
}

const describeAsset = (
  { payments, held, vaults, gifts, giftPayments, slotMin, slotMax, ...row }: BooksRow,
  currency: string | null,
  values: Values,
) =>
  BOOKS_ASSET.show({
    ...row,
    symbol: symbolOf(row.asset),
    values: currency === null ? null : describeValues(row.asset, currency, values),
    comparison:
      payments === null
        ? null
        : {
            payments,
            held: held!,
            vaults: vaults!,
            gifts: gifts!,
            giftPayments: giftPayments!,
            slotMin,
            slotMax,
          },
  });

interface Values {
  readonly sums: readonly ValueSum[];
  readonly refunds: readonly { readonly asset: string; readonly payments: number }[];
}

function describeValues(asset: string, currency: string, { sums, refunds }: Values) {
  const of = (kind: EntryKind) =>
    sums.find((one) => one.asset === asset && one.kind === kind) ?? { value: "0", entries: 0 };
  const [paid, released, refunded] = [of("payment"), of("release"), of("refund")];
  return {
    currency,
    paid: paid.value,
    paidPayments: paid.entries,
    released: released.value,
    releasedPayments: released.entries,
    refunded: refunded.value,
    refundedParts: refunded.entries,
    refundedPayments: refunds.find((one) => one.asset === asset)?.payments ?? 0,
  };
}

const describeFinding = (row: ShownFinding) =>
  FINDING.show({ ...row, payment: row.payment === "" ? null : row.payment, symbol: symbolOf(row.asset) });
