import type { ReadOptions } from "../../../chain/port.ts";
import type { ChainSponsor } from "../../../chain/sponsor.ts";
import { newSponsorshipId } from "../../../domain/ids.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Context } from "../../context.ts";
import { mayPresign } from "../rates.ts";
import { reserve, type SponsoredIntent, saveOffer } from "./queries.ts";
import { maySponsor, type Outlay, type Sponsorship, totalOf } from "./sponsorship.ts";

/**
 * The order of signatures: the sponsor after the buyer's wallet, in the page; or first, since a wallet that scans a
 * code sends by itself.
 */
export type SponsorTurn = "last" | "first";

/** A build whose fee, and rents, a sponsor pays. Nothing is reserved or signed yet. */
interface Sponsored<Built> {
  readonly built: Built;
  /** The sponsor's address. */
  readonly sponsor: string;
  readonly by: ChainSponsor;
  readonly turn: SponsorTurn;
}

interface SponsorWish<Answer> {
  readonly environment: Environment;
  /** When a sponsor signs; null: none is asked for. */
  readonly turn: SponsorTurn | null;
  readonly sender: string;
  /** The terms of the payment; null: only what was built shows them. */
  readonly terms: Parameters<typeof maySponsor>[0] | null;
  readonly build: (sponsor: string) => Promise<Answer>;
}

/** Builds with the first sponsor that has enough; null if none has or may pay, or the build is refused. */
export async function buildSponsored<Answer extends { readonly kind: string }>(
  { chainOf }: Context,
  { environment, turn, sender, terms, build }: SponsorWish<Answer>,
): Promise<Sponsored<BuiltOf<Answer>> | null> {
  const by = turn && chainOf(environment).sponsor;
  if (turn === null || by === null || (terms !== null && !maySponsor(terms, sender, by))) return null;
  for (let tries = 0; tries < by.addresses.length; tries++) {
    const sponsor = by.pick();
    if (sponsor === null) return null;
    const built = await build(sponsor);
    if (isBuilt(built)) return { built, sponsor, by, turn };
    if (built.kind !== "sponsor_short") return null;
    by.recordShort(sponsor);
  }
  return null;
}

type BuiltOf<Answer> = Extract<Answer, { readonly kind: "built" }>;
const isBuilt = <Answer extends { readonly kind: string }>(one: Answer): one is BuiltOf<Answer> => one.kind === "built";

interface Offer extends Pick<Sponsorship, "sender" | "payment" | "action"> {
  readonly outlay: Outlay;
  /** The network that asks for it. */
  readonly network: string;
}

/**
 * Returns the transaction for the wallet, with the sponsor's signature if the sponsor signs first; null if a limit is
 * reached or the sponsor refuses. A signature leaves the service only after its cost is reserved; an offer that the
 * buyer signs first reserves nothing.
 */
export async function offer(
  { database }: Context,
  { built, sponsor, by, turn }: Sponsored<{ readonly transaction: string }>,
  intent: SponsoredIntent,
  { outlay, network, ...offered }: Offer,
  options: Pick<ReadOptions, "signal">,
): Promise<string | null> {
  const { transaction } = built;
  if (turn === "first" && !(await mayPresign(database, network))) return null;
  const outlayMax = totalOf(outlay);
  const answer = turn === "first" ? await by.presign({ transaction, sponsor, outlayMax }, options) : null;
  if (answer?.kind === "refused") return null;
  const id = newSponsorshipId(intent, new Date());
  const wanted = { ...offered, id, sponsor, built: transaction, signed: answer, outlay };
  const save = answer === null ? saveOffer : reserve;
  if ((await save(database, intent, wanted, by.limits)) !== null) return null;
  return answer?.transaction ?? transaction;
}
