import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { missingCursor, showPage } from "../../domain/page.ts";
import type { Committed } from "../../edge/http/idempotency.ts";
import {
  type Call,
  created,
  ok,
  type Reply,
  type Route,
  readRoute,
  type WriteCall,
  writeRoute,
} from "../../edge/http/route.ts";
import type { Context } from "../context.ts";
import { type Act, actIn, askArbiter, endOffer, readWithTexts, sendStatement } from "./actions.ts";
import { DISPUTE_ID, type Dispute, showDisputeText } from "./dispute.ts";
import { findDispute, listDisputes } from "./queries.ts";
import {
  ASK_ARBITER,
  DECLINE_OFFER,
  type DisputeQuery,
  GET_DISPUTE,
  LIST_DISPUTES,
  SEND_STATEMENT,
  WITHDRAW_OFFER,
} from "./schema.ts";
import type { Author } from "./statement.ts";

const ONE = "/disputes/:id";
const OFFER = `${ONE}/offers/:offer`;

/** §4.18. A key writes; it makes and accepts no offer. */
export const disputeRoutes = (ctx: Context): Route<Merchant>[] => [
  readRoute("/disputes", LIST_DISPUTES, (call) => getDisputes(ctx, call)),
  readRoute(ONE, GET_DISPUTE, async ({ caller, now, params }) => {
    const dispute = await find(ctx, caller, params.id!);
    if (dispute === null) throw missingDispute();
    return ok(await readWithTexts(ctx.database, dispute, now, ctx.apiUrl));
  }),
  writeRoute("POST", `${ONE}/statements`, SEND_STATEMENT, (call) =>
    act(ctx, call, sendStatement("merchant", authorOf(call.caller), call.input.text), created),
  ),
  writeRoute("POST", `${OFFER}/withdraw`, WITHDRAW_OFFER, (call) =>
    act(ctx, call, endOffer("offer_withdrawn", "merchant", call.params.offer!)),
  ),
  writeRoute("POST", `${OFFER}/decline`, DECLINE_OFFER, (call) =>
    act(ctx, call, endOffer("offer_declined", "merchant", call.params.offer!)),
  ),
  writeRoute("POST", `${ONE}/ask-arbiter`, ASK_ARBITER, (call) => act(ctx, call, askArbiter("merchant"))),
];

const authorOf = ({ keyId }: Merchant): Author => ({ author: keyId, authorKind: "key" });

const find = async (ctx: Context, caller: Tenant, id: string): Promise<Dispute | null> =>
  DISPUTE_ID.test(id) ? findDispute(ctx.database, caller, id) : null;

const missingDispute = (): ApiError =>
  new ApiError("not_found", "There is no such dispute for this key's business and environment. An id begins with dp_.");

/** Acts in the dispute and answers with it, in the transaction that stores the answer. */
const act = (
  { apiUrl }: Context,
  { caller, params, write }: WriteCall<Merchant, unknown>,
  draft: (dispute: Dispute, now: Date) => Act,
  reply: typeof ok = ok,
): Promise<Committed> =>
  write.commit({
    transaction: async (db) => {
      const acted = await actIn(db, caller, params.id!, draft);
      if (acted === null) throw missingDispute();
      return reply(await readWithTexts(db, acted.dispute, acted.now, apiUrl));
    },
  });

async function getDisputes(ctx: Context, { caller, input: query }: Call<Merchant, DisputeQuery>): Promise<Reply> {
  const cursor = query.startingAfter ?? query.endingBefore;
  if (cursor !== null && (await find(ctx, caller, cursor)) === null) throw missingCursor(query, "a dispute");
  const found = await listDisputes(ctx.slowDatabase, caller, query);
  return ok(showPage(found, query.limit, showDisputeText, query.endingBefore !== null));
}
