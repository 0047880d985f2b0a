import type { ChainSponsor } from "../../../chain/sponsor.ts";
import { CHAIN_READ_MS } from "../../../domain/limits.ts";
import type { Database } from "../../../store/database.ts";
import { findOpenSponsorship, type SponsoredIntent, saveSigned } from "./queries.ts";

type CosignAnswer =
  /** Has all signatures. It may have needed none of a sponsor. */
  | { readonly kind: "complete"; readonly transaction: string }
  /** The sponsor refuses to sign it, with a reason as text. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Adds the sponsor's signature to a transaction that waits for it. An offer gets one signature for ever: the same
 * bytes get the same one again, others none.
 */
export async function cosign(
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
    { signal: AbortSignal.timeout(CHAIN_READ_MS) },
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
