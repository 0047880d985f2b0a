import { showObject } from "../../../domain/show.ts";
import { newStaffSecret } from "../../../domain/staffSecrets.ts";
import {
  type BodyOf,
  type BuyerCall,
  type BuyerDeclaration,
  type BuyerRoute,
  buyerRoute,
  countOf,
  tooMany,
} from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { MinuteLimit } from "../../../edge/buyer/limits.ts";
import { ok, type Reply } from "../../../edge/http/route.ts";
import { type SecretCookie, secretCookie } from "../../../edge/http/secretCookie.ts";
import type { Context } from "../../context.ts";
import { askProof, requireProvable, sessionOf, startSession } from "./actions.ts";
import { type DisputeSession, SESSION_MS } from "./challenge.ts";
import { endSession, listSessions, type ProvablePayment } from "./queries.ts";
import type { ChallengeBody } from "./schema.ts";
import {
  ASK_PROOF,
  CASE_CHALLENGE,
  CASE_SESSION,
  CASE_SESSIONS,
  END_SESSION,
  ENDED_SESSION,
  LIST_SESSIONS,
  OPEN_SESSION,
} from "./schema.ts";
import type { ProofAct } from "./texts.ts";

/** The cookies of a dispute's page. Their path is the page's own, so that no other page's request carries them. */
export interface BuyerCookies {
  /** Names the browser that asks for challenges. It proves no wallet. */
  readonly browser: SecretCookie;
  readonly session: SecretCookie;
}

/** Makes the cookies. Addresses are base58, which needs no quoting; a part of one is enough for a name. */
export function buyerCookies(checkoutUrl: string, payment: string): BuyerCookies {
  const { protocol, pathname } = new URL(checkoutUrl);
  const isSecure = protocol === "https:";
  const path = `${pathname.replace(/\/$/, "")}/pay/p/${payment}/case`;
  const name = (of: string) => `${isSecure ? "__Secure-" : ""}holdfast_${of}_${payment.slice(0, 8)}`;
  return {
    browser: secretCookie(name("browser"), path, isSecure),
    session: secretCookie(name("case"), path, isSecure),
  };
}

/** A request of a browser with a session of the payment's dispute. */
export interface SessionCall<Body = unknown> {
  readonly payment: ProvablePayment;
  readonly session: DisputeSession;
  readonly browserSecret: string | null;
  readonly call: BuyerCall<Body>;
}

/** Requests of one network for one payment in a minute that ask for or give a proof. */
const PROOFS_A_MINUTE = 20;
const SECONDS = SESSION_MS / 1_000;

/** Finds the session of a request; throws `proof_needed`. */
export async function requireSession<Body>(ctx: Context, call: BuyerCall<Body>): Promise<SessionCall<Body>> {
  const payment = await requireProvable(ctx, call.params.payment!);
  const cookies = buyerCookies(ctx.checkoutUrl, payment.payment);
  const session = await sessionOf(ctx, payment, cookies.session.read(call));
  if (session === null) throw new BuyerError("proof_needed", (texts) => texts.dispute.prove);
  return { payment, session, browserSecret: cookies.browser.read(call), call };
}

/**
 * Counts the writes of sessions in a minute: who has proven nothing takes nothing from who has. The network is part of the
 * name, so that the thief of a cookie takes nothing from the buyer.
 */
export function countOfSession(usesMax: number): (given: SessionCall) => void {
  const limit = new MinuteLimit(usesMax);
  return ({ call, session }) => {
    const waitSeconds = limit.use(`${session.id} ${call.network}`);
    if (waitSeconds !== null) throw tooMany(waitSeconds);
  };
}

/** A write of a browser with a session. Sent again under its Idempotency-Key it is done once. */
export const sessionWrite = <const Declared extends BuyerDeclaration>(
  ctx: Context,
  path: string,
  docs: Declared,
  count: (given: SessionCall) => void,
  act: (given: SessionCall<BodyOf<Declared>>) => Promise<Reply>,
): BuyerRoute =>
  buyerRoute("POST", path, docs, async (call) => {
    const given = await requireSession(ctx, call);
    count(given);
    return call.once(() => act(given));
  });

export function requireDispute({ disputeId }: ProvablePayment): string {
  if (disputeId === null) throw new BuyerError("not_found", (texts) => texts.dispute.notOpen);
  return disputeId;
}

/** Drafts what a proof for another act than a session binds, for a browser that has one. */
type DraftAct = (given: SessionCall, wanted: ChallengeBody) => Promise<ProofAct>;

/** The routes of the proof and its sessions (§16.1, §16.2). */
export function proofRoutes(ctx: Context, draftAct: DraftAct): BuyerRoute[] {
  const count = countOf(PROOFS_A_MINUTE, "payment");
  const path = "/pay/p/:payment/case";
  return [
    buyerRoute("POST", `${path}/challenge`, ASK_PROOF, async (call) => {
      count(call);
      const payment = await requireProvable(ctx, call.params.payment!);
      const cookie = buyerCookies(ctx.checkoutUrl, payment.payment).browser;
      const browserSecret = cookie.read(call) ?? newStaffSecret();
      const wanted = call.read();
      // Anybody may ask for the challenge of a session; what binds is drafted for a browser that has one.
      const act: ProofAct =
        wanted.act === "open_session"
          ? { kind: "open_session" }
          : await draftAct(await requireSession(ctx, call), wanted);
      const asked = await askProof(ctx, payment, { way: wanted.way, act, browserSecret });
      // Set anew each time, so that the cookie outlives the challenge: a memo may take its signers seven days.
      return { ...ok(showObject(CASE_CHALLENGE.show(asked))), cookies: [cookie.set(browserSecret, SECONDS)] };
    }),
    buyerRoute("POST", `${path}/session`, OPEN_SESSION, async (call) => {
      count(call);
      const payment = await requireProvable(ctx, call.params.payment!);
      const cookies = buyerCookies(ctx.checkoutUrl, payment.payment);
      const browserSecret = cookies.browser.read(call);
      const userAgent = call.headers["user-agent"] ?? "";
      const token = await startSession(ctx, payment, call.read(), { browserSecret, userAgent });
      return {
        status: 201,
        body: showObject(CASE_SESSION.show({})),
        cookies: [cookies.session.set(token, SECONDS)],
      };
    }),
    buyerRoute("GET", `${path}/sessions`, LIST_SESSIONS, async (call) => {
      const { payment, session } = await requireSession(ctx, call);
      const sessions = await listSessions(ctx.database, payment);
      const shown = sessions.map((one) => ({ ...one, isThis: one.id === session.id }));
      return ok(showObject(CASE_SESSIONS.show({ sessions: shown })));
    }),
    buyerRoute("POST", `${path}/sessions/:session/end`, END_SESSION, async (call) => {
      const { payment, session } = await requireSession(ctx, call);
      const id = call.params.session!;
      if (!(await call.once(() => endSession(ctx.database, payment, id))))
        throw new BuyerError("not_found", (texts) => texts.dispute.accessEnded);
      const { session: cookie } = buyerCookies(ctx.checkoutUrl, payment.payment);
      return {
        ...ok(showObject(ENDED_SESSION.show({}))),
        ...(id === session.id ? { cookies: [cookie.clear] } : {}),
      };
    }),
  ];
}
