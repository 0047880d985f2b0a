import { type JsonMember, parseJsonObject } from "../../domain/json.ts";
import { formatUnits } from "../../domain/money.ts";
import { symbolOf } from "../../domain/tokens.ts";
import type { IntentTexts } from "../../features/intents/fragments.ts";
import { readPrice, readQuote } from "../../features/intents/intent.ts";
import type { PaymentValue } from "../../features/rates/fragments.ts";
import type { EntryKind } from "../../features/rates/rate.ts";
import { type CellForm, CSV, type DayStyle, styleDay, textCell, type ZoneClock } from "./cells.ts";

/** A row of a list as it is sent to staff, with the decimals of its token and the texts of its intent. */
export interface ExportedRow {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Null: the row has no token, or the chain has not shown it yet. */
  readonly decimals: number | null;
  /** The source texts of JSON objects, in which no number is rounded; null: the list has none. */
  readonly intent: IntentTexts | null;
  /** The values of a payment; null: the list has none. */
  readonly values: readonly PaymentValue[] | null;
}

/** The form of an export: it turns rows into text, one after the other. */
export interface Layout {
  readonly begin: () => string;
  readonly add: (row: ExportedRow) => string;
  readonly end: () => string;
}

/** The members that are amounts in the smallest unit of the row's `asset`. */
const AMOUNTS = new Set(["amount", "refundTotal", "amountRefunded", "amountReleased"]);
/** The members that are times: a merchant's text may look like one, and stays as it is. */
const TIME_MEMBER = /(?:At|Deadline|^resolveBy|^quote\.(?:at|until))$/;

/** The members of prices and quotes that are decimal numbers. */
const DECIMAL_MEMBERS = new Set(["price.amount", "quote.rate", "quote.spread"]);

/** An amount in whole tokens, exact; empty if the token's decimals are not known. */
const wholeTokens = (units: unknown, decimals: number | null, form: CellForm): string =>
  typeof units !== "string" || decimals === null ? "" : form.number(formatUnits(units, decimals));

function valueCell(value: unknown, form: CellForm): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return form.number(String(value));
  if (typeof value === "boolean") return String(value);
  return form.text(typeof value === "string" ? value : JSON.stringify(value));
}

/** The cell of a member by its name. A time is never at risk: a spreadsheet shows it as one. */
const memberCell = (name: string, value: unknown, clock: ZoneClock, form: CellForm): string =>
  DECIMAL_MEMBERS.has(name) && typeof value === "string"
    ? form.number(value)
    : TIME_MEMBER.test(name) && typeof value === "string"
      ? textCell(clock.showTime(new Date(value)))
      : valueCell(value, form);

/** The columns of a list's rows in CSV, from the members of its example: an object's members are columns of their own. */
function columnsOf(example: object, clock: ZoneClock, form: CellForm) {
  type Cell = (row: ExportedRow) => string;
  const columns: { readonly name: string; readonly cell: Cell }[] = [];
  for (const [name, shown] of Object.entries(example)) {
    if (name === "object") continue;
    if (AMOUNTS.has(name) && "asset" in example) {
      columns.push({ name, cell: ({ fields, decimals }) => wholeTokens(fields[name], decimals, form) });
      columns.push({
        name: `${name}Units`,
        cell: ({ fields }) => (typeof fields[name] === "string" ? form.number(fields[name]) : ""),
      });
    } else if (typeof shown === "object" && shown !== null && !Array.isArray(shown))
      for (const member of Object.keys(shown))
        columns.push({
          name: `${name}.${member}`,
          cell: ({ fields }) =>
            memberCell(`${name}.${member}`, (fields[name] as Record<string, unknown> | null)?.[member], clock, form),
        });
    else columns.push({ name, cell: ({ fields }) => memberCell(name, fields[name], clock, form) });
    if (name === "asset")
      columns.push({ name: "symbol", cell: ({ fields }) => valueCell(symbolOf(String(fields.asset)), form) });
  }
  return columns;
}

/** The cells of members of the metadata. A number keeps its spelling. */
function metadataCells({ intent }: ExportedRow, keys: readonly string[], form: CellForm): string[] {
  if (keys.length === 0) return [];
  const members = parseJsonObject(intent?.metadata ?? "{}");
  return keys.map((key) => {
    const member = members.get(key);
    return typeof member?.value === "number"
      ? form.number(member.text)
      : valueCell(isWhole(member) ? member?.text : member?.value, form);
  });
}

/** True for an object or a list, which is one cell of JSON. */
const isWhole = (member: JsonMember | undefined): boolean => typeof member?.value === "object" && member.value !== null;

/** The columns of a value in the reporting currency (§13.23). */
const FIAT_NAMES = ["fiat_value", "fiat_currency", "fiat_rate", "fiat_source", "fiat_date"] as const;

const fiatCells = (value: PaymentValue | undefined, form: CellForm): string[] =>
  value === undefined
    ? FIAT_NAMES.map(() => "")
    : [
        form.number(value.value ?? ""),
        form.text(value.currency),
        form.number(value.rate ?? ""),
        valueCell(value.source, form),
        value.rateDay === null ? "" : textCell(value.rateDay),
      ];

const findValue = ({ values }: ExportedRow, kind: EntryKind): PaymentValue | undefined =>
  values?.find((one) => one.kind === kind);

/** The columns of the price of a payment's intent, and of its quote (§4.21). */
const PRICE_NAMES = [
  ...["price.currency", "price.amount"],
  ...["quote.rate", "quote.source", "quote.at", "quote.until", "quote.spread"],
] as const;

function priceCells({ intent }: ExportedRow, clock: ZoneClock, form: CellForm): string[] {
  const of = { price: readPrice(intent?.price ?? null), quote: readQuote(intent?.quote ?? null) };
  return PRICE_NAMES.map((path) => {
    const [object, member] = path.split(".") as ["price" | "quote", string];
    return memberCell(path, (of[object] as Readonly<Record<string, unknown>> | null)?.[member], clock, form);
  });
}

/** All members of all rows as CSV; those of payments with the price, and the value of what was paid. */
export function csvLayout(
  example: object,
  metadataKeys: readonly string[],
  clock: ZoneClock,
  hasValues: boolean,
  form: CellForm,
): Layout {
  const columns = columnsOf(example, clock, form);
  const moreNames = hasValues ? [...PRICE_NAMES, ...FIAT_NAMES] : [];
  const names = [...columns.map(({ name }) => name), ...moreNames, ...metadataKeys.map((key) => `metadata.${key}`)];
  return {
    begin: () => form.mark + form.line(names.map(textCell)),
    add: (row) =>
      form.line([
        ...columns.map(({ cell }) => cell(row)),
        ...(hasValues ? [...priceCells(row, clock, form), ...fiatCells(findValue(row, "payment"), form)] : []),
        ...metadataCells(row, metadataKeys, form),
      ]),
    end: () => "",
  };
}

const ownMembers = ({ payment: _, ...own }: PaymentValue) => own;

/** Each row as an object of JSON on a line of its own; the last line has their number. */
export function jsonLayout(): Layout {
  let rows = 0;
  return {
    begin: () => "",
    add: ({ fields, decimals, intent, values }) => {
      rows++;
      const all = {
        ...fields,
        ...(intent?.price == null ? {} : { price: readPrice(intent.price), quote: readQuote(intent.quote) }),
        ...(values === null || values.length === 0 ? {} : { values: values.map(ownMembers) }),
      };
      const text = JSON.stringify("asset" in fields ? { ...all, decimals } : all);
      return intent === null ? `${text}\n` : `${text.slice(0, -1)},"metadata":${intent.metadata}}\n`;
    },
    end: () => `${JSON.stringify({ object: "export_end", rows })}\n`,
  };
}

interface DaySums {
  readonly day: string;
  readonly asset: string;
  readonly decimals: number | null;
  payments: number;
  amount: bigint;
  amountReleased: bigint;
  amountRefunded: bigint;
}

/** A tenant's tokens and days are far fewer. */
const DAYS_MAX = 200_000;

/** The sums of payments by token and day of their creation, in the time zone; oldest first. */
export function daysLayout(clock: ZoneClock, form: CellForm): Layout {
  const days = new Map<string, DaySums>();
  return {
    begin: () =>
      form.mark +
      form.line(["day", "asset", "symbol", "payments", "amount", "amountReleased", "amountRefunded"].map(textCell)),
    add: ({ fields, decimals }) => {
      const { asset, createdAt } = fields as { asset: string; createdAt: string };
      const day = clock.showDay(new Date(createdAt));
      const key = `${day} ${asset}`;
      const sums = days.get(key) ?? {
        ...{ day, asset, decimals, payments: 0 },
        ...{ amount: 0n, amountReleased: 0n, amountRefunded: 0n },
      };
      sums.payments += 1;
      for (const name of ["amount", "amountReleased", "amountRefunded"] as const)
        sums[name] += BigInt(fields[name] as string);
      days.set(key, sums);
      if (days.size > DAYS_MAX) throw new Error("An export has more days and tokens than it can sum up.");
      return "";
    },
    end: () =>
      [...days.entries()]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { day, asset, decimals, payments, amount, amountReleased, amountRefunded }]) =>
          form.line([
            textCell(day),
            textCell(asset),
            valueCell(symbolOf(asset), form),
            String(payments),
            ...[amount, amountReleased, amountRefunded].map((units) => wholeTokens(String(units), decimals, form)),
          ]),
        )
        .join(""),
  };
}

const VALUE_NAMES = ["payment", "merchantReference", "kind", "occurredAt", "asset", "symbol", "amount", "amountUnits"];

/** A line for each movement of funds, with its value in the reporting currency. */
export function valuesLayout(clock: ZoneClock, form: CellForm): Layout {
  return {
    begin: () => form.mark + form.line([...VALUE_NAMES, ...FIAT_NAMES].map(textCell)),
    add: ({ fields, decimals, values }) => {
      const { id, merchantReference, asset } = fields as Record<"id" | "merchantReference" | "asset", string>;
      const lineOf = (one: PaymentValue) =>
        form.line([
          ...[id, merchantReference, one.kind].map(form.text),
          ...[clock.showTime(one.occurredAt), asset].map(textCell),
          valueCell(symbolOf(asset), form),
          wholeTokens(one.amount, decimals, form),
          form.number(one.amount),
          ...fiatCells(one, form),
        ]);
      return (values ?? []).map(lineOf).join("");
    },
    end: () => "",
  };
}

/** The columns of files that programs for bookkeeping read. */
const STATEMENTS = {
  xero: ["*Date", "*Amount", "Payee", "Description", "Reference"],
  quickbooks: ["Date", "Description", "Amount"],
} as const;
export type Statement = keyof typeof STATEMENTS;

/**
 * A line for each payment of which a part has left to the recipient: what the recipient's wallet received, and when. With a
 * currency, the amount is the value in it, and empty where there is none: a program refuses such a line, and no sum is wrong.
 */
export function statementLayout(
  statement: Statement,
  clock: ZoneClock,
  style: DayStyle,
  currency: string | null,
): Layout {
  return {
    begin: () => CSV.line(STATEMENTS[statement]),
    add: (row) => {
      const { fields, decimals } = row;
      const { amountReleased, settledAt } = fields as { amountReleased: string; settledAt: string | null };
      if (amountReleased === "0" || settledAt === null) return "";
      const day = styleDay(clock.showDay(new Date(settledAt)), style);
      const released = findValue(row, "release");
      const value = released?.currency === currency ? released?.value : null;
      const amount = currency === null ? wholeTokens(amountReleased, decimals, CSV) : (value ?? "");
      const { sender, merchantReference, id } = fields as Record<"sender" | "merchantReference" | "id", string>;
      return statement === "xero"
        ? CSV.line([day, amount, textCell(sender), textCell(merchantReference), textCell(id)])
        : CSV.line([day, textCell(`${merchantReference} ${id}`), amount]);
    },
    end: () => "",
  };
}
