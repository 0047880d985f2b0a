import type { IncomingMessage } from "node:http";
import { isAddress } from "../../domain/addresses.ts";
import { environmentOf, isIntentId } from "../../domain/ids.ts";
import { BODY_WAIT_MS } from "../../domain/limits.ts";
import type { App, Reply, Request } from "../../edge/http/app.ts";
import { readBody } from "../../edge/http/body.ts";
import { MERCHANT_PREFIX } from "../../edge/merchant/description.ts";
import { findCheckout } from "../../features/checkout/page/queries.ts";
import type { Context } from "../../features/context.ts";
import type { LocalChain } from "./chain.ts";
import { fundWallet } from "./players.ts";

/**
 * Adds the pages with which a newcomer pays in the browser (§12.9): a link that always leads to an order that can be paid,
 * and play money for the page's demo wallet. Only a local run has these routes, and no other site may call them.
 */
export function registerDemoPages(app: App, { database }: Context, chain: LocalChain, testKey: string): void {
  app.get("/pay/demo", async (request, reply) => {
    if (isFromElsewhere(request)) return refuse(reply, 403, "Open the link by itself: another site may not use it.");
    // Calls the API, like a shop: the order of the last visit while it can be paid, else a new one.
    const answer = await fetch(`${app.localUrl}${MERCHANT_PREFIX}/payment-intents`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        recipient: chain.wallets.recipient,
        amount: "5000000",
        asset: chain.asset,
        protectionPeriod: "sevenDays",
        merchantReference: "demo",
      }),
    });
    const { id, error } = (await answer.json()) as { id?: string; error?: { intent?: string; message: string } };
    const intent = id ?? error?.intent;
    if (intent === undefined) return refuse(reply, 503, error?.message ?? "The demo order could not be created.");
    return reply.header("Cache-Control", "no-store").redirect(`/pay/i/${intent}`, 303);
  });

  app.on("POST", "/pay/i/:id/demo-funds", async (request, reply) => {
    const id = request.params.id!;
    if (isFromElsewhere(request)) return refuse(reply, 403, "Only the payment page itself may ask for play money.");
    const account = await readAccount(request.raw);
    if (typeof account !== "string" || !isAddress(account))
      return refuse(reply, 400, "This is not the address of a wallet.");
    const view = isIntentId(id) && environmentOf(id) === "test" ? await findCheckout(database, id) : null;
    if (view === null) return refuse(reply, 404, "There is no payment under this address.");
    await fundWallet(chain.rpcUrl, account, view.intent);
    return { object: "demo_funds", account };
  });
}

/** Undefined: the body is not JSON, or has no account. */
const readAccount = async (request: IncomingMessage): Promise<unknown> =>
  (
    await readBody(request, { required: true, waitMs: BODY_WAIT_MS, invite: () => undefined }).catch(() => null)
  )?.members.get("account")?.value;

const isFromElsewhere = ({ headers }: Request): boolean =>
  !["same-origin", "none", undefined].includes(headers["sec-fetch-site"] as string | undefined);

const refuse = (reply: Reply, status: number, message: string): Reply =>
  reply.code(status).send({ error: { code: "invalid_request", message } });
