import { ActionError } from "../../../domain/actionError.ts";
import type { Sealing } from "../../../domain/sealing.ts";
import type { Db } from "../../../store/database.ts";
import type { StaffContext } from "../context.ts";
import { grantOf, NO_GRANT } from "../provider/company.ts";
import type { Confirmation, Person, Provider } from "../provider/provider.ts";
import type { User } from "../user.ts";
import { applyGrant } from "./grants.ts";
import { confirmIdentity, deleteIdentities, findLinkedUser } from "./queries.ts";

/** The beginning of a session by the company: what its provider said, and when. */
export interface Entry extends Confirmation {
  readonly issuer: string;
  readonly subject: string;
  readonly authenticatedAt: Date | null;
  /** The time of the provider's word, by the database. */
  readonly confirmedAt: Date;
}

export const entryOf = ({ settings: { issuer } }: Provider, person: Person, confirmedAt: Date): Entry => {
  const { subject, groups, refreshToken, authenticatedAt } = person;
  return { issuer, subject, groups, refreshToken, authenticatedAt, confirmedAt };
};

/** What the row of such a session holds. */
export interface CompanySession extends Pick<Entry, "issuer" | "subject" | "authenticatedAt" | "confirmedAt"> {
  /** The sealed refresh token. */
  readonly token: string | null;
  readonly isOperator: boolean;
}

const tokenBinding = (userId: string): string => `company token ${userId}`;
const ticketBinding = (userId: string): string => `company ticket ${userId}`;

export const sealToken = (sealing: Sealing, userId: string, token: string): string =>
  sealing.seal(tokenBinding(userId), token);
export const openToken = (sealing: Sealing, userId: string, sealed: string): string =>
  sealing.open(tokenBinding(userId), sealed);

/** Throws {@link ActionError} `company_unavailable` if the deployment sets no provider, or has no keys. */
export function requireCompany({ company, sealing }: StaffContext) {
  if (company === null)
    throw new ActionError(
      "company_unavailable",
      "This deployment has no company sign-in. Its operator sets COMPANY_SIGN_IN.",
    );
  if (sealing === null)
    throw new ActionError(
      "company_unavailable",
      "This deployment has no keys to encrypt secrets. Its operator sets WEBHOOK_KEYS_FILE.",
    );
  return { provider: company, sealing };
}

/** Keeps an entry until the code of the user's authenticator app is given. */
export const sealEntry = (sealing: Sealing, userId: string, entry: Entry): string =>
  sealing.seal(ticketBinding(userId), JSON.stringify(entry));

function openEntry(sealing: Sealing, userId: string, sealed: string): Entry {
  const entry = JSON.parse(sealing.open(ticketBinding(userId), sealed)) as Entry;
  const { authenticatedAt, confirmedAt } = entry;
  return {
    ...entry,
    authenticatedAt: authenticatedAt === null ? null : new Date(authenticatedAt),
    confirmedAt: new Date(confirmedAt),
  };
}

/** Gives a user the roles of their groups, in the transaction that begins the session. */
export async function enterByCompany(
  db: Db,
  ctx: StaffContext,
  user: Pick<User, "id" | "email">,
  { groups, refreshToken, ...entry }: Entry,
): Promise<CompanySession> {
  const { provider, sealing } = requireCompany(ctx);
  const grant = grantOf(provider.settings, groups);
  await confirmIdentity(db, entry.issuer, entry.subject);
  await applyGrant(db, user, grant);
  const token = refreshToken === null ? null : sealToken(sealing, user.id, refreshToken);
  return { ...entry, token, isOperator: grant.isOperator };
}

/** Goes on with a sign-in after the code of the app. Null if the user was unlinked since. */
export async function finishEntry(
  db: Db,
  ctx: StaffContext,
  user: Pick<User, "id" | "email">,
  sealed: string,
): Promise<CompanySession | null> {
  const entry = openEntry(requireCompany(ctx).sealing, user.id, sealed);
  if ((await findLinkedUser(db, entry.issuer, entry.subject)) !== user.id) return null;
  return enterByCompany(db, ctx, user, entry);
}

/** Removes a user's links, their sessions and the roles that came with them. Returns false if there was none. */
export async function dropIdentities(db: Db, user: Pick<User, "id" | "email">): Promise<boolean> {
  const isLinked = await deleteIdentities(db, user.id);
  if (isLinked) await applyGrant(db, user, NO_GRANT);
  return isLinked;
}
