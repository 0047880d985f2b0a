import { ActionError } from "../../domain/actionError.ts";
import type { Actor, Tenant } from "../../domain/callers.ts";
import type { TokenAmount } from "../../domain/money.ts";
import type { Price } from "../../domain/price.ts";
import type { Terms } from "../../domain/terms.ts";
import { readNow } from "../../store/clock.ts";
import { recordAudit } from "../audit/fragments.ts";
import type { Context } from "../context.ts";
import { showPrice } from "../intents/intent.ts";
import { draftLink, type NewLink, OPEN_LINKS_MAX, type PaymentLink } from "./link.ts";
import { type CountedLink, closeLink, findLink, insertLink } from "./queries.ts";

export type WrittenLink = Omit<NewLink, "amount" | "price" | "expiresAt"> & {
  readonly amount: TokenAmount | null;
  readonly price: Price | null;
  /** How long it can be paid; null for ever. */
  readonly hours: number | null;
};

/**
 * Checks terms as a create does, with the amount in whole tokens, or a price; both null: any amount. Returns the amount in
 * the token's smallest unit.
 */
export type CheckLink = (
  tenant: Tenant,
  terms: Omit<Terms, "amount"> & { readonly amount: TokenAmount | null; readonly price: Price | null },
) => Promise<string | null>;

/** Throws `invalid_request`, or {@link ActionError}: `link_limit_reached`. */
export async function createLink(
  { database }: Context,
  checkLink: CheckLink,
  actor: Actor,
  tenant: Tenant,
  { hours, ...written }: WrittenLink,
): Promise<PaymentLink> {
  const amount = await checkLink(tenant, written);
  const price = written.price && showPrice(written.price);
  const now = await readNow(database, tenant.environment);
  const expiresAt = hours === null ? null : new Date(Math.ceil((now.getTime() + hours * 3_600_000) / 1_000) * 1_000);
  const link = draftLink(tenant, { ...written, amount, price, expiresAt }, now);
  await database.transaction(async (db) => {
    if (!(await insertLink(db, link)))
      throw new ActionError("link_limit_reached", `The business has ${OPEN_LINKS_MAX} open links. Close one.`);
    const details = { title: link.title, amount, ...(price && { price }), asset: link.asset, seatsMax: link.seatsMax };
    await db.rows(recordAudit(actor, { ...tenant, action: "link.created", target: link.id, details }));
  });
  return link;
}

/** Returns the closed link, or null if the tenant has none of this id. Throws {@link ActionError}: `link_closed`. */
export const closeForStaff = (
  { database }: Context,
  actor: Actor,
  tenant: Tenant,
  id: string,
): Promise<CountedLink | null> =>
  database.transaction(async (db) => {
    const isClosed = await closeLink(db, tenant, id);
    const link = await findLink(db, tenant, id);
    if (link === null) return null;
    if (!isClosed) throw new ActionError("link_closed", "The link is closed already.");
    await db.rows(recordAudit(actor, { ...tenant, action: "link.closed", target: id }));
    return link;
  });
