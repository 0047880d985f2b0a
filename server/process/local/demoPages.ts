import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAddress } from "../../domain/addresses.ts";
import { environmentOf, isIntentId } from "../../domain/ids.ts";
import { findCheckout } from "../../features/checkout/page/queries.ts";
import type { Database } from "../../store/database.ts";
import type { LocalChain } from "./chain.ts";
import { callLocalChain } from "./rpc.ts";

export interface DemoPagesDeps {
  readonly database: Database;
  readonly demo: { readonly chain: LocalChain; readonly testKey: string };
}

/** For the network and the deposits: more than they cost. */
const LAMPORTS = 50_000_000;

/**
 * What lets a newcomer pay in the browser (§12.9): a link that always leads to an order that can be paid, and play money for
 * the page's demo wallet. Only a local run has these routes, and no other site may call them.
 */
export function registerDemoPages(app: FastifyInstance, { database, demo: { chain, testKey } }: DemoPagesDeps): void {
  app.get("/pay/demo", async (request, reply) => {
    if (isFromElsewhere(request)) return refuse(reply, 403, "Open the link by itself: another site may not use it.");
    // Through the API, as a shop would: the order of the last visit while it can be paid, else a new one.
    const answer = await app.inject({
      method: "POST",
      url: "/api/v1/payment-intents",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      payload: {
        recipient: chain.wallets.recipient,
        amount: "5000000",
        asset: chain.asset,
        protectionPeriod: "sevenDays",
        merchantReference: "demo",
      },
    });
    const { id, error } = answer.json<{ id?: string; error?: { intent?: string; message: string } }>();
    const intent = id ?? error?.intent;
    if (intent === undefined) return refuse(reply, 503, error?.message ?? "The demo order could not be created.");
    return reply.header("Cache-Control", "no-store").redirect(`/pay/i/${intent}`, 303);
  });

  app.post<{ Params: { id: string }; Body: { account?: unknown } | null }>(
    "/pay/i/:id/demo-funds",
    async (request, reply) => {
      const { id } = request.params;
      const account = request.body?.account;
      if (isFromElsewhere(request)) return refuse(reply, 403, "Only the payment page itself may ask for play money.");
      if (typeof account !== "string" || !isAddress(account))
        return refuse(reply, 400, "This is not the address of a wallet.");
      const view = isIntentId(id) && environmentOf(id) === "test" ? await findCheckout(database, id) : null;
      if (view === null) return refuse(reply, 404, "There is no payment under this address.");
      const give = async (asset: string, amount: number | string) => {
        const gift = { address: account, asset, amount };
        const { signature } = await callLocalChain<{ signature: string }>(chain.rpcUrl, "devnet_faucet", gift);
        return signature;
      };
      await give("SOL", LAMPORTS);
      await awaitConfirmed(chain.rpcUrl, await give(view.intent.asset, view.intent.amount));
      return { object: "demo_funds", account };
    },
  );
}

const LOOK_MS = 100;
const LOOKS_MAX = 100;

/** The payment is built from what the chain confirmed, so the gift has to be. */
async function awaitConfirmed(rpcUrl: string, signature: string): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const { value } = await callLocalChain<Statuses>(rpcUrl, "getSignatureStatuses", [signature]);
    if (["confirmed", "finalized"].includes(value[0]?.confirmationStatus ?? "")) return;
    await sleep(LOOK_MS);
  }
}
interface Statuses {
  readonly value: readonly ({ readonly confirmationStatus: string } | null)[];
}

const isFromElsewhere = ({ headers }: FastifyRequest): boolean =>
  !["same-origin", "none", undefined].includes(headers["sec-fetch-site"] as string | undefined);

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ error: { code: "invalid_request", message } });
