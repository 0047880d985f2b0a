import type { Visitor } from "../../domain/callers.ts";
import { isLinkId } from "../../domain/ids.ts";
import { showPage } from "../../domain/page.ts";
import { type JsonText, showObject } from "../../domain/show.ts";
import { created, ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, STALE, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { Context } from "../context.ts";
import { type CheckLink, closeForStaff, createLink } from "./actions.ts";
import { linkStateAt, linkUrlOf } from "./link.ts";
import { type CountedLink, listLinks } from "./queries.ts";
import { CLOSE_LINK, CREATE_LINK, LINK, LIST_LINKS } from "./schema.ts";

const PATH = `${IN_TENANT}/payment-links`;

/** §13.21. */
export function linkRoutes(ctx: Context, checkLink: CheckLink): Route<Visitor>[] {
  const { database, slowDatabase, checkoutUrl, countLook } = ctx;
  const show = (link: CountedLink, now: Date): JsonText =>
    showObject(
      LINK.show({ ...link, state: linkStateAt(link, link.paidSeats, now), url: linkUrlOf(checkoutUrl, link.id) }),
    );
  return [
    memberRead("read", PATH, LIST_LINKS, async ({ caller, params, input }) => {
      const tenant = tenantOf(caller, params);
      const rows = await listLinks(slowDatabase, tenant, input);
      if (rows === null) throw missing();
      const now = await readNow(database, tenant.environment);
      return ok(showPage(rows, input.limit, (row) => show(row, now)));
    }),
    memberWrite("create_payments", "POST", PATH, CREATE_LINK, STALE, async ({ caller, params, input }) => {
      countLook(caller.userId);
      const link = await createLink(ctx, checkLink, caller.actor, tenantOf(caller, params), input);
      return created(show({ ...link, paidSeats: 0 }, link.createdAt));
    }),
    memberWrite("create_payments", "POST", `${PATH}/:link/close`, CLOSE_LINK, STALE, async ({ caller, params }) => {
      const tenant = tenantOf(caller, params);
      const id = params.link!;
      const link = isLinkId(id) ? await closeForStaff(ctx, caller.actor, tenant, id) : null;
      if (link === null) throw missing();
      return ok(show(link, await readNow(database, tenant.environment)));
    }),
  ];
}
