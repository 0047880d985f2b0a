import type { Db } from "../../../store/database.ts";
import { CHAIN } from "../../chains/fragments.ts";
import { intentReader } from "../../intents/fragments.ts";
import { PAYMENTS_OF_INTENT } from "../../payments/fragments.ts";
import { PAYABLE } from "../paying/queries.ts";

const readOrders = intentReader({ ...PAYABLE, chain: CHAIN, payments: PAYMENTS_OF_INTENT });

/** An intent that the holder of its link pays by x402, with its payments. The link establishes the business: it names none. */
export async function findOrder(db: Db, intentId: string) {
  const [found] = await readOrders(db, [intentId]);
  if (found === undefined) return null;
  const { token, chain, ...others } = found;
  return { ...others, ...token, ...chain };
}
export type Order = NonNullable<Awaited<ReturnType<typeof findOrder>>>;
