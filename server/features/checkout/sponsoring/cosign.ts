import type { ChainBuilder } from "../../../chain/builder.ts";
import { isTooLate } from "../../../chain/lifetime.ts";
import { readDeadline } from "../../../chain/port.ts";
import type { ChainSponsor } from "../../../chain/sponsor.ts";
import { notSponsored, tooLate } from "../../../edge/acts/refusals.ts";
import type { Database } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { findOpenSponsorship, type SponsoredIntent, saveSigned } from "./queries.ts";

type CosignAnswer =
  /** Has all signatures. It may have needed none of a sponsor. */
  | { readonly kind: "complete"; readonly transaction: string }
  /** The sponsor refuses to sign it, with a reason as text. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Completes a transaction that waits for a sponsor's signature; any other stays as it is. Null: no intent's limits would
 * count it. Throws `not_sponsored`, or `expired`.
 */
export async function complete(
  { database, chainOf }: Context,
  builder: Pick<ChainBuilder, "fetchLife">,
  intent: SponsoredIntent | null,
  transaction: string,
): Promise<string> {
  const sponsor = intent && chainOf(intent.environment).sponsor;
  if (intent === null || sponsor === null) return transaction;
  const answer = await cosign(database, sponsor, intent, transaction);
  if (answer.kind === "complete") return answer.transaction;
  // A sponsor refuses as well what can no longer land: then SOL would not help.
  const life = await builder.fetchLife(transaction, readDeadline());
  throw life !== null && isTooLate(life) ? tooLate() : notSponsored(answer.reason);
}

/**
 * Adds the sponsor's signature to a transaction that waits for it. An offer gets one signature for ever: the same
 * bytes get the same one again, others none.
 */
async function cosign(
  database: Database,
  sponsor: ChainSponsor,
  intent: SponsoredIntent,
  transaction: string,
): Promise<CosignAnswer> {
  const sender = await sponsor.readSender(transaction);
  if (sender === null) return { kind: "complete", transaction };
  const open = await findOpenSponsorship(database, intent, sender, transaction);
  if (open === null) return { kind: "refused", reason: "nothing was offered to this buyer, or its time is over" };
  if (open.signed !== null) return again(sponsor, open.signed, transaction);
  const answer = await sponsor.cosign(
    transaction,
    { transaction: open.built, sponsor: open.sponsor, outlayMax: open.outlayMax },
    readDeadline(),
  );
  if (answer.kind === "refused") return answer;
  const offered = { id: open.id, sender, lamports: open.outlayMax };
  const reached = await saveSigned(database, intent, offered, answer, sponsor.limits);
  if (reached === null) return { kind: "complete", transaction: answer.transaction };
  if (reached !== "over") return { kind: "refused", reason: "what sponsors give out at most is given out" };
  // Another request of the same page came first, or the offer expired meanwhile.
  const now = await findOpenSponsorship(database, intent, sender, transaction);
  return again(sponsor, now?.signed ?? null, transaction);
}

function again(sponsor: ChainSponsor, signed: string | null, transaction: string): CosignAnswer {
  if (signed !== null && sponsor.isSignatureOf(signed, transaction)) return { kind: "complete", transaction: signed };
  return { kind: "refused", reason: "the sponsor has signed another transaction for this buyer" };
}
