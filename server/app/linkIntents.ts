import { randomBytes } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import { findBusinessProfile } from "../features/businesses/queries.ts";
import { listDecimals } from "../features/chains/fragments.ts";
import type { LinkStart, LinkStarts, SeenLink } from "../features/checkout/link/start.ts";
import type { Context } from "../features/context.ts";
import { amountOrPrice, createAll, prepareIntent } from "../features/intents/actions.ts";
import { quoteAmount } from "../features/intents/createIntent.ts";
import { readPrice } from "../features/intents/intent.ts";
import type { CheckLink } from "../features/links/actions.ts";
import { LINK_INTENT_MS } from "../features/links/link.ts";
import { countIntent, findLinkById, insertLinkIntent } from "../features/links/queries.ts";

/** Stands for the amount that a buyer says, which is checked then. */
const ANY_AMOUNT = { digits: 1n, places: 0 } as const;
/** An open intent of another link of the same title, or the merchant's own, may have the reference. */
const TRIES_MAX = 3;

/** Checks a link's terms as those of its intents. */
export const checkLink =
  (ctx: Context): CheckLink =>
  async (tenant, terms) => {
    const value = amountOrPrice(terms.amount ?? ANY_AMOUNT, terms.price);
    const written = { ...terms, ...value, merchantReference: "link", description: null };
    const { amount } = await prepareIntent(ctx, tenant, written);
    return terms.amount === null || terms.price !== null ? null : amount;
  };

/** The amount of a payer's intent; null for a price without a fresh rate. The quote is made for this payer alone. */
async function amountFor(ctx: Context, link: SeenLink, amount: string | null) {
  const price = readPrice(link.price);
  if (price === null) return { amount: amount!, price: null, quote: null };
  try {
    return await quoteAmount(ctx, link, price, link.asset, link.now);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** §13.21.3: each payer of a link gets an ordinary intent. */
export const linkStarts = (ctx: Context): LinkStarts => ({
  find: async (id) => {
    const link = await findLinkById(ctx.database, id);
    if (link === null) return null;
    const business = await findBusinessProfile(ctx.database, link.businessId);
    if (business === null) return null;
    const decimals = await listDecimals(ctx.database, link.environment, [link.asset]);
    return { ...link, business, decimals: decimals.get(link.asset) ?? null };
  },
  start: async (link, amount): Promise<LinkStart> => {
    const left = link.expiresAt === null ? LINK_INTENT_MS : link.expiresAt.getTime() - link.now.getTime();
    const value = await amountFor(ctx, link, amount);
    if (value === null) return { kind: "unpriced" };
    const number = await countIntent(ctx.database, link);
    if (number === null) return { kind: "closed" };
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const { recipient, asset, protectionPeriod, description, locale } = link;
      const terms = {
        ...{ recipient, asset, protectionPeriod, description, locale, ...value },
        merchantReference: `${link.title} #${number}${tries === 1 ? "" : `-${randomBytes(3).toString("hex")}`}`,
        metadata: JSON.stringify({ paymentLink: link.id }),
        returnUrl: null,
        sealedEmail: null,
      };
      const made = await createAll(
        ctx,
        link,
        [terms],
        (db, [intent]) => insertLinkIntent(db, link, intent!.id),
        Math.min(LINK_INTENT_MS, left),
      );
      if ("intents" in made) return { kind: "made", intentId: made.intents[0]!.id };
      if (made.refused[0]!.error.code !== "reference_in_use") return { kind: "refused" };
    }
    return { kind: "refused" };
  },
});
