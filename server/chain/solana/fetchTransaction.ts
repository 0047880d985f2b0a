import { hasReached } from "../consensus.ts";
import type { ChainTransaction, TransactionLookup } from "../port.ts";
import { NodeError, RPC_ERRORS } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";
import { getSignatureStatuses } from "./signatures.ts";
import { parseTransaction } from "./transaction.ts";

interface Wanted {
  readonly signature: string;
  readonly programId: string;
  readonly operator: string;
}

/**
 * Returns one node's answer about a signature (§4.5.9): one request if it landed, two if it did not. Calls `onKnown` when
 * the node knows the signature, even if the look-up then fails.
 */
export async function fetchTransactionFrom(
  session: NodeSession,
  wanted: Wanted,
  onKnown: () => void,
): Promise<{ value: TransactionLookup; slot: number; node: number }> {
  const { node } = session;
  const found = await getTransaction(session, wanted);
  await session.acceptReached(found?.slot ?? 0);
  if (found !== null) return { value: { kind: "landed", transaction: found }, slot: found.slot, node };

  const { slot, value } = await getSignatureStatuses(session, [wanted.signature]);
  session.acceptSlot(slot, "processed");
  const status = value[0] ?? null;
  if (status === null) {
    session.acceptAbsence(slot, "processed");
    return { value: { kind: "not_found" }, slot, node };
  }
  onKnown();
  if (!hasReached(status.commitment, session.commitment)) return { value: { kind: "not_confirmed" }, slot, node };

  // The transaction landed between the two requests; or the node lost it and kept the status.
  const late = await getTransaction(session, wanted);
  if (late === null) throw new NodeError("knows the signature but not its transaction", { rests: false });
  await session.acceptReached(late.slot);
  return { value: { kind: "landed", transaction: late }, slot: late.slot, node };
}

/**
 * Asks for JSON: the node itself lays out the message, so every version reads alike. Few nodes may accept the highest
 * version number, so it is only sent when the node refuses version 1.
 */
async function getTransaction(session: NodeSession, wanted: Wanted): Promise<ChainTransaction | null> {
  const ask = (maxSupportedTransactionVersion: number) =>
    session.call("getTransaction", [
      wanted.signature,
      { commitment: session.commitment, encoding: "json", maxSupportedTransactionVersion },
    ]);
  const result = await ask(1).catch((error: unknown) => {
    if (error instanceof NodeError && error.code === RPC_ERRORS.unsupportedTransactionVersion) return ask(255);
    throw error;
  });
  return parseTransaction(result, wanted.signature, wanted);
}
