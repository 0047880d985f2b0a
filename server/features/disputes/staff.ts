import { unlessAway } from "../../chain/port.ts";
import type { Member, Tenant, Visitor } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { showPage } from "../../domain/page.ts";
import { showObject } from "../../domain/show.ts";
import { created, ok, type Reply, type Route } from "../../edge/http/route.ts";
import { STAFF_PREFIX } from "../../edge/staff/description.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, requireProof, STALE, tenantOf } from "../../edge/staff/route.ts";
import { readNow } from "../../store/clock.ts";
import type { Database } from "../../store/database.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAudit } from "../audit/fragments.ts";
import {
  type Act,
  acceptOffer,
  actIn,
  askArbiter,
  confirmOffer,
  endOffer,
  makeOffer,
  readWithTexts,
  refuse,
  sendStatement,
} from "./actions.ts";
import { DISPUTE_ID, type Dispute, type Side, showDisputeText } from "./dispute.ts";
import { requireSameText, useProof } from "./proof/actions.ts";
import type { ProvablePayment } from "./proof/queries.ts";
import {
  askRecipient,
  checkRecipient,
  inStaffWords,
  type RecipientProof,
  type RecipientProofDeps,
} from "./proof/recipient.ts";
import { draftAgreement, type MerchantProofKind } from "./proof/texts.ts";
import { findDispute, listDisputes, listDue } from "./queries.ts";
import {
  ACCEPT_OFFER,
  ASK_RECIPIENT,
  ASK_STAFF_ARBITER,
  CONFIRM_OFFER,
  DECLINE_STAFF_OFFER,
  GET_STAFF_DISPUTE,
  type GivenSignature,
  LIST_STAFF_DISPUTES,
  MAKE_STAFF_OFFER,
  SEND_STAFF_STATEMENT,
  WITHDRAW_STAFF_OFFER,
} from "./staffSchema.ts";
import type { Author } from "./statement.ts";

export interface DisputeStaffDeps extends RecipientProofDeps {
  /** For lists. */
  readonly slowDatabase: Database;
  /** Counts a chain read by a user, and throws above the limit. */
  readonly countLook: (userId: string) => void;
}

interface StaffCall {
  readonly caller: Member;
  readonly params: Readonly<Record<string, string>>;
}

const PATH = `${IN_TENANT}/disputes`;
const ONE = `${PATH}/:dispute`;
const OFFER = `${ONE}/offers/:offer`;
const ANSWER = "answer_disputes";

interface Binding {
  readonly action: AuditAction;
  readonly kind: MerchantProofKind;
  /** What a signature of the recipient's wallet is over. */
  readonly termsOf: (dispute: Dispute) => OfferedTerms;
  /** `signed` is null for a person. */
  readonly draft: (by: Author, signed: SignedText | null) => (dispute: Dispute, now: Date) => Act;
}

/**
 * §13.20. What binds the business needs a recent proof of identity, or the signature of the recipient's wallet. Each act is
 * in the audit log, without its words.
 */
export function staffDisputeRoutes(deps: DisputeStaffDeps): Route<Visitor>[] {
  const { database, slowDatabase, countLook } = deps;
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
    proof: RecipientProof | null = null,
  ): Promise<Reply> => {
    const tenant = tenantOf(caller, params);
    return database.transaction(async (db) => {
      const acted = await actIn(db, tenant, params.dispute!, draft);
      if (acted === null) throw missing();
      if (proof !== null) await useProof(db, proof.challenge, proof.payment);
      const details = {
        ...(params.offer === undefined ? {} : { offer: params.offer }),
        ...(proof === null ? {} : { wallet: proof.signer.wallet }),
      };
      await db.rows(recordAudit(caller.actor, { ...tenant, action, target: acted.dispute.id, details }));
      return reply(await readWithTexts(db, tenant, acted.dispute, acted.now, pathOf(tenant)));
    });
  };

  /** Acts by the word of a person, or by the signature of the recipient's wallet. */
  const bind = async (
    call: StaffCall & { readonly input: GivenSignature },
    { action, kind, termsOf, draft }: Binding,
    reply: (body: Awaited<ReturnType<typeof readWithTexts>>) => Reply = ok,
  ): Promise<Reply> => {
    const { caller, params, input } = call;
    if (input.nonce === null) {
      requireProof(caller);
      return act(call, action, draft(authorOf(caller), null), reply);
    }
    const { payment: address } = await find(tenantOf(caller, params), params.dispute!);
    const given = { ...input, signedMessage: null, landed: null };
    const proof = await checkRecipient(deps, caller, address, given, kind);
    const { payment, challenge, evidence, signer } = proof;
    const signed = (dispute: Dispute, now: Date) => {
      const agreement = draftAgreement(dispute, payment.decimals, termsOf(dispute));
      requireSameText(signer, payment, challenge, { kind, agreement });
      const by = { author: signer.wallet, authorKind: "wallet" } as const;
      return draft(by, { text: challenge.text, signature: evidence })(dispute, now);
    };
    return inStaffWords(act(call, action, signed, reply, proof));
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
      return ok(
        await readWithTexts(database, tenant, dispute, await readNow(database, tenant.environment), pathOf(tenant)),
      );
    }),
    memberWrite(ANSWER, "POST", `${ONE}/statements`, SEND_STAFF_STATEMENT, STALE, (call) =>
      act(call, "dispute.statement_sent", sendStatement("merchant", authorOf(call.caller), call.input.text), created),
    ),
    memberWrite(ANSWER, "POST", `${ONE}/challenge`, ASK_RECIPIENT, STALE, async ({ caller, params, input }) => {
      const dispute = await find(tenantOf(caller, params), params.dispute!);
      countLook(caller.userId);
      const { way, act: kind, offer, total, until } = input;
      const terms = kind === "merchant_offer" ? newTerms(total, until) : findOffer(dispute, offer, SIDE_OF[kind]);
      const draft = ({ decimals }: ProvablePayment) => draftAgreement(dispute, decimals, terms);
      const asked = await unlessAway(inStaffWords(askRecipient(deps, caller, dispute.payment, { way, kind, draft })));
      if (asked === null)
        throw new ApiError(
          "chain_unavailable",
          "The chain could not be read. Retry with backoff.",
          {},
          { retryAfterSeconds: 2 },
        );
      const { nonce, expiresAt, text, transaction } = asked;
      return ok(
        showObject({ object: "wallet_challenge", nonce, text: text!, transaction, expiresAt: expiresAt.toISOString() }),
      );
    }),
    memberWrite(ANSWER, "POST", `${ONE}/offers`, MAKE_STAFF_OFFER, STALE, (call) => {
      const { total, until } = call.input;
      return bind(
        call,
        {
          ...{ action: "dispute.offer_made", kind: "merchant_offer", termsOf: () => newTerms(total, until) },
          draft: (by, signed) =>
            makeOffer("merchant", by, call.input, signed && { signedText: signed.text, signature: signed.signature }),
        },
        created,
      );
    }),
    memberWrite(ANSWER, "POST", `${OFFER}/withdraw`, WITHDRAW_STAFF_OFFER, STALE, (call) =>
      act(call, "dispute.offer_withdrawn", endOffer("offer_withdrawn", "merchant", call.params.offer!)),
    ),
    memberWrite(ANSWER, "POST", `${OFFER}/decline`, DECLINE_STAFF_OFFER, STALE, (call) =>
      act(call, "dispute.offer_declined", endOffer("offer_declined", "merchant", call.params.offer!)),
    ),
    memberWrite(ANSWER, "POST", `${OFFER}/confirm`, CONFIRM_OFFER, STALE, (call) =>
      bind(call, {
        ...{ action: "dispute.offer_confirmed", kind: "merchant_confirm" },
        termsOf: (dispute) => findOffer(dispute, call.params.offer!, "merchant"),
        draft: ({ author }, signed) =>
          confirmOffer(
            call.params.offer!,
            author,
            signed && { confirmedText: signed.text, confirmedSignature: signed.signature },
          ),
      }),
    ),
    memberWrite(ANSWER, "POST", `${OFFER}/accept`, ACCEPT_OFFER, STALE, (call) =>
      bind(call, {
        ...{ action: "dispute.offer_accepted", kind: "merchant_accept" },
        termsOf: (dispute) => findOffer(dispute, call.params.offer!, "buyer"),
        draft: ({ author }, signed) =>
          acceptOffer(
            "merchant",
            call.params.offer!,
            author,
            signed && { acceptedText: signed.text, acceptedSignature: signed.signature },
          ),
      }),
    ),
    memberWrite(ANSWER, "POST", `${ONE}/ask-arbiter`, ASK_STAFF_ARBITER, STALE, (call) =>
      act(call, "dispute.arbiter_asked", askArbiter("merchant")),
    ),
  ];
}

/** The path of a tenant, which the addresses of files begin with. */
const pathOf = ({ businessId, environment }: Tenant): string =>
  `${STAFF_PREFIX}/businesses/${businessId}/${environment}`;

const authorOf = ({ userId }: Member): Author => ({ author: userId, authorKind: "user" });

interface OfferedTerms {
  readonly id: string | null;
  readonly total: string;
  readonly until: Date;
}

interface SignedText {
  readonly text: string;
  readonly signature: string;
}

/** The side whose offer an act is about. */
const SIDE_OF = { merchant_confirm: "merchant", merchant_accept: "buyer" } as const;

/** The terms of an offer that the recipient's wallet is to sign: it names its end. */
function newTerms(total: string | null, until: Date | null): OfferedTerms {
  if (total === null) throw invalid("total", "Required for an offer: the amount that the buyer has in the end.");
  if (until === null) throw invalid("until", "Required for an offer that a wallet signs: its end.");
  return { id: null, total, until };
}

function findOffer({ offers }: Dispute, id: string | null, side: Side): OfferedTerms {
  const offer = offers.find((one) => one.id === id);
  if (offer === undefined) throw missing();
  if (offer.side !== side || offer.status !== "open") throw refuse("offer_not_open");
  return offer;
}
