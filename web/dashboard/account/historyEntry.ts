import type { AccountEntry } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

type Details = Readonly<Record<string, string | undefined>>;

/** The text of each action. An action of the service without a text does not compile. */
const ACTIONS: Readonly<Record<AccountEntry["action"], string>> = texts.account.history.actions;
const METHODS: Details = texts.account.history.methods;
/** The texts of the limits of attempts (§13.4.5). */
const LIMITS: Details = texts.account.history.limits;

export const textOf = ({ action }: Pick<AccountEntry, "action">): string => (ACTIONS as Details)[action] ?? action;

/** Details of an entry, as a text; null if it has none. */
export function detailOf({ action, details }: Pick<AccountEntry, "action" | "details">): string | null {
  const { method, browser, limit, name, person, by, isOperator, isArbiter } = details as Details;
  switch (action) {
    case "signed_in":
      return [METHODS[method ?? ""] ?? method, browser === "new" ? texts.account.history.newBrowser : undefined]
        .filter((part) => part !== undefined)
        .join(", ");
    case "tries_used_up":
      return LIMITS[limit ?? ""] ?? limit ?? null;
    case "password_exposed":
      return texts.account.history.exposed;
    case "company_linked":
      return person ?? null;
    case "password_changed":
    case "company_unlinked":
      return by === "link" ? texts.account.history.changedByLink : null;
    case "passkey_added":
    case "passkey_removed":
      return by === "link" ? texts.account.history.passkeyByReset(name) : (name ?? null);
    case "added":
    case "roles_changed":
      if (by === "group") return texts.account.history.operatorByGroup(isOperator === "true");
      return texts.account.history.roles(isOperator === "true", isArbiter === "true");
    default:
      return null;
  }
}

/** The network that an action came from, or the actor without one. */
export function placeOf({ actor, details }: Pick<AccountEntry, "actor" | "details">): string {
  const { network } = details as Details;
  const { commandLine, service } = texts.account.history;
  return network ?? actor.address ?? (actor.id === "cli" ? commandLine : service);
}
