import type { BuiltPayment, ChainBuilder, PaymentOrder } from "../../../chain/builder.ts";
import type { ChainSponsor } from "../../../chain/sponsor.ts";
import { newSponsorshipId } from "../../../domain/ids.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Database } from "../../../store/database.ts";
import type { Intent } from "../../intents/intent.ts";
import { reserve, saveOffer } from "./queries.ts";
import { maySponsor, outlayOf, totalOf } from "./sponsorship.ts";

export interface SponsoringDeps {
  readonly database: Database;
  /** Returns null if no sponsor is configured there. */
  readonly sponsorOf: (environment: Environment) => ChainSponsor | null;
}

/**
 * The order of signatures: the sponsor after the buyer's wallet, in the page; or first, since a wallet that scans a
 * code sends by itself.
 */
export type SponsorTurn = "last" | "first";

interface SponsoredBuild {
  readonly built: BuiltPayment;
  readonly sponsor: string;
}

/** Builds a payment whose fee and rents a sponsor pays; null if none does. Nothing is reserved or signed yet. */
export async function buildSponsored(
  sponsor: ChainSponsor,
  builder: ChainBuilder,
  order: PaymentOrder,
  signal: AbortSignal,
): Promise<SponsoredBuild | null> {
  if (!maySponsor(order, order.sender, sponsor)) return null;
  for (let tries = 0; tries < sponsor.addresses.length; tries++) {
    const picked = sponsor.pick();
    if (picked === null) return null;
    const built = await builder.buildPayment({ ...order, sponsor: picked }, { signal });
    if (built.kind === "built") return { built, sponsor: picked };
    if (built.kind !== "sponsor_short") return null;
    sponsor.recordShort(picked);
  }
  return null;
}

/**
 * Returns the transaction for the wallet, with the sponsor's signature if the sponsor signs first; null if a limit is
 * reached or the sponsor refuses. A signature leaves the service only after its cost is reserved; an offer that the
 * buyer signs first reserves nothing.
 */
export async function offer(
  { database }: Pick<SponsoringDeps, "database">,
  sponsor: ChainSponsor,
  intent: Intent,
  { built, sponsor: payer, sender, turn }: SponsoredBuild & { readonly sender: string; readonly turn: SponsorTurn },
  signal: AbortSignal,
): Promise<string | null> {
  const outlay = outlayOf(built);
  const payment = { transaction: built.transaction, sponsor: payer, outlayMax: totalOf(outlay) };
  const answer = turn === "first" ? await sponsor.presign(payment, { signal }) : null;
  if (answer?.kind === "refused") return null;
  const wanted = {
    id: newSponsorshipId(new Date()),
    sponsor: payer,
    sender,
    payment: built.payment,
    built: built.transaction,
    signed: answer,
    outlay,
  };
  const reached = await (answer === null
    ? saveOffer(database, intent, wanted, sponsor.limits)
    : reserve(database, intent, wanted, sponsor.limits));
  if (reached !== null) return null;
  return answer?.transaction ?? built.transaction;
}
