import { showLife } from "../../../chain/lifetime.ts";
import { type JsonText, showObject } from "../../../domain/show.ts";
import { SHA256 } from "../../../domain/values.ts";
import { type BuyerCall, type BuyerRoute, buyerRoute, countOf } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { ok, type Reply } from "../../../edge/http/route.ts";
import type { BuyerContext } from "../context.ts";
import type { SponsorTurn } from "../sponsoring/offer.ts";
import { type CheckoutTransaction, createBuilds, requireView } from "./build.ts";
import { findTermsByHash } from "./fragments.ts";
import { requirePayable } from "./refusals.ts";
import {
  BUILD_PAYMENT,
  CHECKOUT_TRANSACTION,
  FETCH_PAYMENT_LIFE,
  GET_ICON,
  GET_PAYMENT_REQUEST,
  GET_TERMS,
  HANDED_IN,
  MAKE_PAYMENT_REQUEST,
  REPORT_PAYMENT,
  SUBMIT_PAYMENT,
} from "./schema.ts";
import { fetchPaymentLife, reportSignature, submitTransaction } from "./submit.ts";
import { describePayment, ICON, ICON_PATH, showLabel, showRequested } from "./transactionRequest.ts";

/** Buyers of one payment link who wait for its lock, in this process. */
export const SEATS_WAITING_MAX = 500;

/** Signed transactions and signatures that one network may submit for one intent per minute. */
const REPORTS_MAX = 20;
/** A page asks every few seconds while a wallet has not answered. */
export const LIVES_MAX = 60;

/**
 * The routes by which a buyer pays: transactions to sign, the relay for signed ones, and the terms texts that they
 * name (§4.14).
 */
export function payingRoutes(ctx: BuyerContext): BuyerRoute[] {
  const { database, checkoutUrl, languages } = ctx;
  const build = createBuilds(ctx);
  const [countReport, countLife] = [countOf(REPORTS_MAX, "id"), countOf(LIVES_MAX, "id")];
  const buildFor = ({ params, network }: BuyerCall, account: string, turn: SponsorTurn | null) =>
    build(params.id!, account, network, turn);
  return [
    buyerRoute("POST", "/pay/i/:id/build", BUILD_PAYMENT, async (call) => {
      const { account, sponsored } = call.read();
      return ok(showTransaction(await buildFor(call, account, sponsored === true ? "last" : null)));
    }),
    buyerRoute("POST", "/pay/i/:id/submit", SUBMIT_PAYMENT, async (call) => {
      countReport(call);
      return accepted(await submitTransaction(ctx, call.params.id!, call.read().transaction));
    }),
    buyerRoute("POST", "/pay/i/:id/seen", REPORT_PAYMENT, async (call) => {
      countReport(call);
      const { signature, transaction } = call.read();
      await reportSignature(ctx, call.params.id!, signature, transaction);
      return accepted(signature);
    }),
    buyerRoute("POST", "/pay/i/:id/life", FETCH_PAYMENT_LIFE, async (call) => {
      countLife(call);
      return ok(showLife(await fetchPaymentLife(ctx, call.params.id!, call.read())));
    }),
    buyerRoute("GET", "/pay/i/:id/request", GET_PAYMENT_REQUEST, async ({ params }) => {
      const view = await requireView(database, params.id!);
      requirePayable(view);
      return ok(showLabel(view.profile.name, checkoutUrl));
    }),
    buyerRoute("POST", "/pay/i/:id/request", MAKE_PAYMENT_REQUEST, async (call) => {
      const { view, built } = await buildFor(call, call.read().account, "first");
      const { locale } = view.intent;
      const accepted = call.headers["accept-language"];
      const { page } = languages.choose({ locale, accepted, business: view.profile.locale });
      return ok(showRequested(built, describePayment(page, view), `${checkoutUrl}/pay/i/${view.intent.id}`));
    }),
    buyerRoute("GET", ICON_PATH, GET_ICON, async () => ({
      ...ok(ICON as JsonText),
      headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" },
    })),
    buyerRoute("GET", "/pay/terms/:hash", GET_TERMS, async ({ params }) => {
      const hash = SHA256.parse(params.hash);
      const text = hash === null ? null : await findTermsByHash(database, hash);
      if (text === null) throw new BuyerError("not_found", (texts) => texts.noTerms);
      const partial = withholdIntent(text);
      if (partial !== null) return ok(partial);
      // The hash fixes the bytes for ever.
      return { ...ok(text as JsonText), headers: { "cache-control": "public, max-age=31536000, immutable" } };
    }),
  ];
}

export const accepted = (signature: string): Reply => ({
  status: 202,
  body: showObject(HANDED_IN.show({ signature })),
});

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

function showTransaction({ built, sponsor, isSeated, notAfter }: CheckoutTransaction): JsonText {
  const { network, record, vault, tokenAccount } = built.fee;
  return showObject(
    CHECKOUT_TRANSACTION.show({
      ...{ ...built, notAfter, termsHash: built.terms.hash, terms: built.terms.text },
      lastValidBlockHeight: Number(built.lastValidBlockHeight),
      fee: {
        networkLamports: network.toString(),
        recordLamports: record.toString(),
        vaultLamports: vault.toString(),
        tokenAccountLamports: tokenAccount.toString(),
        totalLamports: (network + record + vault + tokenAccount).toString(),
        tombstoneLamports: built.tombstone.toString(),
      },
      sponsored: sponsor !== null,
      seated: isSeated,
    }),
  );
}
