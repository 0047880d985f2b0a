import { readFileSync } from "node:fs";

const MIGRATION = new URL("../../store/migrations/0014_payment_days.sql", import.meta.url);
const text = readFileSync(MIGRATION, "utf8");
const start = text.indexOf("insert into payment_days");

/** The statement with which the migration filled the table from the payments. */
export const FILL_DAYS = text.slice(start, text.indexOf(";", start));
