import { AdminError, adminVerb, BUSINESS, ENVIRONMENT, maybe } from "../../edge/admin.ts";
import { listPaidTenants, rebuildDays } from "./rebuildQueries.ts";

const BUSINESSES_PER_READ = 100;

export const paymentDaysVerbs = [
  adminVerb({
    words: "payment-days rebuild",
    takes: { business: maybe(BUSINESS), environment: ENVIRONMENT },
    does: "Sums the payments by day anew, for Home and Books.",
    more: `For sums that books check found to differ. Without a business, it sums those of all of them, one after the other. Each is
one transaction, in which payments of that business wait to be recorded: it takes time in proportion to them.`,
    run: async ({ database, business, environment }) => {
      let rebuilt = 0;
      for (let after = ""; ; ) {
        const found =
          business === null ? await listPaidTenants(database, environment, after, BUSINESSES_PER_READ) : [business];
        for (const businessId of found)
          await database.transaction((db) => rebuildDays(db, { businessId, environment }));
        rebuilt += found.length;
        if (business !== null || found.length < BUSINESSES_PER_READ) break;
        after = found.at(-1)!;
      }
      if (rebuilt === 0) throw new AdminError(`No business has payments in ${environment}.`);
      return {
        result: { object: "payment_days", environment, businesses: rebuilt },
        text: `Businesses whose days were summed anew: ${rebuilt}.`,
      };
    },
  }),
];
