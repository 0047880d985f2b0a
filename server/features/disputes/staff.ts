import type { Member, Tenant, Visitor } from "../../domain/callers.ts";
import { showPage } from "../../domain/page.ts";
import { created, ok, type Reply, type Route } from "../../edge/http/route.ts";
import { STAFF_PREFIX } from "../../edge/staff/description.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, requireProof, STALE, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAudit } from "../audit/fragments.ts";
import type { Context } from "../context.ts";
import {
  type Act,
  acceptOffer,
  actIn,
  askArbiter,
  endOffer,
  makeOffer,
  readWithTexts,
  sendStatement,
} from "./actions.ts";
import { DISPUTE_ID, type Dispute, showDisputeText } from "./dispute.ts";
import { findDispute, listDisputes, listDue } from "./queries.ts";
import {
  ACCEPT_OFFER,
  ASK_STAFF_ARBITER,
  DECLINE_STAFF_OFFER,
  GET_STAFF_DISPUTE,
  LIST_STAFF_DISPUTES,
  MAKE_STAFF_OFFER,
  SEND_STAFF_STATEMENT,
  WITHDRAW_STAFF_OFFER,
} from "./staffSchema.ts";

interface StaffCall {
  readonly caller: Member;
  readonly params: Readonly<Record<string, string>>;
}

const PATH = `${IN_TENANT}/disputes`;
const ONE = `${PATH}/:dispute`;
const OFFER = `${ONE}/offers/:offer`;
const ANSWER = "answer_disputes";

/** §13.20. What binds the business needs a recent proof of identity. Each act is in the audit log, without its texts. */
export function staffDisputeRoutes(ctx: Context): Route<Visitor>[] {
  const { database, slowDatabase } = ctx;
  const find = async (tenant: Tenant, id: string): Promise<Dispute> => {
    const dispute = DISPUTE_ID.test(id) ? await findDispute(database, tenant, id) : null;
    if (dispute === null) throw missing();
    return dispute;
  };
  const act = (
    { caller, params }: StaffCall,
    action: AuditAction,
    draft: (dispute: Dispute, now: Date) => Act,
    reply: (body: Awaited<ReturnType<typeof readWithTexts>>) => Reply = ok,
  ): Promise<Reply> => {
    const tenant = tenantOf(caller, params);
    return database.transaction(async (db) => {
      const acted = await actIn(db, tenant, params.dispute!, draft);
      if (acted === null) throw missing();
      const details = params.offer === undefined ? {} : { offer: params.offer };
      await db.rows(recordAudit(caller.actor, { ...tenant, action, target: acted.dispute.id, details }));
      return reply(await readWithTexts(db, acted.dispute, acted.now, pathOf(tenant)));
    });
  };
  const bind: typeof act = (call, ...given) => {
    requireProof(call.caller);
    return act(call, ...given);
  };

  return [
    memberRead("read", PATH, LIST_STAFF_DISPUTES, async ({ caller, params, input }) => {
      const tenant = tenantOf(caller, params);
      if (input.startingAfter !== null) await find(tenant, input.startingAfter);
      const query = { ...input, endingBefore: null };
      const list = input.turn === null || input.turn === "nobody" ? listDisputes : listDue;
      return ok(showPage(await list(slowDatabase, tenant, query), input.limit, showDisputeText));
    }),
    memberRead("read", ONE, GET_STAFF_DISPUTE, async ({ caller, params }) => {
      const tenant = tenantOf(caller, params);
      const dispute = await find(tenant, params.dispute!);
      return ok(await readWithTexts(database, dispute, await readNow(database, tenant.environment), pathOf(tenant)));
    }),
    memberWrite(ANSWER, "POST", `${ONE}/statements`, SEND_STAFF_STATEMENT, STALE, (call) =>
      act(call, "dispute.statement_sent", sendStatement("merchant", authorOf(call.caller), call.input.text), created),
    ),
    memberWrite(ANSWER, "POST", `${ONE}/offers`, MAKE_STAFF_OFFER, STALE, (call) =>
      bind(call, "dispute.offer_made", makeOffer("merchant", authorOf(call.caller), call.input), created),
    ),
    memberWrite(ANSWER, "POST", `${OFFER}/withdraw`, WITHDRAW_STAFF_OFFER, STALE, (call) =>
      act(call, "dispute.offer_withdrawn", endOffer("offer_withdrawn", "merchant", call.params.offer!)),
    ),
    memberWrite(ANSWER, "POST", `${OFFER}/decline`, DECLINE_STAFF_OFFER, STALE, (call) =>
      act(call, "dispute.offer_declined", endOffer("offer_declined", "merchant", call.params.offer!)),
    ),
    memberWrite(ANSWER, "POST", `${OFFER}/accept`, ACCEPT_OFFER, STALE, (call) =>
      bind(call, "dispute.offer_accepted", acceptOffer("merchant", call.params.offer!, call.caller.userId)),
    ),
    memberWrite(ANSWER, "POST", `${ONE}/ask-arbiter`, ASK_STAFF_ARBITER, STALE, (call) =>
      act(call, "dispute.arbiter_asked", askArbiter("merchant")),
    ),
  ];
}

/** The path of a tenant, which the addresses of files begin with. */
const pathOf = ({ businessId, environment }: Tenant): string =>
  `${STAFF_PREFIX}/businesses/${businessId}/${environment}`;

const authorOf = ({ userId }: Member) => ({ author: userId, authorKind: "user" }) as const;
