import type { Actor } from "../../domain/callers.ts";
import type { BusinessNotice, NotifyOwners } from "../../domain/notices.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import type { StaffDeps } from "./deps.ts";
import { type Letter, quoteName } from "./letters.ts";
import { isBeyond, type Limit } from "./tries.ts";

/** §13.3.5. Letters that report changes to an account or a business. They hold no secret, and no link that changes anything. */

const ACCOUNT_NOTICES = {
  password_changed: "Your password was changed",
  password_exposed: "Someone else may know your password",
  passkey_added: "A passkey was added to your account",
  passkey_removed: "A passkey was removed from your account",
  second_factor_added: "An authenticator app was added to your account",
  second_factor_removed: "The authenticator app was removed from your account",
  backup_codes_renewed: "Your backup codes were replaced",
  signed_in: "Your account was signed in to from a new browser",
  role_changed: "Your role in a business was changed",
} as const;
type AccountNotice = keyof typeof ACCOUNT_NOTICES;

const BUSINESS_NOTICES: Readonly<Record<BusinessNotice, string>> = {
  key_issued: "An API key was created",
  key_rolled: "An API key was rolled",
  endpoint_added: "A webhook endpoint was added",
  endpoint_moved: "The URL of a webhook endpoint was changed",
  role_changed: "The role of a member was changed",
  member_removed: "A member was removed",
  member_joined: "A member joined",
};

/** Letters per kind and user. A flood of one kind hides no other, and its first letters have warned the user. */
const NOTICE_LIMIT: Limit = { name: "notice", max: 5, seconds: 3_600, whenRight: "keep" };

/** The recipient of a notice. */
interface Reader {
  readonly id: string;
  readonly email: string;
}

interface Happened {
  /** The network of the request. */
  readonly address: string;
  /** A further sentence. */
  readonly more?: string;
}

/** Sends a user a notice about their account, after the answer. */
export function notifyUser(
  deps: StaffDeps,
  reader: Reader,
  notice: AccountNotice,
  { address, more = "" }: Happened,
): void {
  const { dashboardUrl } = deps;
  const at = new Date();
  send(deps, reader, notice, () => ({
    to: reader.email,
    subject: ACCOUNT_NOTICES[notice],
    text: `${ACCOUNT_NOTICES[notice]}${showWhere(address, at)}.${more === "" ? "" : ` ${more}`}\n\n${adviceOn(notice, dashboardUrl)}The activity of your account: ${dashboardUrl}/account?tab=history\n`,
  }));
}

function adviceOn(notice: AccountNotice, dashboardUrl: string): string {
  if (notice === "role_changed") return "";
  if (notice === "password_exposed")
    return `Thirty wrong codes followed your password within one day. Set a new password: ${dashboardUrl}/forgot\nUntil then, your password works only in browsers that you have signed in with before.\n\n`;
  return `If this was you, you need not do anything. If it was not, set a new password, which ends all sessions and removes passkeys: ${dashboardUrl}/forgot\n\n`;
}

/** Further owners get no letter. */
const OWNERS_MAX = 20;

const listOwners = (db: Db, businessId: string): Promise<(Reader & { readonly business: string })[]> =>
  db.rows<Reader & { business: string }>(sql`
    select u.id, u.email, b.name as business from members m join users u on u.id = m.user_id join businesses b on b.id = m.business_id
    where m.business_id = ${businessId} and m.role = 'owner' order by m.created_at, m.user_id limit ${OWNERS_MAX}::integer`);

export const ownersNotifier =
  (deps: StaffDeps): NotifyOwners =>
  (businessId, notice, actor, about) => {
    const { database, outbox, dashboardUrl } = deps;
    if (!outbox.canSend) return;
    const at = new Date();
    outbox.add("notice", businessId, async () => {
      for (const { business, ...owner } of await listOwners(database, businessId))
        send(deps, owner, `${notice} ${businessId}`, () => ({
          to: owner.email,
          subject: BUSINESS_NOTICES[notice],
          text: `${BUSINESS_NOTICES[notice]} in your business ${quoteName(business)}: ${quoteName(about)}, ${showActor(actor, at)}.\n\nSee the audit log: ${dashboardUrl}/${businessId}/test/audit\n`,
        }));
      return null;
    });
  };

function send({ database, outbox }: StaffDeps, { id }: Reader, subject: string, draft: () => Letter): void {
  if (!outbox.canSend) return;
  outbox.add("notice", id, async () =>
    (await isBeyond(database, { limit: NOTICE_LIMIT, subject: `${subject} ${id}` })) ? null : draft(),
  );
}

const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

const showWhere = (address: string | null, at: Date): string =>
  ` on ${TIME.format(at)} UTC${address === null ? "" : `, from the network ${address}`}`;

const showActor = (actor: Actor, at: Date): string =>
  actor.kind === "user" ? `by ${actor.email}${showWhere(actor.address, at)}` : `by the operator${showWhere(null, at)}`;
