import { showObject } from "../../domain/show.ts";
import { type BuyerRoute, buyerRoute } from "../../edge/buyer/door.ts";
import { ok } from "../../edge/http/route.ts";
import { KeptAnswers } from "../../lib/keptAnswers.ts";
import type { Context } from "../context.ts";
import { publishDeployment } from "./actions.ts";
import { issueReceipt, type KeptAccounts } from "./issue.ts";
import { GET_DEPLOYMENT, GET_RECEIPT } from "./schema.ts";

/** The document of the deployment's keys, below the checkout's address. */
export const DEPLOYMENT_PATH = "/.well-known/holdfast.json";

/** A receipt that is asked for again within this time is of the same read. */
const KEPT_MS = 2_000;
const KEPT_MAX = 2_000;

/** §15: the receipt as JSON, and the keys by which it is verified. */
export function receiptRoutes(ctx: Context): BuyerRoute[] {
  const accounts: KeptAccounts = new KeptAnswers({ keptMs: KEPT_MS, keysMax: KEPT_MAX });
  return [
    buyerRoute("GET", "/pay/p/:address.json", GET_RECEIPT, async ({ params, query }) => {
      const address = params.address!;
      const receipt = await issueReceipt(ctx, address, query.get("key"), accounts);
      return {
        ...ok(showObject(receipt)),
        headers: { "content-disposition": `attachment; filename="receipt-${address}.json"` },
      };
    }),
    buyerRoute("GET", DEPLOYMENT_PATH, GET_DEPLOYMENT, async () => ok(showObject(await publishDeployment(ctx)))),
  ];
}
