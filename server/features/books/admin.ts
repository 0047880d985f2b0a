import { setTimeout as sleep } from "node:timers/promises";
import type { OpenChainTool } from "../../chain/tool.ts";
import type { Environment } from "../../domain/terms.ts";
import { type AdminAnswer, AdminError, adminVerb, BUSINESS, ENVIRONMENT, maybe } from "../../edge/admin.ts";
import type { Database } from "../../store/database.ts";
import { type CheckDeps, checkBooks, describeFinding } from "./check.ts";
import { type Comparison, WAITS_MS } from "./compare.ts";
import { claimTenant, listPaidBusinesses } from "./queries.ts";

export const booksVerbs = (openTool: OpenChainTool) => [
  adminVerb({
    words: "books check",
    takes: { business: maybe(BUSINESS), environment: ENVIRONMENT },
    does: "Compares the books with the chain: each open payment's record and vault, and the sums of days.",
    more: `Without a business, it compares the books of all of them, one after the other. A vault has to hold at least what is still
to leave. One that holds more has a gift, which is no difference. Exits with 1 if there is a difference. The service does
the same every night; the result is shown on the page Books.`,
    run: async ({ database, business, environment }) => {
      const { reader } = await openTool({ environment, ofAuthority: null, unitPrice: 0n });
      return check({ database, reader, waitsMs: WAITS_MS, log: () => undefined }, business, environment);
    },
  }),
];

const BUSINESSES_PER_READ = 100;
/** The time for the comparison of one business, and the wait for another worker that makes it. */
const CHECK_MS = 540_000;
const CLAIM_TRIES_MAX = 30;
const CLAIM_WAIT_MS = 2_000;

async function check(deps: CheckDeps, only: string | null, environment: Environment): Promise<AdminAnswer> {
  const results: { readonly business: string; readonly comparison: Comparison }[] = [];
  for await (const business of only === null ? eachPaid(deps.database, environment) : [only])
    results.push({ business, comparison: await checkOne(deps, business, environment) });
  const differences = results.reduce((sum, { comparison }) => sum + comparison.differences, 0);
  const lines = results.flatMap(({ business, comparison: { assets, findings } }) => [
    ...assets.map(
      ({ asset, payments, held, vaults, slotMin, slotMax }) =>
        `${business}  ${asset}  ${payments} open payments  ${held} by the books  ${vaults} in the vaults  slots ${slotMin} to ${slotMax}`,
    ),
    ...findings.map((finding) => `${business}  ${finding.kind}  ${describeFinding(finding)}`),
  ]);
  const data = results.map(({ business, comparison }) => ({
    object: "books_check",
    business,
    environment,
    ...comparison,
  }));
  const sum = `Businesses compared: ${results.length}. Differences: ${differences}.`;
  return { result: { object: "list", data }, text: [...lines, sum].join("\n"), failed: differences > 0 };
}

async function* eachPaid(database: Database, environment: Environment): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const found = await listPaidBusinesses(database, environment, after, BUSINESSES_PER_READ);
    for (const { id } of found) yield id;
    if (found.length < BUSINESSES_PER_READ) return;
    after = found.at(-1)!.id;
  }
}

async function checkOne(deps: CheckDeps, businessId: string, environment: Environment): Promise<Comparison> {
  const tenant = { businessId, environment };
  for (let tries = 1; tries <= CLAIM_TRIES_MAX; tries++) {
    const lease = await claimTenant(deps.database, tenant);
    const comparison = lease === null ? null : await checkBooks(deps, tenant, lease, AbortSignal.timeout(CHECK_MS));
    if (comparison !== null) return comparison;
    await sleep(CLAIM_WAIT_MS);
  }
  throw new AdminError(`The service compares the books of ${businessId} now. Try again in a few minutes.`);
}
