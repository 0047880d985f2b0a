import { ActionError } from "../../../domain/actionError.ts";
import type { Staff, Visitor } from "../../../domain/callers.ts";
import { newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Db } from "../../../store/database.ts";
import { dropIdentities, type Entry, enterByCompany, entryOf, requireCompany, sealEntry } from "../company/enter.ts";
import {
  type FlowOwner,
  type FlowPurpose,
  findLinkedUser,
  insertFlow,
  insertIdentity,
  listMissingBusinesses,
  takeFlow,
} from "../company/queries.ts";
import type { StaffContext } from "../context.ts";
import { notifyUser } from "../fragments.ts";
import { grantOf, hasState } from "../provider/company.ts";
import { type Person, type Provider, ProviderAnswerError, ProviderAwayError } from "../provider/provider.ts";
import { actorOf, beginSession, type SignedIn } from "../signIn/actions.ts";
import { issueTicket } from "../signIn/oneTime.ts";
import { findUser, hasOwnCredential, insertUser, lockUser, logUser, proveSession } from "../signIn/queries.ts";
import { countVisit } from "../tries.ts";
import { isUserName, parseEmail, type User } from "../user.ts";

/** Sign-in by a company's provider (§13.24): a browser goes there, and returns with an answer. */

/** The address to which the browser goes, and the secret for its cookie. */
export interface Departure {
  readonly url: string;
  readonly secret: string;
}

async function depart(ctx: StaffContext, purpose: FlowPurpose, owner: FlowOwner | null): Promise<Departure> {
  const { provider } = requireCompany(ctx);
  const secret = newStaffSecret();
  // Another person may be signed in at the provider in this browser, whom nobody is to link or to use as a proof.
  const isAnew = purpose !== "company_sign_in";
  const url = await asked(ctx, provider, () => provider.authorizationUrl(secret, isAnew));
  await insertFlow(ctx.database, secret, purpose, owner);
  return { url, secret };
}

/** Throws `rate_limited`, {@link ActionError} `company_unavailable`. */
export async function beginCompanySignIn(ctx: StaffContext, visitor: Visitor): Promise<Departure> {
  await countVisit(ctx.database, visitor);
  return depart(ctx, "company_sign_in", null);
}

/** Throws {@link ActionError} `company_unavailable`. */
export const beginCompanyLink = (ctx: StaffContext, staff: Staff): Promise<Departure> =>
  depart(ctx, "company_link", staff);

/**
 * Throws {@link ActionError}: `company_unavailable`, `company_not_linked`; `code_needed` for a user with an
 * authenticator app, of whom the provider proves too little.
 */
export async function beginCompanyProof(ctx: StaffContext, staff: Staff): Promise<Departure> {
  const user = await findUser(ctx.database, staff.userId);
  if (user!.totpConfirmedAt !== null)
    throw new ActionError("code_needed", "You have an authenticator app: confirm by password and code, or by passkey.");
  return depart(ctx, "company_proof", staff);
}

/** What became of an answer. */
export type Arrival =
  | SignedIn
  | { readonly ticket: string }
  | { readonly linked: true }
  /** The new secret of the session. */
  | { readonly provenSecret: string };

const unknownAnswer = () =>
  new ActionError(
    "company_answer_invalid",
    "This sign-in was not begun here, was used, or took too long. Start again.",
  );

/**
 * Takes the answer that a browser brought from the provider, as its query string. Only the browser, and the session, that
 * set out can bring it, once. Throws `rate_limited`, {@link ActionError}: `company_unavailable`,
 * `company_answer_invalid`, `company_refused`, `company_unknown`, `company_linked`, `company_not_linked`.
 */
export async function arrive(ctx: StaffContext, visitor: Visitor, given: string): Promise<Arrival> {
  const { database } = ctx;
  const { provider } = requireCompany(ctx);
  const { staff } = visitor;
  const secret = visitor.companySecret ?? "";
  const answer = new URLSearchParams(given);
  // A foreign answer uses up no flow. One of our own was counted when it began.
  const flow = hasState(answer, secret) ? await takeFlow(database, secret) : null;
  if (flow === null) {
    await countVisit(database, visitor);
    throw unknownAnswer();
  }
  const isSignIn = flow.purpose === "company_sign_in";
  if (!isSignIn && (staff?.userId !== flow.userId || staff?.sessionId !== flow.sessionId)) throw unknownAnswer();
  const isProof = flow.purpose === "company_proof";
  const person = await asked(ctx, provider, () =>
    provider.exchange(answer, secret, { ...flow, isProof, isAnew: !isSignIn }),
  );
  if (isSignIn) return signInAs(ctx, visitor, entryOf(provider, person, flow.now), person);
  return isProof ? proveAs(ctx, staff!, provider, person) : link(ctx, staff!, provider, person);
}

async function signInAs(ctx: StaffContext, visitor: Visitor, entry: Entry, person: Person) {
  const { database } = ctx;
  const { sealing } = requireCompany(ctx);
  const known = await findUserOf(database, entry);
  if (known !== null && known.totpConfirmedAt !== null)
    return { ticket: await issueTicket(database, known.id, sealEntry(sealing, known.id, entry)) };
  return beginSession(ctx, visitor, async (db) => {
    const user = (await findUserOf(db, entry)) ?? (await addUser(db, ctx, visitor, entry, person));
    // The app was added since.
    if (user.totpConfirmedAt !== null) throw unknownAnswer();
    return { user, method: "company", company: await enterByCompany(db, ctx, user, entry) };
  });
}

async function findUserOf(db: Db, { issuer, subject }: Entry): Promise<User | null> {
  const userId = await findLinkedUser(db, issuer, subject);
  return userId === null ? null : findUser(db, userId);
}

/** Makes a user of a person whose groups give something, and whose address the provider verified. Takes over no user. */
async function addUser(db: Db, ctx: StaffContext, visitor: Visitor, entry: Entry, person: Person): Promise<User> {
  const { name: company, ...settings } = requireCompany(ctx).provider.settings;
  const grant = grantOf(settings, entry.groups);
  const refuse = (message: string) => new ActionError("company_unknown", message);
  const businesses = [...grant.roles.keys()];
  const missing = await listMissingBusinesses(db, businesses);
  if (missing.length === businesses.length && !grant.isOperator)
    throw refuse(
      `No user is linked to your sign-in at ${company}, and none of your groups has a role here. If you have a user, sign in another way and link it under Your account.`,
    );
  const email = person.email === null ? null : parseEmail(person.email);
  if (email === null)
    throw refuse(
      `${company} does not say that it verified your email address. Ask for an invitation, then link your user under Your account.`,
    );
  const name = person.name !== null && isUserName(person.name) ? person.name : email.shown.split("@")[0]!;
  const user = await insertUser(db, { email, name, password: null, isOperator: false, isArbiter: false });
  if (user === null)
    throw refuse(
      `${email.shown} already has a user. Sign in to it another way, then link it to ${company} under Your account.`,
    );
  if (!(await insertIdentity(db, entry.issuer, entry.subject, user.id))) throw unknownAnswer();
  await logUser(db, actorOf(user, visitor), user.id, "signed_up", { by: "company" });
  return user;
}

async function link(ctx: StaffContext, staff: Staff, { settings }: Provider, { subject, ...known }: Person) {
  const { userId, email, actor } = staff;
  const person = known.email ?? subject;
  return ctx.database.transaction(async (db) => {
    if (!(await insertIdentity(db, settings.issuer, subject, userId)))
      throw new ActionError(
        "company_linked",
        `You, or the person that you signed in as at ${settings.name}, are linked already.`,
      );
    await logUser(db, actor, userId, "company_linked", { issuer: settings.issuer, person });
    await notifyUser(db, { id: userId, email }, { notice: "company_linked", person }, actor);
    return { linked: true } as const;
  });
}

async function proveAs({ database }: StaffContext, staff: Staff, { settings }: Provider, person: Person) {
  const { userId, sessionId } = staff;
  if ((await findLinkedUser(database, settings.issuer, person.subject)) !== userId)
    throw new ActionError("company_not_linked", `At ${settings.name} you signed in as somebody else.`);
  return database.transaction(async (db) => {
    const user = await lockUser(db, userId);
    if (user.totpConfirmedAt !== null) throw unknownAnswer();
    return { provenSecret: await proveSession(db, userId, sessionId, person.authenticatedAt) };
  });
}

/**
 * Removes the link: sessions by the company end, and with them the roles of groups. Throws {@link ActionError}:
 * `company_unavailable`, `company_not_linked`, `last_credential`.
 */
export async function unlinkCompany(ctx: StaffContext, { userId, email, actor }: Staff): Promise<void> {
  const { issuer, name } = requireCompany(ctx).provider.settings;
  await ctx.database.transaction(async (db) => {
    await lockUser(db, userId);
    if (!(await hasOwnCredential(db, userId)))
      throw new ActionError("last_credential", "Without it you could not sign in. Add a passkey or a password first.");
    if (!(await dropIdentities(db, { id: userId, email })))
      throw new ActionError("company_not_linked", `You are not linked to ${name}.`);
    await logUser(db, actor, userId, "company_unlinked", { issuer });
    await notifyUser(db, { id: userId, email }, { notice: "company_unlinked" }, actor);
  });
}

/** Asks the provider. What it answers goes to the log, and to the user in words that help. */
async function asked<Result>(
  { log }: StaffContext,
  { settings }: Provider,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const { name } = settings;
    if (error instanceof ProviderAwayError) {
      log(`Company sign-in: ${error.message}`, undefined, "error");
      throw new ActionError(
        "company_unavailable",
        `${name} cannot be reached. Try again in a few minutes, or sign in by password or passkey.`,
      );
    }
    if (!(error instanceof ProviderAnswerError)) throw error;
    log(`Company sign-in: ${error.message}`, undefined, "warn");
    throw error.isRefusal
      ? new ActionError("company_refused", `${name} did not sign you in. Start again, or sign in another way.`)
      : new ActionError("company_answer_invalid", `The answer of ${name} was not accepted. Start again.`);
  }
}
