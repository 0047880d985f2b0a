const isLong = process.env.TEST_FORM === "long";

/**
 * What a test takes in its short form, which `npm test` runs, and what in its long one, which `npm run faults -- long`
 * runs. Both hold the guarantee in the test's name; the long form holds it for more cases, kills or rounds. The file is
 * one of LONG_FORMS.
 */
export const inForm = <Value>({ short, long }: { readonly short: Value; readonly long: Value }): Value =>
  isLong ? long : short;
