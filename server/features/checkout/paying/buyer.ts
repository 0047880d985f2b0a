import type { JsonText } from "../../../domain/show.ts";
import { type BuyerCall, type BuyerRoute, tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { MinuteLimit } from "../../../edge/buyer/limits.ts";
import type { SponsorTurn } from "../sponsoring/offer.ts";
import { type BuildDeps, type CheckoutTransaction, createBuilds, requireView } from "./build.ts";
import { findTermsByHash } from "./queries.ts";
import { requirePayable } from "./refusals.ts";
import { reportSignature, type SubmitDeps, submitTransaction } from "./submit.ts";
import { ICON, ICON_PATH, showRequest, showRequestedTransaction } from "./transactionRequest.ts";

export interface PayingDeps extends BuildDeps, SubmitDeps {
  readonly checkoutUrl: string;
}

/** Signed transactions and signatures that one network hands in for one intent, in a minute. */
const REPORTS_MAX = 20;
const TERMS_HASH = /^[0-9a-f]{64}$/;

/** How a buyer pays: transactions to sign, the relay for those that are signed, and the terms texts that they name (§4.14). */
export function payingRoutes(deps: PayingDeps): BuyerRoute[] {
  const { database, checkoutUrl } = deps;
  const build = createBuilds(deps);
  const ofReports = new MinuteLimit(REPORTS_MAX);
  /** Of each network and intent: nobody with the link may use up what others need. */
  const limitReports = ({ params, network }: BuyerCall) => {
    const waitSeconds = ofReports.use(`${network} ${params.id}`, performance.now());
    if (waitSeconds !== null) throw tooMany(waitSeconds);
  };
  const buildFor = ({ params, input, network }: BuyerCall, turn: SponsorTurn | null) =>
    build(params.id!, input.get("account")?.value, network, turn);
  const isAsked = ({ input }: BuyerCall) => input.get("sponsored")?.value === true;
  return [
    {
      method: "POST",
      url: "/pay/i/:id/build",
      from: "page",
      run: async (call) => ({
        status: 200,
        body: showTransaction(await buildFor(call, isAsked(call) ? "last" : null)),
      }),
    },
    {
      method: "POST",
      url: "/pay/i/:id/submit",
      from: "page",
      run: async (call) => {
        limitReports(call);
        const { params, input } = call;
        const signature = await submitTransaction(deps, params.id!, input.get("transaction")?.value);
        return { status: 202, body: JSON.stringify({ signature }) as JsonText };
      },
    },
    {
      method: "POST",
      url: "/pay/i/:id/seen",
      from: "page",
      run: async (call) => {
        limitReports(call);
        const { params, input } = call;
        const signature = input.get("signature")?.value;
        await reportSignature(deps, params.id!, signature, input.get("transaction")?.value);
        return { status: 202, body: JSON.stringify({ signature }) as JsonText };
      },
    },
    {
      method: "GET",
      url: "/pay/i/:id/request",
      from: "open",
      showError: showRequestError,
      run: async ({ params }) => {
        const view = await requireView(database, params.id!);
        requirePayable(view);
        return { status: 200, body: showRequest(view, checkoutUrl) };
      },
    },
    {
      method: "POST",
      url: "/pay/i/:id/request",
      from: "open",
      showError: showRequestError,
      run: async (call) => ({
        status: 200,
        body: showRequestedTransaction(await buildFor(call, "first"), checkoutUrl),
      }),
    },
    {
      method: "GET",
      url: ICON_PATH,
      from: "link",
      run: async () => ({ status: 200, body: ICON, type: "image/svg+xml", cacheControl: "public, max-age=86400" }),
    },
    {
      method: "GET",
      url: "/pay/terms/:hash",
      from: "link",
      run: async ({ params }) => {
        const hash = params.hash!;
        const text = TERMS_HASH.test(hash) ? await findTermsByHash(database, hash) : null;
        if (text === null) throw new BuyerError("not_found", "No terms with this hash were shown here.");
        const partial = withholdIntent(text);
        if (partial !== null) return { status: 200, body: partial };
        // The bytes are what their hash says, for ever.
        return { status: 200, body: text as JsonText, cacheControl: "public, max-age=31536000, immutable" };
      },
    },
  ];
}

/**
 * The hash is public on chain, and a text of version 1 names its intent, whose page is for its buyer: without it such a text is
 * no longer what was hashed, and says so. Null: nothing has to be withheld.
 */
function withholdIntent(text: string): JsonText | null {
  const { intent, ...others } = JSON.parse(text);
  if (intent === undefined) return null;
  return JSON.stringify({
    ...others,
    note: "The intent is left out here: the hash is that of the whole text.",
  }) as JsonText;
}

/** The envelope of a transaction request. */
const showRequestError = ({ message }: BuyerError): string => JSON.stringify({ message });

function showTransaction({ built, notAfter, sponsor }: CheckoutTransaction): JsonText {
  const { tombstone } = built;
  const { network, record, vault, tokenAccount } = built.fee;
  const total = network + record + vault + tokenAccount;
  return JSON.stringify({
    object: "checkout_transaction",
    transaction: built.transaction,
    notAfter: notAfter.toISOString(),
    arbiter: built.arbiter,
    termsHash: built.terms.hash,
    terms: built.terms.text,
    payment: built.payment,
    fee: {
      networkLamports: network.toString(),
      recordLamports: record.toString(),
      vaultLamports: vault.toString(),
      tokenAccountLamports: tokenAccount.toString(),
      totalLamports: total.toString(),
      tombstoneLamports: tombstone.toString(),
    },
    sponsored: sponsor !== null,
  }) as JsonText;
}
