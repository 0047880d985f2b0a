import { type Columns, compactRow, readCompact } from "../../store/compact.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { type Payment, type PaymentRow, readPaymentRow } from "./payment.ts";

const COLUMNS: Columns<PaymentRow> = {
  business_id: "plain",
  environment: "plain",
  address: "plain",
  intent_id: "plain",
  role: "plain",
  status: "plain",
  sender: "plain",
  recipient: "plain",
  amount: "digits",
  asset: "plain",
  protection_period: "plain",
  merchant_reference: "plain",
  late_reason: "plain",
  signature: "plain",
  created_at: "time",
  protection_deadline: "time",
  disputed_at: "time",
  settled_at: "time",
  refunded_at: "time",
  checked_at: "time",
  amount_released: "digits",
  amount_refunded: "digits",
  refund_total: "digits",
  outcome: "plain",
  arbiter: "plain",
  terms_hash: "plain",
};

/** The payment `p` of an outer join as one JSON value, or null; to be read with {@link readPaymentJson}. */
export const PAYMENT_JSON: Sql = sql`case when p.address is not null then ${compactRow("p", COLUMNS)} end`;

const read = readCompact(COLUMNS);
export const readPaymentJson = (json: Record<string, unknown> | null): Payment | null =>
  json === null ? null : readPaymentRow(read(json));
