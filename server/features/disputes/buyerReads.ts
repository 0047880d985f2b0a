import type { AddressBook } from "../../domain/buyerAddress.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Context } from "../context.ts";
import { openEntered } from "./address/gather.ts";
import { findContent } from "./buyerQueries.ts";
import { sessionOf } from "./proof/actions.ts";
import { buyerCookies } from "./proof/buyer.ts";
import { findProvableByAddress, listSessions } from "./proof/queries.ts";

/** The payment at an address with the session of a cookie; null if it is bound to no order. */
async function findSessionOf(ctx: Context, address: string, cookie: string | undefined) {
  const { database, checkoutUrl } = ctx;
  const payment = await findProvableByAddress(database, address);
  if (payment === null) return null;
  const token = buyerCookies(checkoutUrl, address).session.read({ headers: cookie === undefined ? {} : { cookie } });
  return { payment, session: await sessionOf(ctx, payment, token) };
}

/** An address whose key is missing, or whose row was altered, can still be removed. */
function asUnreadable(error: unknown) {
  if (!(error instanceof ApiError)) throw error;
  return { email: null, isConfirmed: false };
}

/** The reads of the buyer's page. A browser without a session gets nothing of the dispute. */
export const buyerReads = (ctx: Context, book: AddressBook | null) => ({
  isProven: async (address: string, cookie: string | undefined): Promise<boolean> => {
    const found = await findSessionOf(ctx, address, cookie);
    return found !== null && found.session !== null;
  },

  findCase: async (address: string, cookie: string | undefined) => {
    const found = await findSessionOf(ctx, address, cookie);
    if (found === null) return null;
    const { payment, session } = found;
    if (session === null) return { isProven: false, content: null, sessions: [], emails: null };
    const [content, sessions, entered] = await Promise.all([
      findContent(ctx.database, payment),
      listSessions(ctx.database, payment),
      book === null ? null : openEntered(ctx.database, book, payment).catch(asUnreadable),
    ]);
    return {
      isProven: true,
      content,
      emails: book === null ? null : { address: entered },
      sessions: sessions.map(({ id, userAgent, createdAt }) => ({
        id,
        userAgent,
        createdAt,
        isThis: id === session.id,
      })),
    };
  },
});
