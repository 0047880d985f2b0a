import type { Actor, Tenant } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { INTENT_LIFETIME_MINUTES_MAX } from "../../domain/limits.ts";
import { isAmount, type TokenAmount, unitsOf } from "../../domain/money.ts";
import type { Price } from "../../domain/price.ts";
import { readNow } from "../../store/clock.ts";
import type { Database, Db } from "../../store/database.ts";
import { recordAudit } from "../audit/fragments.ts";
import type { Context } from "../context.ts";
import {
  draftCreation,
  insertIntents,
  quoteAmount,
  RECIPIENT_NOT_SAVED,
  REFERENCE_IN_USE,
  TRIES_MAX,
} from "./createIntent.ts";
import type { Intent, NewIntent, Offered } from "./intent.ts";
import { findReferenceHolder } from "./queries.ts";

/** §13.18.2: a link that a person sends is paid later than one that a shop opens at once. */
export const LIFETIME_MS = INTENT_LIFETIME_MINUTES_MAX * 60_000;

/** The terms as people write them: the amount in whole tokens, or a price. */
export type WrittenTerms = Pick<
  NewIntent,
  "recipient" | "asset" | "protectionPeriod" | "merchantReference" | "description"
> &
  ({ readonly amount: TokenAmount; readonly price: null } | { readonly amount: null; readonly price: Price });

/** The fields of a body of which one is null, as {@link WrittenTerms} has them. */
export const amountOrPrice = (amount: TokenAmount | null, price: Price | null) =>
  price === null ? { amount: amount!, price } : { amount: null, price };

/**
 * Checks terms as a create does. Throws `invalid_request`, or `unavailable` if the chain is needed and away, or a rate is
 * and none is fresh.
 */
export async function prepareIntent(ctx: Context, tenant: Tenant, written: WrittenTerms): Promise<NewIntent> {
  const { amount, price, ...others } = written;
  const asset = await ctx.findAsset(tenant, others.asset);
  if (asset === null)
    throw invalid(
      "asset",
      `There is no SPL Token or Token-2022 mint at this address on the ${tenant.environment} chain.`,
    );
  const rest = { metadata: "{}", returnUrl: null, locale: null, sealedEmail: null } as const;
  const units = amount === null ? null : unitsOf(amount, asset.decimals);
  if (amount !== null && units === null)
    throw invalid("amount", `This token has ${asset.decimals} decimal places. Use no more.`);
  if (units !== null && !isAmount(units))
    throw invalid("amount", "Expected an amount above 0 that a token account can hold.");
  await ctx.checkTerms(tenant, others, async () => undefined);
  if (units !== null) return { ...others, ...rest, amount: units, price: null, quote: null };
  const now = await readNow(ctx.database, tenant.environment);
  return { ...others, ...rest, ...(await quoteAmount(ctx, tenant, price!, others.asset, now)) };
}

/** An intent that could not be created: its place among those asked for, with the error. */
interface Refused {
  readonly ordinal: number;
  readonly error: ApiError;
}

class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly refused: readonly Refused[];

  constructor(refused: readonly Refused[]) {
    super("Not all intents could be created.");
    this.refused = refused;
  }
}

/**
 * Creates all intents with their events, or none. `also` writes what belongs to them in the same transaction. Returns the
 * intents, or the refusals.
 */
export async function createAll(
  ctx: Context,
  tenant: Tenant,
  asked: readonly NewIntent[],
  also: (db: Db, intents: readonly Intent[]) => Promise<unknown>,
  lifetimeMs = LIFETIME_MS,
  offered: Offered | null = null,
): Promise<{ readonly intents: readonly Intent[] } | { readonly refused: readonly Refused[] }> {
  const { database, checkoutUrl } = ctx;
  let refused: readonly Refused[] = [];
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const now = await readNow(database, tenant.environment);
    const creations = asked.map((terms) =>
      draftCreation({ checkoutUrl, lifetimeMs }, tenant, terms, now, null, offered),
    );
    const intents = creations.map(({ intent }) => intent);
    try {
      await database.transaction(async (db) => {
        const outcomes = await insertIntents(db, creations);
        const failed = outcomes.flatMap(({ made, isRecipientAllowed }, ordinal) =>
          made ? [] : [{ ordinal, error: isRecipientAllowed ? inUse() : invalid("recipient", RECIPIENT_NOT_SAVED) }],
        );
        if (failed.length > 0) throw new RefusedError(failed);
        await also(db, intents);
      });
      return { intents };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      refused = await Promise.all(error.refused.map((one) => explain(database, tenant, intents, one)));
      // A holder that has expired has lost the reference by now.
      if (refused.some(({ error: { code, details } }) => code !== "reference_in_use" || details.intent !== undefined))
        return { refused };
    }
  }
  return { refused };
}

const inUse = (intent?: string) =>
  new ApiError("reference_in_use", REFERENCE_IN_USE, intent === undefined ? {} : { intent });

/** Names the intent that holds a reference. */
async function explain(database: Database, tenant: Tenant, intents: readonly Intent[], refused: Refused) {
  if (refused.error.code !== "reference_in_use") return refused;
  const { holder } = await findReferenceHolder(database, tenant, intents[refused.ordinal]!.merchantReference);
  return holder === null ? refused : { ...refused, error: inUse(holder) };
}

/** Creates an intent for a member, with its entry of the audit log (§13.18). */
export async function createForStaff(
  ctx: Context,
  actor: Actor,
  tenant: Tenant,
  written: WrittenTerms,
): Promise<Intent> {
  const terms = await prepareIntent(ctx, tenant, written);
  const made = await createAll(ctx, tenant, [terms], (db, [intent]) =>
    db.rows(
      recordAudit(actor, {
        ...tenant,
        action: "intent.created",
        target: intent!.id,
        details: {
          merchantReference: terms.merchantReference,
          amount: terms.amount,
          asset: terms.asset,
          ...(terms.price === null ? {} : { price: terms.price }),
        },
      }),
    ),
  );
  if ("refused" in made) throw made.refused[0]!.error;
  return made.intents[0]!;
}
