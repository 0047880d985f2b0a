const RECORDING = ["server/chain", "server/features/recording", "server/store", "devnet"];
const DELIVERIES = ["server/features/webhooks", "server/store"];

/**
 * The test files that have a long form, each with the folders that it guards: the long form runs when one of them has
 * changed, and before a release.
 */
export const LONG_FORMS: Readonly<Record<string, readonly string[]>> = {
  "tests/faults/planted.test.ts": ["server", "devnet", "program", "tests/faults"],
  "tests/faults/kill.test.ts": ["server", "devnet", "tests/faults"],
  "tests/faults/lies.test.ts": RECORDING,
  "tests/faults/rpc.test.ts": RECORDING,
  "tests/faults/noise.test.ts": RECORDING,
  "tests/faults/parallel.test.ts": RECORDING,
  "tests/faults/sponsor.test.ts": ["server/features/checkout", "server/chain", "program"],
  "tests/faults/books.test.ts": ["server/features/books", ...RECORDING],
  "tests/faults/webhookKill.test.ts": DELIVERIES,
  "tests/faults/sharedStatements.test.ts": ["server/edge", "server/features", "server/store"],
  "tests/faults/disputeFiles.test.ts": ["server/edge", "server/features/disputes"],
  "tests/interface/5-keys.test.ts": ["server/edge", "server/features/keys", "server/store"],
  "tests/interface/9-raw-http.test.ts": ["server/edge"],
  "tests/journeys/receipts.test.ts": ["receipt", "server/features/receipts"],
  "tests/journeys/settlement.test.ts": ["program", "server/features/settlement"],
};
