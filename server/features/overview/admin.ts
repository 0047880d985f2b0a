import { ENVIRONMENTS } from "../../domain/terms.ts";
import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, parseChoice, TEXT } from "../../edge/admin.ts";
import { listPaidTenants, rebuildDays } from "./rebuildQueries.ts";

export const paymentDaysVerbs: readonly AdminVerb[] = [
  {
    usage: "payment-days rebuild [<business id>] [--environment test|live]",
    does: "Sums the payments by day anew, for Home and Books.",
    more: `For sums that books check found to differ. Without a business, it sums those of all of them, one after the other. Each is
one transaction, in which payments of that business wait to be recorded: it takes time in proportion to them.`,
    options: { environment: TEXT },
    run: rebuild,
  },
];

const BUSINESSES_PER_READ = 100;

async function rebuild({ database, positionals: [only], options }: AdminCall): Promise<AdminAnswer> {
  const environment = parseChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  let rebuilt = 0;
  for (let after = ""; ; ) {
    const found =
      only === undefined ? await listPaidTenants(database, environment, after, BUSINESSES_PER_READ) : [only];
    for (const businessId of found) await database.transaction((db) => rebuildDays(db, { businessId, environment }));
    rebuilt += found.length;
    if (only !== undefined || found.length < BUSINESSES_PER_READ) break;
    after = found.at(-1)!;
  }
  if (rebuilt === 0) throw new AdminError(`No business has payments in ${environment}.`);
  return {
    result: { object: "payment_days", environment, businesses: rebuilt },
    text: `Businesses whose days were summed anew: ${rebuilt}.`,
  };
}
