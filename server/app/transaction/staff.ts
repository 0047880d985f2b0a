import { isSignature } from "../../domain/addresses.ts";
import type { Visitor } from "../../domain/callers.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, missing, tenantOf } from "../../edge/staff/route.ts";
import type { Context } from "../../features/context.ts";
import { explainTransaction } from "./explain.ts";
import { EXPLAIN_TRANSACTION } from "./schema.ts";

/** §13.13. */
export const transactionRoutes = (ctx: Context): Route<Visitor>[] => [
  memberRead("read", `${IN_TENANT}/transactions/:signature`, EXPLAIN_TRANSACTION, async ({ caller, params, input }) => {
    const tenant = tenantOf(caller, params);
    const signature = params.signature!;
    if (!isSignature(signature)) throw missing();
    ctx.countLook(caller.userId);
    const explained = await explainTransaction(ctx, tenant, signature, input.intent);
    if (explained === null) throw missing();
    const intents = explained.intents.map(({ verification, ...intent }) => ({
      ...intent,
      verification: verification === null ? null : { object: "verification", ...verification },
    }));
    return ok(showObject({ object: "transaction", id: signature, chain: explained.chain, intents }));
  }),
];
