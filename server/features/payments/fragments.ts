import { type Sql, sql } from "../../store/sql.ts";
import { jsonReader, jsonRow } from "../../store/table.ts";
import { PAYMENTS, type Payment } from "./payment.ts";

/** The payment `p` of an outer join as one JSON value, or null; to be read with {@link readPaymentJson}. */
export const PAYMENT_JSON: Sql = sql`case when p.address is not null then ${jsonRow("p", PAYMENTS.columns)} end`;

const readJson = jsonReader(PAYMENTS.columns);
export const readPaymentJson = (json: Record<string, unknown> | null): Payment | null =>
  json === null ? null : readJson(json);
