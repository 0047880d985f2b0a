import type { AccountEntry } from "../api/schema.ts";

type Action = AccountEntry["action"];
type Details = Readonly<Record<string, string | undefined>>;

/** Each action in words. An action that the service has and this list has not does not compile. */
const ACTION_TEXTS: Readonly<Record<Action, string>> = {
  added: "Your user was added",
  demo_login_made: "The user of the demo was made",
  signed_up: "You signed up",
  signed_in: "Signed in",
  signed_out: "Signed out",
  session_ended: "Ended a session",
  sessions_ended: "Signed out everywhere",
  tries_used_up: "Too many wrong tries to sign in",
  reset_asked: "A link for a new password was asked for",
  reset_link_made: "The operator made a link for a new password",
  password_changed: "Set a new password",
  password_exposed: "Too many wrong codes followed your password",
  passkey_added: "Added a passkey",
  passkey_removed: "Removed a passkey",
  second_factor_added: "Added the authenticator app",
  second_factor_removed: "Removed the authenticator app",
  backup_codes_renewed: "Made new backup codes",
  roles_changed: "The operator changed what you may do in the deployment",
};

export const textOf = ({ action }: Pick<AccountEntry, "action">): string =>
  (ACTION_TEXTS as Readonly<Record<string, string | undefined>>)[action] ?? action;

const METHODS: Details = {
  password: "by password",
  password_and_code: "by password and code",
  password_and_backup_code: "by password and backup code",
  passkey: "by passkey",
  link: "by link",
};
/** Whose tries were used up (§13.4.5). */
const LIMITS: Details = {
  guess: "Wrong passwords from one place",
  account: "Wrong passwords from many networks",
  address: "Requests from one network",
  code: "Wrong codes",
  "backup-code": "Wrong backup codes",
};

/** More about an entry, as a text; null: there is no more. */
export function detailOf({ action, details }: Pick<AccountEntry, "action" | "details">): string | null {
  const { method, browser, limit, name, by, isOperator, isArbiter } = details as Details;
  switch (action) {
    case "signed_in":
      return [METHODS[method ?? ""] ?? method, browser === "new" ? "with a new browser" : undefined]
        .filter((one) => one !== undefined)
        .join(", ");
    case "tries_used_up":
      return LIMITS[limit ?? ""] ?? limit ?? null;
    case "password_exposed":
      return "Somebody else may have it. Until you set a new one, browsers that you did not use before do not accept it.";
    case "password_changed":
      return by === "link" ? "by link" : null;
    case "passkey_added":
    case "passkey_removed":
      return by === "link" ? `${name}, with a new password by link` : (name ?? null);
    case "added":
    case "roles_changed":
      return `operator: ${isOperator === "true" ? "yes" : "no"}, arbiter: ${isArbiter === "true" ? "yes" : "no"}`;
    default:
      return null;
  }
}

/** From where: the network, or who acts without one. */
export function placeOf({ actor, details }: Pick<AccountEntry, "actor" | "details">): string {
  const { network } = details as Details;
  return network ?? actor.address ?? (actor.id === "cli" ? "the command line" : "the service");
}
