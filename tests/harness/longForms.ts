/**
 * The test files that have a long form, each with the folders that it guards: the long form runs when one of them has
 * changed, and before a release.
 */
export const LONG_FORMS: Readonly<Record<string, readonly string[]>> = {
  "tests/faults/planted.test.ts": ["server", "devnet", "program", "tests/faults"],
};
