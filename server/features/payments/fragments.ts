import { type Sql, sql } from "../../store/sql.ts";
import { jsonReader, jsonRow } from "../../store/table.ts";
import { PAYMENTS, type Payment } from "./payment.ts";

/** The payment `p` of an outer join as one JSON value, or null. Parse it with {@link readPaymentJson}. */
export const PAYMENT_JSON: Sql = sql`case when p.address is not null then ${jsonRow("p", PAYMENTS.columns)} end`;

const readJson = jsonReader(PAYMENTS.columns);
export const readPaymentJson = (json: Record<string, unknown> | null): Payment | null =>
  json === null ? null : readJson(json);

/** Joins the primary payment `p` of each intent `i` to a FROM. */
export const PRIMARY_OF_I: Sql = sql`left join payments p on p.business_id = i.business_id and p.address = i.payment_address`;

/** {@link PRIMARY_OF_I} with one look-up per intent ("offset 0" is a fence). */
export const PRIMARY_OF_EACH_I: Sql = sql`left join lateral (
      select * from payments p
      where i.payment_address is not null and p.business_id = i.business_id and p.address = i.payment_address offset 0) p on true`;
