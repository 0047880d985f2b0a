import type { Sealing } from "../../domain/sealing.ts";
import { adminVerb } from "../../edge/admin.ts";
import type { Database } from "../../store/database.ts";
import { listReceiptKeys, rotateReceiptKey } from "./actions.ts";

/** The commands `npm run admin -- receipt-key …`. */
export const receiptVerbs = (loadSealing: (database: Database) => Promise<Sealing>) => [
  adminVerb({
    words: "receipt-key rotate",
    does: "Signs receipts with a new key from now on. Earlier keys stay published, so receipts that they signed stay valid.",
    run: async ({ database }) => {
      const { id, retired } = await rotateReceiptKey(database, await loadSealing(database));
      const before = retired === null ? "It is the first one." : `${retired} is retired, and its secret is deleted.`;
      return { result: { object: "receipt_key", id, retired }, text: `The key ${id} signs receipts now. ${before}` };
    },
  }),
  adminVerb({
    words: "receipt-key list",
    does: "Lists the keys of receipts, the newest first.",
    run: async ({ database }) => {
      const data = await listReceiptKeys(database);
      const lines = data.map(
        ({ kid, createdAt, retiredAt }) => `${kid}  from ${createdAt}${retiredAt === null ? "" : ` to ${retiredAt}`}`,
      );
      return { result: { object: "list", data }, text: lines.length === 0 ? "There is no key yet." : lines.join("\n") };
    },
  }),
];
