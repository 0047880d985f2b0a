import type { Tenant, Visitor } from "../../domain/callers.ts";
import { invalid } from "../../domain/errors.ts";
import { PAGE_LIMIT_MAX } from "../../domain/limits.ts";
import type { JsonText } from "../../domain/show.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import type { JsonAnswer } from "../../edge/http/declaration.ts";
import { queryParser } from "../../edge/http/parameters.ts";
import type { ReadCall, ReadRoute, Reply, Route } from "../../edge/http/route.ts";
import { recordAudit } from "../../features/audit/fragments.ts";
import { findReporting, type Reporting } from "../../features/businesses/fragments.ts";
import { listDecimals } from "../../features/chains/fragments.ts";
import type { Context } from "../../features/context.ts";
import { type IntentTexts, listIntentTexts } from "../../features/intents/fragments.ts";
import { listValues } from "../../features/rates/fragments.ts";
import { isSessionOpen } from "../../features/staff/signIn/admission.ts";
import type { Database, Db } from "../../store/database.ts";
import { CSV, spreadsheetForm, zoneClock } from "./cells.ts";
import {
  csvLayout,
  daysLayout,
  type ExportedRow,
  jsonLayout,
  type Layout,
  statementLayout,
  valuesLayout,
} from "./layouts.ts";
import { ReaderPace, UnderWay } from "./places.ts";
import { declareExport, EXPORT_PARAMETERS, type ExportOptions, OF_PAGES } from "./schema.ts";

/** An export that takes longer is cut off. */
const EXPORT_MS_MAX = 900_000;
/** The lists whose rows have an intent with metadata: the member that names it. */
const INTENT_MEMBER: Readonly<Record<string, string>> = { listPayments: "intent", listPaymentIntents: "id" };
const PAYMENTS = "listPayments";

const { format, decimal, time_zone, metadata } = EXPORT_PARAMETERS;
const ofEvery = { format, decimal, time_zone };
const parametersOf = (operationId: string) =>
  operationId === PAYMENTS ? EXPORT_PARAMETERS : operationId in INTENT_MEMBER ? { ...ofEvery, metadata } : ofEvery;

interface ListPart {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly hasMore: boolean;
  readonly next?: string | null;
}

type Call = ReadCall<Visitor, URLSearchParams>;
type ListRoute = ReadRoute<Visitor>;

const isList = (route: Route<Visitor>): route is ListRoute =>
  route.method === "GET" && route.docs.query?.starting_after !== undefined && route.path.includes("/:business/");

/** An export for each list of a business that goes on page by page. */
export function exportRoutes(routes: readonly Route<Visitor>[], ctx: Context): Route<Visitor>[] {
  const underWay = new UnderWay();
  return routes.filter(isList).map((list): ListRoute => {
    const own = parametersOf(list.docs.operationId);
    return {
      method: "GET",
      path: `${list.path}/export`,
      docs: declareExport(list.docs, own),
      run: (call) => answerExport(list, own, call, ctx, underWay),
    };
  });
}

async function answerExport(
  list: ListRoute,
  own: Partial<typeof EXPORT_PARAMETERS>,
  call: Call,
  ctx: Context,
  underWay: UnderWay,
): Promise<Reply> {
  const [options, filters] = [new URLSearchParams(), new URLSearchParams()];
  for (const [name, value] of call.input) (name in own ? options : filters).append(name, value);
  // The list itself says who may read it, and refuses a wrong filter.
  const read = (after: string | null) => readPart(list, call, filters, after);
  const first = await read(null);
  const page = OF_PAGES.find((name) => filters.has(name));
  if (page !== undefined) throw invalid(page, "An export has all rows. Leave this parameter out.");
  const chosen = { ...queryParser(EXPORT_PARAMETERS)(options) };
  const reporting = await findReporting(ctx.slowDatabase, call.params.business!);
  const layout = layoutOf(list, chosen, filters, reporting);
  const staff = call.caller.staff!;
  const tenant = tenantOf(call);
  const end = underWay.begin({ userId: staff.userId, businessId: call.params.business! });
  try {
    await ctx.database.rows(recordAudit(staff.actor, describeExport(list, call, chosen, filters)));
  } catch (error) {
    end();
    throw error;
  }
  const describe = rowDescriber(ctx.slowDatabase, tenant, list);
  // The list reads the member's role anew for each page. A session that was ended ends its exports as well.
  const readOn = async (after: string) => {
    if (!(await isSessionOpen(ctx.slowDatabase, staff))) throw new Error("The session of an export has ended.");
    return read(after);
  };
  return {
    status: 200,
    body: layout.begin() as JsonText,
    headers: {
      "content-type": chosen.format === "jsonl" ? "application/x-ndjson; charset=utf-8" : "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${exportName(list, chosen, reporting)}"`,
    },
    rest: writeRows({ first, read: readOn, layout, describe, end }),
  };
}

async function readPart(
  list: ListRoute,
  call: Call,
  filters: URLSearchParams,
  after: string | null,
): Promise<ListPart> {
  const input = new URLSearchParams(filters);
  if (after !== null) input.set("starting_after", after);
  if (!input.has("limit")) input.set("limit", String(PAGE_LIMIT_MAX));
  const { body } = await list.run({ ...call, input });
  return JSON.parse(body) as ListPart;
}

interface Writing {
  readonly first: ListPart;
  readonly read: (after: string) => Promise<ListPart>;
  readonly layout: Layout;
  readonly describe: (rows: ListPart["data"]) => Promise<ExportedRow[]>;
  /** Called at the end, however it ends. */
  readonly end: () => void;
}

/** The text of the rows, page by page: no more than a page is in memory, and no statement lasts longer than one. */
async function* writeRows({ first, read, layout, describe, end }: Writing): AsyncGenerator<string> {
  const endsAt = performance.now() + EXPORT_MS_MAX;
  const pace = new ReaderPace();
  try {
    for (let part = first; ; ) {
      if (performance.now() > endsAt) throw new Error("The export took too long.");
      const rows = await describe(part.data);
      const text = rows.map((row) => layout.add(row)).join("");
      const offeredAt = performance.now();
      yield text;
      pace.add(text.length, performance.now() - offeredAt);
      const after = part.next === undefined ? part.data.at(-1)?.id : part.next;
      if (!part.hasMore || after === undefined || after === null) break;
      part = await read(String(after));
    }
    yield layout.end();
  } finally {
    end();
  }
}

const ASSETS_KEPT_MAX = 10_000;
const NO_TEXTS: IntentTexts = { metadata: "{}", price: null, quote: null };

/** Makes the function that adds to rows the decimals of their tokens and the texts of their intents. */
function rowDescriber(db: Database, tenant: Tenant | null, { docs }: ListRoute) {
  const decimals = new Map<string, number | null>();
  const member = INTENT_MEMBER[docs.operationId];
  return async (rows: ListPart["data"]): Promise<ExportedRow[]> => {
    if (tenant === null) return rows.map((fields) => ({ fields, decimals: null, intent: null, values: null }));
    const assets = [...new Set(rows.map(({ asset }) => asset).filter((asset) => typeof asset === "string"))];
    const fresh = assets.filter((asset) => !decimals.has(asset));
    if (decimals.size > ASSETS_KEPT_MAX) decimals.clear();
    if (fresh.length > 0) {
      const found = await listDecimals(db, tenant.environment, fresh);
      for (const asset of fresh) decimals.set(asset, found.get(asset) ?? null);
    }
    const intents = member === undefined ? [] : [...new Set(rows.map((row) => String(row[member])))];
    const values = docs.operationId === PAYMENTS ? await readValues(db, tenant, rows) : null;
    const found = intents.length === 0 ? new Map<string, IntentTexts>() : await listIntentTexts(db, tenant, intents);
    return rows.map((fields) => ({
      fields,
      decimals: decimals.get(String(fields.asset)) ?? null,
      intent: member === undefined ? null : (found.get(String(fields[member])) ?? NO_TEXTS),
      values: values === null ? null : (values.get(String(fields.id)) ?? []),
    }));
  };
}

const readValues = async (db: Db, tenant: Tenant, rows: ListPart["data"]) =>
  Map.groupBy(
    await listValues(
      db,
      tenant,
      rows.map(({ id }) => String(id)),
    ),
    ({ payment }) => payment,
  );

function layoutOf(
  list: ListRoute,
  options: ExportOptions,
  filters: URLSearchParams,
  { currency, timeZone: ownZone }: Reporting,
): Layout {
  const { format, decimal, timeZone, metadata, layout, dates, amounts } = options;
  if (decimal !== null && format !== "spreadsheet") throw invalid("decimal", "It is for format=spreadsheet.");
  const form = format === "spreadsheet" ? spreadsheetForm(decimal ?? "point") : CSV;
  const clock = zoneClock(timeZone ?? ownZone ?? "UTC");
  switch (layout ?? "rows") {
    case "days":
      if (format === "jsonl") throw invalid("format", "Sums by day are CSV.");
      return daysLayout(clock, form);
    case "values":
      if (format === "jsonl") throw invalid("format", "This file is CSV. JSON Lines of payments have their values.");
      return valuesLayout(clock, form);
    case "xero":
    case "quickbooks":
      if (format === "jsonl" || format === "spreadsheet") throw invalid("format", "This file is CSV.");
      if (!filters.has("asset")) throw invalid("asset", "Choose one token: such a file is in one currency.");
      if (amounts === "fiat" && currency === null)
        throw invalid("amounts", "Choose a reporting currency in the profile first.");
      return statementLayout(
        layout as "xero" | "quickbooks",
        clock,
        dates ?? "ymd",
        amounts === "fiat" ? currency : null,
      );
    default: {
      const { data } = exampleOf(list);
      return format === "jsonl"
        ? jsonLayout()
        : csvLayout(data[0]!, metadata, clock, list.docs.operationId === PAYMENTS, form);
    }
  }
}

const exampleOf = ({ docs: { success } }: ListRoute) =>
  (success as JsonAnswer).example as { readonly data: readonly object[] };

/** The tenant of the path; null for a list of the business as a whole. The list has checked both. */
function tenantOf({ params }: Call): Tenant | null {
  const environment = ENVIRONMENTS.find((one) => one === params.environment);
  return environment === undefined ? null : { businessId: params.business!, environment };
}

const describeExport = (
  { docs }: ListRoute,
  call: Call,
  { format, layout }: ExportOptions,
  filters: URLSearchParams,
) => ({
  businessId: call.params.business!,
  environment: tenantOf(call)?.environment ?? null,
  action: "list.exported" as const,
  target: null,
  details: {
    list: docs.operationId.replace(/^list/, ""),
    format: layout === null || layout === "rows" ? (format ?? "csv") : layout,
    filters: String(filters),
  },
});

/** The name says the zone of a file's times, where it is not UTC. */
const exportName = ({ docs }: ListRoute, { format, layout, timeZone }: ExportOptions, reporting: Reporting): string => {
  const noun = docs.operationId
    .replace(/^list/, "")
    .replaceAll(/(?<!^)[A-Z]/g, "-$&")
    .toLowerCase();
  const what = layout === null || layout === "rows" ? noun : `${noun}-${layout}`;
  if (format === "jsonl") return `${what}.jsonl`;
  const zone = timeZone ?? reporting.timeZone ?? "UTC";
  return zone === "UTC" ? `${what}.csv` : `${what}-${zone.replaceAll("/", "-")}.csv`;
};
