/** The form of a constant table of texts: any other text in place of each, and functions with the same values. */
export type Widened<Value> = Value extends string
  ? string
  : Value extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Name in keyof Value]: Widened<Value[Name]> };
