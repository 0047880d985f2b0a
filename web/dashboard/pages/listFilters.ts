import type { ListId } from "../api/client.ts";
import { FILTERS } from "../api/schema.ts";

type Declared<Id extends ListId> = (typeof FILTERS)[Id];
export type FilterName<Id extends ListId> = keyof Declared<Id> & string;
export type FilterValues = Readonly<Record<string, string | undefined>>;
export type Options = readonly (readonly [value: string, text: string])[];

export interface Labels {
  readonly label: string;
  readonly placeholder?: string;
  readonly hint?: string;
}
interface ChoiceLabels<Choice extends string> {
  readonly label: string;
  /** The texts of the choices; default: each choice itself. */
  readonly choices?: Readonly<Record<Choice, string>>;
}
type LabelsOf<Filter> = Filter extends { readonly choices: readonly (infer Choice extends string)[] }
  ? ChoiceLabels<Choice>
  : Filter extends { readonly kind: "flag" }
    ? ChoiceLabels<"true" | "false">
    : Labels;
/** The texts of a list's filters, in the order of the form. */
export type FilterTexts<Id extends ListId> = {
  readonly [Name in FilterName<Id>]: string | LabelsOf<Declared<Id>[Name]>;
};
/** The options of filters that come from data. */
export type FilterOptions<Id extends ListId> = { readonly [Name in FilterName<Id>]?: Options };

/** The names of a list's filters, which are also those in its address. */
export const filterNames = <Id extends ListId>(id: Id): readonly FilterName<Id>[] =>
  Object.keys(FILTERS[id]) as FilterName<Id>[];
