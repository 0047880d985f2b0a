const RULES = new Intl.PluralRules("en");
const FIGURES = new Intl.NumberFormat("en");

/** Returns the form for a count; `#` in it marks the place of the figure. */
export const plural = (count: number, forms: { readonly one: string; readonly other: string }): string =>
  (RULES.select(count) === "one" ? forms.one : forms.other).replace("#", FIGURES.format(count));
