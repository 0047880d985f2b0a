import type { ChainBuilder, PaymentCommand } from "../../../chain/builder.ts";
import type { ChainSponsor } from "../../../chain/sponsor.ts";
import { newSponsorshipId } from "../../../domain/ids.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Database } from "../../../store/database.ts";
import { reserve, type SponsoredIntent, saveOffer } from "./queries.ts";
import { maySponsor, type Outlay, type Sponsorship, totalOf } from "./sponsorship.ts";

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

interface Sponsored<Built> {
  readonly built: Built;
  readonly sponsor: string;
}

/** Builds a payment whose fee and rents a sponsor pays; null if none does. Nothing is reserved or signed yet. */
export const buildSponsored = (
  sponsor: ChainSponsor,
  builder: ChainBuilder,
  command: PaymentCommand,
  signal: AbortSignal,
) =>
  maySponsor(command, command.sender, sponsor)
    ? buildByOne(sponsor, (picked) => builder.buildPayment({ ...command, sponsor: picked }, { signal }))
    : null;

/** Builds with the first sponsor that has enough; null if none has, or the build is refused. */
export async function buildByOne<Answer extends { readonly kind: string }>(
  sponsor: ChainSponsor,
  build: (sponsor: string) => Promise<Answer>,
): Promise<Sponsored<BuiltOf<Answer>> | null> {
  for (let tries = 0; tries < sponsor.addresses.length; tries++) {
    const picked = sponsor.pick();
    if (picked === null) return null;
    const built = await build(picked);
    if (isBuilt(built)) return { built, sponsor: picked };
    if (built.kind !== "sponsor_short") return null;
    sponsor.recordShort(picked);
  }
  return null;
}

type BuiltOf<Answer> = Extract<Answer, { readonly kind: "built" }>;
const isBuilt = <Answer extends { readonly kind: string }>(one: Answer): one is BuiltOf<Answer> => one.kind === "built";

/** A transaction whose fee, and rents, a sponsor pays. */
interface Offer extends Pick<Sponsorship, "sponsor" | "sender" | "payment" | "action"> {
  readonly transaction: string;
  readonly outlay: Outlay;
  readonly turn: SponsorTurn;
}

/**
 * Returns the transaction for the wallet, with the sponsor's signature if the sponsor signs first; null if a limit is
 * reached or the sponsor refuses. A signature leaves the service only after its cost is reserved; an offer that the
 * buyer signs first reserves nothing.
 */
export async function offer(
  { database }: Pick<SponsoringDeps, "database">,
  sponsor: ChainSponsor,
  intent: SponsoredIntent,
  { transaction, outlay, turn, ...offered }: Offer,
  signal: AbortSignal,
): Promise<string | null> {
  const payment = { transaction, sponsor: offered.sponsor, outlayMax: totalOf(outlay) };
  const answer = turn === "first" ? await sponsor.presign(payment, { signal }) : null;
  if (answer?.kind === "refused") return null;
  const wanted = { ...offered, id: newSponsorshipId(intent, new Date()), built: transaction, signed: answer, outlay };
  const reached = await (answer === null
    ? saveOffer(database, intent, wanted, sponsor.limits)
    : reserve(database, intent, wanted, sponsor.limits));
  if (reached !== null) return null;
  return answer?.transaction ?? transaction;
}
