import { showLife } from "../../chain/lifetime.ts";
import type { Member, Tenant, Visitor } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { fetchActLife, submitAct } from "../../edge/acts/steps.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { countLooks, LIVES_PER_MINUTE } from "../../edge/staff/lookLimit.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberWrite, missing, STALE, tenantOf } from "../../edge/staff/route.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAudit } from "../audit/fragments.ts";
import type { Context } from "../context.ts";
import { findActedPayment } from "./fragments.ts";
import { buildRefund } from "./refund.ts";
import { FETCH_REFUND_LIFE, REFUND_STAFF_PAYMENT, SUBMIT_REFUND } from "./schema.ts";

const PATH = `${IN_TENANT}/payments/:payment/refund`;

/** §13.16. */
export function staffActionRoutes(ctx: Context): Route<Visitor>[] {
  const { database, chainOf, countLook } = ctx;
  const countLife = countLooks(LIVES_PER_MINUTE);
  const audit = (
    { actor }: Member,
    { businessId, environment }: Tenant,
    action: AuditAction,
    target: string,
    details: Readonly<Record<string, string | null>>,
  ) => database.rows(recordAudit(actor, { businessId, environment, action, target, details }));
  return [
    memberWrite("refund_payments", "POST", PATH, REFUND_STAFF_PAYMENT, STALE, async ({ caller, params, input }) => {
      const tenant = tenantOf(caller, params);
      const payment = params.payment!;
      const { total, account } = input;
      countLook(caller.userId);
      const found = await findActedPayment(database, tenant, payment);
      if (found === null || (found.businessId === null && found.recipient !== account)) throw missing();
      const shown = await buildRefund(ctx, found, { payment, total, account });
      await audit(caller, tenant, "payment.refund_built", payment, { total, account });
      return ok(shown);
    }),
    memberWrite(
      "refund_payments",
      "POST",
      `${PATH}/submit`,
      SUBMIT_REFUND,
      STALE,
      async ({ caller, params, input }) => {
        const tenant = tenantOf(caller, params);
        const payment = params.payment!;
        countLook(caller.userId);
        if ((await findActedPayment(database, tenant, payment)) === null) throw missing();
        const sender = chainOf(tenant.environment).actionSender;
        const { signature, action } = await submitAct(sender, input.transaction, { payment, kind: "refund" }, "shop");
        await audit(caller, tenant, "payment.refund_sent", payment, { total: action.total, signature });
        return ok(showObject({ object: "submitted_refund", signature }));
      },
    ),
    memberWrite(
      "refund_payments",
      "POST",
      `${PATH}/life`,
      FETCH_REFUND_LIFE,
      STALE,
      async ({ caller, params, input }) => {
        const tenant = tenantOf(caller, params);
        if ((await findActedPayment(database, tenant, params.payment!)) === null) throw missing();
        countLife(caller.userId);
        return ok(showLife(await fetchActLife(ctx.chainOf(tenant.environment).builder, input.transaction, "shop")));
      },
    ),
  ];
}
