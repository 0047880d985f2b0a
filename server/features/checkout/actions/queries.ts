import { isAddress } from "../../../domain/addresses.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { ActedPayment } from "../../paymentActions/paymentAction.ts";
import { paymentAt } from "../../payments/fragments.ts";

/** The payment at an address, which establishes the business: a receipt's link names none. Null if none is recorded. */
export const findPaymentByAddress = (db: Db, address: string): Promise<ActedPayment | null> =>
  isAddress(address)
    ? db.row<ActedPayment>(sql`select p.* from (${paymentAt(address)}) p limit 1`)
    : Promise.resolve(null);
