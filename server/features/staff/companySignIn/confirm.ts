import type { Sealing } from "../../../domain/sealing.ts";
import type { Database } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { openToken, sealToken } from "../company/enter.ts";
import { applyGrant } from "../company/grants.ts";
import {
  claimDueSessions,
  confirmIdentity,
  confirmSession,
  type DueSession,
  hasCompanySession,
  listForgotten,
} from "../company/queries.ts";
import { grantOf, NO_GRANT } from "../provider/company.ts";
import { type Confirmation, type Provider, ProviderAnswerError, ProviderAwayError } from "../provider/provider.ts";
import { findUser, logUser } from "../signIn/queries.ts";
import { deleteSession } from "../signIn/sessions.ts";

/** The company's provider, with the key of its tokens. */
interface SealedCompany {
  readonly provider: Provider;
  readonly sealing: Sealing;
}

/** Sessions that are confirmed at once. */
const CONFIRMED_MAX = 20;

/** The provider's word on a session, with a token that may have replaced the stored one. */
interface Confirmed {
  readonly session: DueSession;
  readonly confirmation: Confirmation;
}

/** Confirmed sessions that are not written yet, by id, so that a failed write loses no token. */
type Unwritten = Map<string, Confirmed>;

/** Steps that try to write a confirmation again. */
const WRITES_MAX = 30;

/**
 * The step that asks the provider about the sessions that are due (§13.24): it confirms one, with the groups of today, or
 * the session ends. While the provider is away nothing is confirmed, and sessions close by themselves until it is back.
 */
export function createConfirmStep(ctx: Context, company: SealedCompany): () => Promise<boolean> {
  const { database, log } = ctx;
  let isAway = false;
  const unwritten: Unwritten = new Map();
  let writes = 0;
  return async () => {
    writes = unwritten.size === 0 ? 0 : writes + 1;
    if (writes > WRITES_MAX) unwritten.clear();
    for (const confirmed of [...unwritten.values()]) await write(ctx, company, unwritten, confirmed);
    const due = await claimDueSessions(database, CONFIRMED_MAX);
    const failures = await Promise.all(due.map((session) => confirmOne(ctx, company, unwritten, session)));
    const failure = failures.find((one) => one !== null);
    if (failure !== undefined && !isAway)
      log(`Company sign-in: sessions cannot be confirmed. ${failure.message}`, undefined, "error");
    if (failure === undefined && isAway && due.length > 0)
      log("Company sign-in: sessions are confirmed again.", undefined, "info");
    if (due.length > 0) isAway = failure !== undefined;
    return due.length === CONFIRMED_MAX && failure === undefined;
  };
}

/** Takes back the roles by groups of users whom no provider has confirmed for long, or whose provider is set no more. */
export async function forgetUnconfirmed(database: Database): Promise<boolean> {
  const forgotten = await listForgotten(database, CONFIRMED_MAX);
  for (const id of forgotten)
    await database.transaction(async (db) => applyGrant(db, (await findUser(db, id))!, NO_GRANT));
  return forgotten.length === CONFIRMED_MAX;
}

/** Returns the failure if the provider is away, else null. */
async function confirmOne(
  ctx: Context,
  company: SealedCompany,
  unwritten: Unwritten,
  session: DueSession,
): Promise<ProviderAwayError | null> {
  const { database, log } = ctx;
  const { provider, sealing } = company;
  const { userId, sessionId, issuer, subject } = session;
  let confirmation: Confirmation;
  try {
    if (issuer !== provider.settings.issuer)
      throw new ProviderAnswerError("The session is of another provider than that of the settings.", false);
    confirmation = await provider.confirm(openStored(sealing, session), subject);
  } catch (error) {
    if (error instanceof ProviderAwayError) return error;
    if (!(error instanceof ProviderAnswerError)) throw error;
    log(`Company sign-in: a session of ${userId} ends. ${error.message}`, undefined, "info");
    await endUnconfirmed(database, session, session.isRepeat && error.isRefusal);
    return null;
  }
  const confirmed = { session, confirmation };
  unwritten.set(sessionId, confirmed);
  await write(ctx, company, unwritten, confirmed);
  return null;
}

async function write(
  { database }: Context,
  { provider, sealing }: SealedCompany,
  unwritten: Unwritten,
  confirmed: Confirmed,
) {
  const { session, confirmation } = confirmed;
  const { userId, sessionId, issuer, subject } = session;
  const { isOperator, ...grant } = grantOf(provider.settings, confirmation.groups);
  await database.transaction(async (db) => {
    const token = sealToken(sealing, userId, confirmation.refreshToken!);
    if (!(await confirmSession(db, session, token, isOperator))) return;
    await confirmIdentity(db, issuer, subject);
    await applyGrant(db, (await findUser(db, userId))!, { isOperator, ...grant });
    if (isOperator !== session.isOperator)
      await logUser(db, { kind: "service" }, userId, "roles_changed", { isOperator: String(isOperator), by: "group" });
  });
  unwritten.delete(sessionId);
}

/** A key that is gone, or an altered row, ends one session: its user signs in again. */
function openStored(sealing: Sealing, { userId, token }: DueSession): string {
  try {
    return openToken(sealing, userId, token);
  } catch (error) {
    throw new ProviderAnswerError("Its refresh token cannot be decrypted.", false, error);
  }
}

/**
 * Ends a session, and with the last one of the user the roles by groups, and the emails that go with them. If the token
 * may be lost here, a refusal says nothing of the person: the roles stay, and nobody has them without a new sign-in.
 */
async function endUnconfirmed(
  database: Database,
  { userId, sessionId }: DueSession,
  mayBeLost: boolean,
): Promise<void> {
  await database.transaction(async (db) => {
    if (await deleteSession(db, userId, sessionId))
      await logUser(db, { kind: "service" }, userId, "session_ended", { id: sessionId, by: "company" });
    if (!mayBeLost && !(await hasCompanySession(db, userId)))
      await applyGrant(db, (await findUser(db, userId))!, NO_GRANT);
  });
}
