import type { Actor, Tenant } from "../../../domain/callers.ts";
import { ApiError, invalid } from "../../../domain/errors.ts";
import type { Quote } from "../../../domain/price.ts";
import { WELL_KNOWN_TOKENS } from "../../../domain/tokens.ts";
import { readNow } from "../../../store/clock.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { listKnownAssets } from "../../chains/fragments.ts";
import type { Context } from "../../context.ts";
import { createAll, LIFETIME_MS, prepareIntent } from "../actions.ts";
import type { Intent, NewIntent } from "../intent.ts";
import { findIntents } from "../queries.ts";
import { type Defaults, hashOf, parseRows, type RowError, type WrittenRow } from "./batch.ts";
import { findBatch, saveBatch } from "./queries.ts";

/** Rows that were created, now or before, or that could be; or the errors of those that cannot. */
export interface BatchResult {
  readonly errors: readonly RowError[];
  /** Empty if there are errors. */
  readonly intents: readonly Intent[];
  /** True if the same rows were created before: nothing is created again. */
  readonly isRepeated: boolean;
}

/** The tokens and wallets that one file may name: each may need a read of the chain. */
const NAMED_MAX = 20;

class TriedError extends Error {
  override readonly name = "TriedError";
  readonly intents: readonly Intent[];

  constructor(intents: readonly Intent[]) {
    super("Nothing is created by a try.");
    this.intents = intents;
  }
}

class RepeatedError extends Error {
  override readonly name = "RepeatedError";
}

/** Creates an intent for each row of a file, or for none (§13.18.5). With `isTry`, only says what would happen. */
export async function createBatch(
  ctx: Context,
  actor: Actor,
  tenant: Tenant,
  file: Defaults & { readonly csv: string; readonly isTry: boolean },
): Promise<BatchResult> {
  // A symbol names one of the well-known tokens that the chain has shown.
  const known = await listKnownAssets(ctx.database, tenant.environment, WELL_KNOWN_TOKENS);
  const tokens = known.map(({ address }) => address);
  const { rows, errors } = parseRows(file.csv, file, tokens);
  if (errors.length > 0) return { errors, intents: [], isRepeated: false };
  const { terms, refused } = await prepareRows(ctx, tenant, rows);
  if (refused.length > 0) return { errors: refused, intents: [], isRepeated: false };
  const hash = hashOf(terms);
  const earlier = await findEarlier(ctx, tenant, hash);
  if (earlier !== null) return earlier;
  try {
    const made = await createAll(ctx, tenant, terms, async (db, intents) => {
      // A try does all that a creation does, and takes it back.
      if (file.isTry) throw new TriedError(intents);
      const [{ createdAt }] = intents as readonly [Intent];
      const batch = { hash, intentIds: intents.map(({ id }) => id), createdAt };
      if (!(await saveBatch(db, tenant, batch, new Date(createdAt.getTime() - LIFETIME_MS)))) throw new RepeatedError();
      const details = { count: intents.length };
      await db.rows(recordAudit(actor, { ...tenant, action: "intents.created", target: intents[0]!.id, details }));
    });
    if ("intents" in made) return { errors: [], intents: made.intents, isRepeated: false };
    // Another upload of the same rows may have been faster: its intents hold the references.
    const winner = await findEarlier(ctx, tenant, hash);
    if (winner !== null) return winner;
    const refusals = made.refused.map(({ ordinal, error }) => ({ line: rows[ordinal]!.line, message: error.message }));
    return { errors: refusals, intents: [], isRepeated: false };
  } catch (error) {
    if (error instanceof TriedError) return { errors: [], intents: error.intents, isRepeated: false };
    const winner = error instanceof RepeatedError ? await findEarlier(ctx, tenant, hash) : null;
    if (winner === null) throw error;
    return winner;
  }
}

/** The intents that the same rows led to within their lifetime; null if they did not. */
async function findEarlier({ database }: Context, tenant: Tenant, hash: Buffer): Promise<BatchResult | null> {
  const now = await readNow(database, tenant.environment);
  const ids = await findBatch(database, tenant, hash, new Date(now.getTime() - LIFETIME_MS));
  if (ids === null) return null;
  const found = await findIntents(
    database,
    ids.map((id) => ({ tenant, id })),
  );
  return { errors: [], intents: found.flatMap((one) => (one === null ? [] : [one.intent])), isRepeated: true };
}

/**
 * Checks a token and a wallet once for all rows that name them: while the chain is away, each check waits for it. A token is
 * quoted once too, and only at par: people send these links, and a quote of minutes would end before they are paid.
 */
function checkOnce({ checkTerms, findQuote }: Context): Pick<Context, "checkTerms" | "findQuote"> {
  const checked = new Set<string>();
  const quotes = new Map<string, Promise<Quote>>();
  return {
    checkTerms: async (tenant, terms, beforeRead) => {
      const named = `${terms.asset} ${terms.recipient}`;
      if (checked.has(named)) return;
      await checkTerms(tenant, terms, beforeRead);
      checked.add(named);
    },
    findQuote: async (currency, asset, now) => {
      const named = `${currency} ${asset}`;
      const found = quotes.get(named) ?? findQuote(currency, asset, now);
      quotes.set(named, found);
      const quote = await found;
      if (quote.source !== "par")
        throw invalid(
          "price",
          `The token is not at par with ${currency}, so its quote ends in 15 minutes. Create such a payment alone.`,
        );
      return quote;
    },
  };
}

async function prepareRows(given: Context, tenant: Tenant, rows: readonly WrittenRow[]) {
  const ctx = { ...given, ...checkOnce(given) };
  const refused: RowError[] = [];
  const terms: NewIntent[] = [];
  const named = new Set<string>();
  for (const { line, terms: written } of rows) {
    named.add(written.asset).add(written.recipient);
    if (named.size > NAMED_MAX) {
      refused.push({ line, message: `A file may name ${NAMED_MAX} tokens and wallets. Split it.` });
      break;
    }
    try {
      terms.push(await prepareIntent(ctx, tenant, written));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "invalid_request") throw error;
      refused.push({ line, message: error.message });
    }
  }
  return { terms, refused };
}
