import { showLife } from "../../../chain/lifetime.ts";
import type { JsonText } from "../../../domain/show.ts";
import { type BuyerCall, type BuyerRoute, buyerRoute, countOf, memberOf } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Languages } from "../../../edge/buyer/languages.ts";
import { ok, type Reply } from "../../../edge/http/route.ts";
import type { Language } from "../languages/language.ts";
import type { SponsorTurn } from "../sponsoring/offer.ts";
import { type BuildDeps, type CheckoutTransaction, createBuilds, requireView } from "./build.ts";
import { findTermsByHash } from "./fragments.ts";
import { requirePayable } from "./refusals.ts";
import { fetchPaymentLife, reportSignature, type SubmitDeps, submitTransaction } from "./submit.ts";
import { describePayment, ICON, ICON_PATH, REQUEST, showLabel, showRequested } from "./transactionRequest.ts";

/** Buyers of one payment link who wait for its lock, in this process. */
export const SEATS_WAITING_MAX = 500;

export interface PayingDeps extends BuildDeps, SubmitDeps {
  readonly checkoutUrl: string;
  readonly languages: Languages<Language>;
}

/** Signed transactions and signatures that one network may submit for one intent per minute. */
const REPORTS_MAX = 20;
/** A page asks every few seconds while a wallet has not answered. */
export const LIVES_MAX = 60;
const TERMS_HASH = /^[0-9a-f]{64}$/;

/**
 * The routes by which a buyer pays: transactions to sign, the relay for signed ones, and the terms texts that they
 * name (§4.14).
 */
export function payingRoutes(deps: PayingDeps): BuyerRoute[] {
  const { database, checkoutUrl, languages } = deps;
  const build = createBuilds(deps);
  const [countReport, countLife] = [countOf(REPORTS_MAX, "id"), countOf(LIVES_MAX, "id")];
  const buildFor = (call: BuyerCall, turn: SponsorTurn | null) =>
    build(call.params.id!, memberOf(call, "account"), call.network, turn);
  return [
    buyerRoute("POST", "/pay/i/:id/build", { from: "page" }, async (call) =>
      ok(showTransaction(await buildFor(call, memberOf(call, "sponsored") === true ? "last" : null))),
    ),
    buyerRoute("POST", "/pay/i/:id/submit", { from: "page" }, async (call) => {
      countReport(call);
      return accepted(await submitTransaction(deps, call.params.id!, memberOf(call, "transaction")));
    }),
    buyerRoute("POST", "/pay/i/:id/seen", { from: "page" }, async (call) => {
      countReport(call);
      const signature = memberOf(call, "signature");
      await reportSignature(deps, call.params.id!, signature, memberOf(call, "transaction"));
      return accepted(signature);
    }),
    buyerRoute("POST", "/pay/i/:id/life", { from: "page", isAskedByPages: true }, async (call) => {
      countLife(call);
      const [transaction, payment] = ["transaction", "payment"].map((name) => memberOf(call, name));
      return ok(showLife(await fetchPaymentLife(deps, call.params.id!, { transaction, payment })));
    }),
    buyerRoute("GET", "/pay/i/:id/request", REQUEST, async ({ params }) => {
      const view = await requireView(database, params.id!);
      requirePayable(view);
      return ok(showLabel(view.profile.name, checkoutUrl));
    }),
    buyerRoute("POST", "/pay/i/:id/request", REQUEST, async (call) => {
      const { view, built } = await buildFor(call, "first");
      const { locale } = view.intent;
      const accepted = call.headers["accept-language"];
      const { page } = languages.choose({ locale, accepted, business: view.profile.locale });
      return ok(showRequested(built, describePayment(page, view), `${checkoutUrl}/pay/i/${view.intent.id}`));
    }),
    buyerRoute("GET", ICON_PATH, { from: "link" }, async () => ({
      ...ok(ICON as JsonText),
      headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" },
    })),
    buyerRoute("GET", "/pay/terms/:hash", { from: "link" }, async ({ params }) => {
      const hash = params.hash!;
      const text = TERMS_HASH.test(hash) ? await findTermsByHash(database, hash) : null;
      if (text === null) throw new BuyerError("not_found", (texts) => texts.noTerms);
      const partial = withholdIntent(text);
      if (partial !== null) return ok(partial);
      // The hash fixes the bytes for ever.
      return { ...ok(text as JsonText), headers: { "cache-control": "public, max-age=31536000, immutable" } };
    }),
  ];
}

const accepted = (signature: unknown): Reply => ({ status: 202, body: JSON.stringify({ signature }) as JsonText });

/**
 * The hash is public on chain, and a text of version 1 names its intent, whose page is only for its buyer. So the intent
 * is left out, as the changed text states. Null if nothing has to be withheld.
 */
function withholdIntent(text: string): JsonText | null {
  const { intent, ...others } = JSON.parse(text);
  if (intent === undefined) return null;
  return JSON.stringify({
    ...others,
    note: "The intent is left out here: the hash is that of the whole text.",
  }) as JsonText;
}

function showTransaction({ built, notAfter, sponsor, isSeated }: CheckoutTransaction): JsonText {
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
    lastValidBlockHeight: Number(built.lastValidBlockHeight),
    fee: {
      networkLamports: network.toString(),
      recordLamports: record.toString(),
      vaultLamports: vault.toString(),
      tokenAccountLamports: tokenAccount.toString(),
      totalLamports: total.toString(),
      tombstoneLamports: tombstone.toString(),
    },
    sponsored: sponsor !== null,
    seated: isSeated,
  }) as JsonText;
}
