const RECORDING = ["server/chain", "server/features/recording", "server/store", "devnet"];
const DELIVERIES = ["server/features/webhooks", "server/store"];

/**
 * The test files that have a long form, each with the folders that it guards: the long form runs when one of them has
 * changed, and before a release.
 */
export const LONG_FORMS: Readonly<Record<string, readonly string[]>> = {
  "cli/tests/listen.test.ts": ["cli", "sdk"],
  "cli/tests/local.test.ts": ["cli", "devnet", "server/features/recording", "server/features/settlement"],
  "devnet/tests/durability.test.ts": ["devnet"],
  "program/tests/features.test.ts": ["program", "escrow-client"],
  "program/tests/kinds.test.ts": ["program", "escrow-client"],
  "program/tests/lamports.test.ts": ["program", "escrow-client"],
  "program/tests/model.test.ts": ["program", "escrow-client"],
  "program/tests/olderRent.test.ts": ["program", "escrow-client"],
  "sdk/tests/creates.test.ts": ["sdk", "server/edge/http"],
  "sdk/tests/follow.test.ts": ["sdk", "server/features/events"],
  "server/chain/solana/sender.test.ts": ["server/chain"],
  "server/chain/solana/sponsored.test.ts": ["server/chain"],
  "server/features/events/queries.test.ts": ["server/features/events"],
  "server/features/overview/dayTotals.test.ts": ["server/features/overview", "server/features/recording"],
  "server/features/staff/tenants.test.ts": ["server"],
  "server/features/webhooks/delivery/claims.test.ts": ["server/features/webhooks"],
  "server/features/webhooks/delivery/leases.test.ts": ["server/features/webhooks"],
  "server/features/webhooks/delivery/worker.test.ts": ["server/features/webhooks"],
  "testing/tests/conform.test.ts": ["testing"],
  "testing/tests/instance.test.ts": ["testing", "server/process"],
  "tests/e2e/receiptActions.test.ts": ["server/features/checkout/receipt", "web/checkout", "web/ui"],
  "tests/e2e/slowWallets.test.ts": ["server/chain", "server/features/checkout", "web/checkout", "web/wallet"],
  "tests/e2e/states.test.ts": ["server/edge/html", "server/features/checkout", "web/checkout", "web/ui"],
  "tests/faults/books.test.ts": ["server/features/books", ...RECORDING],
  "tests/faults/emailKill.test.ts": [
    "server/features/emails",
    "server/features/disputes/notices",
    "server/features/disputes/desk",
  ],
  "tests/faults/kill.test.ts": ["server", "devnet", "tests/faults"],
  "tests/faults/lies.test.ts": RECORDING,
  "tests/faults/noise.test.ts": RECORDING,
  "tests/faults/parallel.test.ts": RECORDING,
  "tests/faults/planted.test.ts": ["server", "devnet", "program", "tests/faults"],
  "tests/faults/rpc.test.ts": RECORDING,
  "tests/faults/sharedStatements.test.ts": ["server/edge", "server/features", "server/store"],
  "tests/faults/sponsor.test.ts": ["server/features/checkout", "server/chain", "program"],
  "tests/faults/webhookKill.test.ts": DELIVERIES,
  "tests/interface/5-keys.test.ts": ["server/edge", "server/features/keys", "server/store"],
  "tests/interface/9-raw-http.test.ts": ["server/edge"],
  "tests/journeys/receipts.test.ts": ["receipt", "server/features/receipts"],
  "tests/journeys/settlement.test.ts": ["program", "server/features/settlement"],
  "tools/packages.test.ts": ["tools", "sdk", "escrow-client", "receipt", "testing", "cli"],
  "web/decoder/action.test.ts": ["escrow-client", "web/decoder"],
  "web/decoder/index.test.ts": ["escrow-client", "web/decoder"],
};
