import type { BuiltPayment, TermsCommand } from "../../../chain/builder.ts";
import { isHeld } from "../../../chain/chain.ts";
import { readDeadline } from "../../../chain/port.ts";
import { isIntentId, newTermsNonce } from "../../../domain/ids.ts";
import { noPayment, refusalToPayer } from "../../../edge/acts/refusals.ts";
import { tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { MinuteLimit } from "../../../edge/buyer/limits.ts";
import { Lru } from "../../../lib/lru.ts";
import type { Database } from "../../../store/database.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { readPrice, readQuote } from "../../intents/intent.ts";
import { askPlace } from "../../links/fragments.ts";
import type { BuyerContext } from "../context.ts";
import { countUse, ratesOfBuild } from "../rates.ts";
import { buildSponsored, offer, type SponsorTurn } from "../sponsoring/offer.ts";
import { outlayOf } from "../sponsoring/sponsorship.ts";
import { requireSeat } from "./place.ts";
import { findPayable, type PayableView, saveBuilt } from "./queries.ts";
import { held, requirePayable } from "./refusals.ts";

/** A transaction for a buyer's wallet, with the intent that it pays. */
export interface CheckoutTransaction {
  readonly view: PayableView;
  /** Includes the sponsor's signature if the sponsor signs first. */
  readonly built: BuiltPayment;
  /** The address that pays fee and rents for the buyer; null if the buyer pays. */
  readonly sponsor: string | null;
  /** True if it needs a seat of its payment link, which it has once it is handed in. */
  readonly isSeated: boolean;
  readonly notAfter: Date;
}

/** The time in which a buyer may sign: §10.7. */
const OFFER_MS = 600_000;
/** A page that asks again within this time, or twice at once, gets the same transaction. */
const KEPT_MS = 2_000;
const KEPT_MAX = 2_000;
/**
 * Builds per intent, minute and process for accounts without the tokens. After that, builds read the tokens first, and
 * only them if they are missing.
 */
const EMPTY_OF_INTENT_MAX = 60;

interface KeptBuild {
  readonly atMs: number;
  readonly build: Promise<Omit<CheckoutTransaction, "view">>;
  isRefused: boolean;
}

/** The last second at which the program may accept a payment that is built now. */
export const notAfterOf = (expiresAt: Date, now: Date): Date =>
  new Date(Math.floor(Math.min(expiresAt.getTime(), now.getTime() + OFFER_MS) / 1_000) * 1_000);

/** The terms of an intent as its terms texts say them. */
export const termsOf = ({ intent, profile }: PayableView, termsNonce: string): TermsCommand => ({
  termsNonce,
  paymentId: intent.paymentId,
  recipient: intent.recipient,
  amount: intent.amount,
  asset: intent.asset,
  protectionPeriod: intent.protectionPeriod,
  expiresAt: intent.expiresAt,
  price: readPrice(intent.price),
  quote: readQuote(intent.quote),
  business: { name: profile.name, domain: profile.domain },
  refundPolicyHash: profile.refundPolicyHash,
});

/** Builds transactions for buyers, within limits. The books are checked before and after the chain. */
export function createBuilds(ctx: BuyerContext) {
  const { database, chainOf, screen } = ctx;
  const kept = new Lru<string, KeptBuild>(KEPT_MAX);
  const empties = new MinuteLimit(EMPTY_OF_INTENT_MAX);

  async function build(view: PayableView, account: string, network: string, turn: SponsorTurn | null) {
    const { intent, now } = view;
    const { environment, recipient, asset, amount } = intent;
    await screen({ environment, sender: account, recipient, asset, amount });
    const notAfter = notAfterOf(intent.expiresAt, now);
    const command = {
      ...termsOf(view, view.termsNonce ?? newTermsNonce()),
      sender: account,
      notAfter,
      tokensFirst: empties.isUsedUp(intent.id),
    };
    const options = readDeadline();
    const wanted = { account, asset, amount: intent.amount, decimals: view.decimals };
    const { builder } = chainOf(intent.environment);
    const own = await builder.buildPayment(command, options);
    if (own.kind === "token_missing") empties.use(intent.id);
    const build = (sponsor: string) => builder.buildPayment({ ...command, sponsor }, options);
    const wish = { environment, turn, sender: account, terms: command, build };
    const sponsored = own.kind === "sol_missing" ? await buildSponsored(ctx, wish) : null;
    const built = sponsored?.built ?? own;
    if (built.kind !== "built") throw refusalToPayer(built, wanted);
    if (isHeld(chainOf(intent.environment), built.arbiter)) throw held();
    const isSeated = await requireSeat(view, account, (request) => askPlace(database, request));
    const { terms } = built;
    // The chain read took time: an intent that was paid or canceled meanwhile gets no transaction.
    const isPayable = await saveBuilt(database, intent, { account, until: notAfter, terms }, now);
    if (!isPayable) {
      requirePayable(await requireView(database, intent.id));
      throw new DatabaseUnavailableError("The intent changed while its payment was built.", "other");
    }
    if (sponsored === null || own.kind === "built") return { built, notAfter, sponsor: null, isSeated };
    const outlay = outlayOf(built);
    const offered = { sender: account, payment: built.payment, action: null, outlay, network };
    const transaction = await offer(ctx, sponsored, intent, offered, options);
    // Without a sponsor, the buyer still lacks the SOL.
    if (transaction === null) throw refusalToPayer(own, wanted);
    return { built: { ...built, transaction }, notAfter, sponsor: sponsored.sponsor, isSeated };
  }

  /** `turn` says when a sponsor signs if the buyer lacks the SOL; null for no sponsor. */
  return async (
    intentId: string,
    account: string,
    network: string,
    turn: SponsorTurn | null = null,
  ): Promise<CheckoutTransaction> => {
    const view = await requireView(database, intentId);
    requirePayable(view);
    if (isHeld(chainOf(view.intent.environment), null)) throw held();

    // A sponsor signs first for a limited number per network, so builds of different networks are separate.
    const name = `${intentId} ${account} ${turn} ${turn === "first" ? network : ""}`;
    // The environment's time, by which the transaction expires.
    const atMs = view.now.getTime();
    const findKept = () => {
      const last = kept.get(name);
      return last !== undefined && !last.isRefused && atMs - last.atMs < KEPT_MS ? last : null;
    };
    if (findKept() === null) {
      // No limit counts all networks of an intent together: strangers would use it up for its buyer.
      const waitSeconds = await countUse(database, network, ratesOfBuild(intentId));
      if (waitSeconds !== null) throw tooMany(waitSeconds);
    }
    const current = findKept() ?? { atMs, build: build(view, account, network, turn), isRefused: false };
    kept.set(name, current);
    try {
      return { view, ...(await current.build) };
    } catch (error) {
      // The buyer may have solved the problem of a refusal, so it is not reused; an outage is.
      current.isRefused = error instanceof BuyerError;
      throw error;
    }
  };
}

/** The intent of a link. Throws `not_found`. */
export async function requireView(database: Database, intentId: string): Promise<PayableView> {
  const view = isIntentId(intentId) ? await findPayable(database, intentId) : null;
  if (view === null) throw noPayment();
  return view;
}
