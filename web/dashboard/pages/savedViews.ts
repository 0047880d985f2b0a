import type { FilterValues } from "./listFilters.ts";

/** The filters of a list under a name. */
export interface View {
  readonly title: string;
  readonly filters: FilterValues;
}

export const SAVED_VIEWS_MAX = 20;
export const VIEW_TITLE_CHARACTERS_MAX = 40;

const isView = (value: unknown): value is View => {
  const { title, filters } = (value ?? {}) as Partial<Record<keyof View, unknown>>;
  return (
    typeof title === "string" &&
    typeof filters === "object" &&
    filters !== null &&
    Object.values(filters).every((one) => typeof one === "string")
  );
};

/** Reads the views that this device has saved; anything else under the key counts as none. */
export function readViews(text: string | null): readonly View[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isView).slice(0, SAVED_VIEWS_MAX) : [];
  } catch {
    return []; // Another program of this address wrote it, or an older version.
  }
}

/** Returns the views with this one, which replaces one of the same name; the oldest goes when there are too many. */
export const withView = (views: readonly View[], view: View): readonly View[] =>
  [...views.filter(({ title }) => title !== view.title), view].slice(-SAVED_VIEWS_MAX);

/** Returns true if both choose the same rows. */
export function isSameView(one: FilterValues, other: FilterValues): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}
