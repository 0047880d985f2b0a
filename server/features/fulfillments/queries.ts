import type { Db } from "../../store/database.ts";
import { insertion } from "../../store/table.ts";
import { FULFILLMENTS, type Fulfillment } from "./fulfillment.ts";

const insertFulfillments = insertion(FULFILLMENTS);

/** Adds a fulfillment, under the lock of its intent. */
export const insertFulfillment = (db: Db, fulfillment: Fulfillment) => db.rows(insertFulfillments([fulfillment]));
