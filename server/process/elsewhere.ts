import { cellOfPaymentId } from "../domain/ids.ts";
import { findTenantsByPaymentId } from "../features/recording/decide/queries.ts";
import type { FindElsewhere } from "../features/recording/decide/record.ts";
import type { CellRun } from "./run.ts";

/**
 * Every cell reads the whole history of the operator account. A payment that a cell does not know is recorded by the cell to
 * which its payment id leads, unless cell 0 knows it: the ids of cell 0 are random, and lead anywhere.
 */
export function elsewhereFinder({ number, run: { cells, main } }: CellRun): FindElsewhere | undefined {
  if (cells.length === 1) return undefined;
  const leadsTo = (paymentId: string): number => {
    const cell = cellOfPaymentId(paymentId);
    return cell < cells.length ? cell : 0;
  };
  return async (environment, paymentIds) => {
    const elsewhere = new Set(paymentIds.filter((id) => leadsTo(id) !== number));
    const left = paymentIds.filter((id) => !elsewhere.has(id));
    if (number === 0 || left.length === 0) return elsewhere;
    const ofMain = await findTenantsByPaymentId(main.databases.slowDatabase, environment, left);
    return elsewhere.union(new Set(ofMain.keys()));
  };
}
