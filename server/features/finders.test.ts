import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const FEATURES = fileURLToPath(new URL(".", import.meta.url));

/**
 * Exported finders that take no tenant, each with the reason. A finder that a request of a merchant, of staff or of a buyer
 * can reach belongs here only if it is what finds the tenant; its name says so.
 */
const WITHOUT_TENANT: Readonly<Record<string, string>> = {
  listBusinesses: "the businesses of the instance, for the CLI verb that lists them",
  findBusinessOfKey: "finds the business of a key, for a CLI verb that names the key alone",
  findTenantOfEndpoint: "finds the tenant of an endpoint, for a CLI verb that names the endpoint alone",
  findTenantsByPaymentId: "finds the tenants of payments on chain",
  findCheckout: "a checkout link brings only the intent's id",
  listCheckoutStates: "a checkout link brings only the intent's id, and several may be open",
  findPayable: "a checkout link brings only the intent's id",
  findOrder: "a checkout link brings only the intent's id",
  findKeyHash: "takes a key, which carries its business",
  findInFlight: "takes an intent, which carries its tenant",
  findHold: "shows what holds the watermark of an environment",
  findOpenSlot: "a step of the feed, which goes over all businesses of an environment",
  findAddress: "takes a dispute, which carries its tenant",
  listPlainAddresses: "a step that encrypts what was stored before, which goes over all disputes",
  listQuotes: "rates of currencies, the same for every business",
  findOpenSponsorship: "takes an intent, which carries its tenant",
  findLinkById: "a payment link brings its id alone",
  findLogoByHash: "a page of a shop that shows its logo names it by its hash alone",
  findTermsByHash: "a link to a terms text brings its hash alone",
  listRecorded: "takes many payments at once, each with its tenant",
  findIntents: "takes many intents at once, each with its tenant",
  listLastSequences: "takes many tenants at once",
  findTenantByPaymentAddress: "finds the tenant of a recorded payment",
  findSuspicion: "a step of the finality loop, which goes over all businesses of an environment",
  listDueByClock: "a step of the clock of disputes, which goes over all businesses of an environment",
  listDisputesAndWaits: "takes many payments at once, each with its tenant",
  listDisputesOf: "takes many payments at once, each with its tenant",
  listUnfinished: "a step of the recheck loop, which goes over all businesses of an environment",
  listUnfinalized: "a step of the finality loop, which goes over all businesses of an environment",
  listPaidTenants: "the businesses whose days are summed anew, for the CLI verb that does it for all",
  listPaidBusinesses: "the businesses whose books are compared, for the CLI verb that compares all",
  listBusinessesDue: "a step of the keeper, which goes over all businesses of an environment",
  listSettleableUnannounced: "a step of the settleable loop, which goes over all businesses of an environment",
  listUnmatchedBefore: "payments of no business",
  listUnmatched: "payments of no business, for the CLI verb that lists them",
  listKnownAddresses: "a step of the reconciliation, which goes over all payments of an environment",
  findDueReconciliation: "a row of the environment's chain",
  findCursor: "a row of the environment's chain",
  findProgress: "a row of the environment's chain",
  findProcessedBelow: "the inbox of the environment's chain",
  findIntentState: "takes an intent, which carries its tenant",
  findChain: "a row of the environment's chain",
  findDeployment: "a row of the environment's chain",
  listKnownAssets: "what the chain says of mints, the same for every business",
  listChains: "rows of the environments' chains",
  findPaymentByAddress: "a receipt's link brings only the payment's address",
  listDeployments: "rows of the environments' chains",
  findProvableByAddress: "the link of a dispute's page brings only the payment's address",
  findContent: "takes a payment, which carries its tenant",
  listCases: "open pages of disputes are followed by the payment's address alone",
  findMailbox: "a mailbox's page brings its key alone; buyers buy from several businesses",
  findSealedSecret: "the deployment's own",
  listErasable: "a step of the upkeep, which goes over all businesses",
  findSession: "takes a payment, which carries its tenant",
  listSessions: "takes a payment, which carries its tenant",
  findReceiptFacts: "a receipt's link brings only the payment's address",
  findActiveKey: "keys of receipts belong to the deployment",
  listSigningKeys: "keys of receipts belong to the deployment",
  listReceiptKeys: "keys of receipts belong to the deployment",
  listOutdatedMints: "what the chain says of mints, the same for every business",
  findDecimals: "what the chain says of a mint, the same for every business",
  listTokenRates: "what tokens are worth, the same for every business",
  listKnownDays: "rates of currencies, the same for every business",
  findKnownRates: "what currencies and tokens are worth, the same for every business",
  findAsset: "what the chain says of a mint, the same for every business",
  findRecipient: "what the chain says of an address, the same for every business",
  findUserByEmail: "a sign-in brings only the address; users belong to no business",
  findWaits: "the operator's choice, the same for every business",
  findUser: "users belong to no business",
  listUsers: "users belong to no business; the command line alone asks",
  findLinkedUser: "a sign-in brings only a person of the provider; users belong to no business",
  listGroupMemberships: "the businesses of a user in which groups of the provider give roles",
  listMissingBusinesses: "ids of a setting of the deployment",
  listForgotten: "a step of the company sign-in, which goes over all users",
  findSignInWays: "what a user has to sign in with; users belong to no business",
  listSessionsOfUser: "sessions belong to users, not to a business",
  listPasskeysOfUser: "passkeys belong to users, not to a business",
  listCredentialIds: "passkeys belong to users, not to a business",
  findBrowser: "browsers belong to users, not to a business",
  listHistory: "what happened to a user; users belong to no business",
  listDisputeEmails: "the emails that a user gets, over all their businesses",
  listMemberships: "finds the businesses of the user who asks",
  listBusinessSummaries: "the names of all businesses, for operators",
  listDeliveriesOf: "takes an endpoint, which carries its tenant",
  listMisplaced: "the endpoints that a worker leases, of all businesses",
  listQueue: "the queue of the arbiter, who decides for all businesses of the deployment",
  findDeskDispute: "the arbiter brings only the id of a dispute, of any business",
  findDeskState: "the arbiter brings only the id of a dispute, of any business",
  listArbiters: "users belong to no business",
  listReaders: "takes a dispute, which carries its tenant; arbiters belong to no business",
  listOutcomes: "the operator's words, the same for every business",
  listLoose: "payments of no business, for the arbiter",
  findUploadByToken: "an upload brings its token alone, which establishes the business",
  listSlots: "takes an upload, which carries its tenant",
  findDisputeOf: "the command line brings the address of a payment, which establishes the business",
  listErasures: "erasures of all businesses, for operators",
  listKept: "a step of the upkeep, which goes over all businesses",
  listForArbiter: "the disputes that wait for the arbiter of the deployment, for operators",
  findDeploymentRow: "a row of the environment's chain",
  findOldestDue: "what the keeper of the environment has to pay out, for operators",
  listDecimals: "what the chain says of mints, the same for every business",
  listOfSender: "finds the receipts of a wallet, whatever the business; they are public",
  listOfSignature: "finds the receipts of a transaction, whatever the business; they are public",
  listReceipts: "a receipt's link brings only the payment's address",
  listReceiptsWithToken: "a receipt's link brings only the payment's address",
  listReceiptPages: "a receipt's link brings only the payment's address",
  findDecidedPayment: "takes a dispute, which carries its tenant",
  findTexts: "takes a dispute, which carries its tenant",
};

interface Finder {
  readonly name: string;
  readonly hasTenant: boolean;
}

const EXPORTED = /^export (?:async function|function|const) ((?:find|list)[A-Z]\w*)(?: = (?:async )?)?\(([^)]*)\)/gm;
/** A reader finds by addresses or links alone. */
const READER = /^export const ((?:find|list)[A-Z]\w*) = (?:payment|intent)Reader\(/gm;
const TENANT_SECOND =
  /^\s*\w+: (?:Db|Database),\s*(?:(?:tenant|\{[\w, ]+\}): Tenant|businessId: string|\{ businessId, id \}: Endpoint)\b/;

/** The exported functions of a module that find or list rows, each with true if its first need is a tenant. */
const readFinders = (text: string): Finder[] => [
  ...[...text.matchAll(EXPORTED)]
    .filter(([, , parameters]) => /^\s*\w+: (?:Db|Database)\b/.test(parameters!))
    .map(([, name, parameters]) => ({ name: name!, hasTenant: TENANT_SECOND.test(parameters!) })),
  ...[...text.matchAll(READER)].map(([, name]) => ({ name: name!, hasTenant: false })),
];

const listModules = (): string[] =>
  readdirSync(FEATURES, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );

test("an exported finder takes the tenant first, or is listed with the reason why it cannot", () => {
  const finders = listModules().flatMap((path) => readFinders(readFileSync(`${FEATURES}${path}`, "utf8")));
  assert.ok(finders.filter(({ hasTenant }) => hasTenant).length > 5, "the test sees finders");
  const withoutTenant = new Set(finders.filter(({ hasTenant }) => !hasTenant).map(({ name }) => name));
  assert.deepEqual([...withoutTenant].sort(), Object.keys(WITHOUT_TENANT).sort());
});

test("a finder without a tenant is seen", () => {
  const planted = `
export async function findKey(db: Db, id: string): Promise<Key | null> {}
export const listKeys = (
  db: Db,
  tenant: Tenant,
  id: string,
) => db.rows(sql\`\`);
export const listHours = (db: Db, { businessId, environment }: Tenant, since: Date) => db.rows(sql\`\`);
export const findNoun = (text: string) => text;
export const listViews = paymentReader({ token: TOKEN });`;
  assert.deepEqual(readFinders(planted), [
    { name: "findKey", hasTenant: false },
    { name: "listKeys", hasTenant: true },
    { name: "listHours", hasTenant: true },
    { name: "listViews", hasTenant: false },
  ]);
});
