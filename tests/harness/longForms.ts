/**
 * The test files that have a long form, each with the folders that it guards: the long form runs when one of them has
 * changed, and before a release.
 */
export const LONG_FORMS: Readonly<Record<string, readonly string[]>> = {
  "tests/e2e/receiptActions.test.ts": ["server/features/checkout/receipt", "web/checkout", "web/ui"],
  "tests/e2e/states.test.ts": ["server/edge/html", "server/features/checkout", "web/checkout", "web/ui"],
  "tests/e2e/walletApp.test.ts": ["server/features/checkout/page", "web/checkout", "web/wallet"],
  "tests/faults/planted.test.ts": ["server", "devnet", "program", "tests/faults"],
  "web/decoder/action.test.ts": ["escrow-client", "web/decoder"],
  "web/decoder/index.test.ts": ["escrow-client", "web/decoder"],
};
