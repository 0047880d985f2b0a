import type { AuditEntry } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

type Labels = Readonly<Record<string, string | undefined>>;
const ACTIONS: Labels = texts.audit.actions;
const DETAILS: Labels = texts.audit.details;
const PLACES: Labels = texts.audit.places;

/** Returns the text of an action; an action of another version is shown by its name. */
export const textOf = ({ action }: AuditEntry): string => ACTIONS[action] ?? action;

/** Returns the place of an actor: a network address, unless it acts without one. */
export const placeOf = ({ id, address }: AuditEntry["actor"]): string | null => PLACES[id] ?? address;

/** The details of an entry as pairs of texts, in the order in which they were recorded. */
export const detailsOf = ({
  details,
}: Pick<AuditEntry, "details">): readonly (readonly [name: string, text: string])[] =>
  Object.entries(details as Readonly<Record<string, unknown>>).map(([name, value]) => [
    DETAILS[name] ?? name,
    value === null ? texts.audit.none : typeof value === "string" ? value : JSON.stringify(value),
  ]);
