import { periodOf } from "../../server/features/books/period.ts";
import { findCosts, listBooks, listFindings } from "../../server/features/books/queries.ts";
import { listAssets, listMatters, listWeeks } from "../../server/features/overview/queries.ts";
import { listValueSums, listValues } from "../../server/features/rates/fragments.ts";
import { ago, DAY_MS } from "./listPages.ts";
import type { Statement } from "./target.ts";

/** The only token of the history. */
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const day = (days: number): string => ago(days * DAY_MS).slice(0, 10);
const days = () => ({ today: day(0), monday: day(7), firstMonday: day(168) });
const year = () => periodOf(day(365), null, day(0));

/** What Home, the books and the values of a payment read. */
export const MONEY_PAGES: readonly Statement[] = [
  { name: "home: matters", run: (database, { tenant }) => listMatters(database, tenant) },
  { name: "home: tokens", run: (database, { tenant }) => listAssets(database, tenant, days(), 8) },
  { name: "home: weeks", run: (database, { tenant }) => listWeeks(database, tenant, USDC, days()) },
  { name: "books: a year", run: (database, { tenant }) => listBooks(database, tenant, year(), 20) },
  { name: "books: costs of a year", run: (database, { tenant }) => findCosts(database, tenant, year()) },
  { name: "books: findings", run: (database, { tenant }) => listFindings(database, tenant, 50) },
  { name: "books: values of a year", run: (database, { tenant }) => listValueSums(database, tenant, "EUR", year()) },
  {
    name: "payment: values",
    paid: true,
    run: (database, { tenant, payment }) => listValues(database, tenant, [payment!]),
  },
];
