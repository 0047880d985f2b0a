import type { ChainTransaction, Commitment, TransactionLookup } from "../port.ts";
import { NodeFault, RpcError } from "./fault.ts";
import { hasReached, readStatuses } from "./history.ts";
import type { NodeSession } from "./pool.ts";
import { readInContext } from "./shapes.ts";
import { readTransaction } from "./transaction.ts";

interface Wanted {
  readonly signature: string;
  readonly commitment: Commitment;
  readonly programId: string;
  readonly operator: string;
}

/** One node's word on a signature (§5): one request when it landed, two when it did not. `onKnown` is told when the node has heard of it, even if it then fails. */
export async function lookUpTransaction(
  session: NodeSession,
  wanted: Wanted,
  onKnown: () => void,
): Promise<{ value: TransactionLookup; slot: number; node: number }> {
  const { node } = session;
  const found = await getTransaction(session, wanted);
  if (found !== null) return { value: { kind: "landed", transaction: found }, slot: found.slot, node };

  const { slot, value } = await getSignatureStatuses(session, [wanted.signature]);
  session.acceptSlot(slot, "processed");
  const standing = value[0] ?? null;
  if (standing === null) {
    session.acceptAbsence(slot, "processed");
    return { value: { kind: "not_found" }, slot, node };
  }
  onKnown();
  if (!hasReached(standing, wanted.commitment)) return { value: { kind: "not_confirmed" }, slot, node };

  // It got there between the two questions; or the node lost the transaction and kept the status.
  const late = await getTransaction(session, wanted);
  if (late === null) throw new NodeFault("knows the signature but not its transaction", { rests: false });
  return { value: { kind: "landed", transaction: late }, slot: late.slot, node };
}

/** Asked for as JSON: the node itself lays out the message, so versions yet to come read like version 0. Only few nodes may know so high a number, hence the second question. */
async function getTransaction(session: NodeSession, wanted: Wanted): Promise<ChainTransaction | null> {
  const ask = (maxSupportedTransactionVersion: number) =>
    session.call("getTransaction", [
      wanted.signature,
      { commitment: wanted.commitment, encoding: "json", maxSupportedTransactionVersion },
    ]);
  const result = await ask(0).catch((error: unknown) => {
    if (error instanceof NodeFault && error.code === RpcError.unsupportedTransactionVersion) return ask(255);
    throw error;
  });
  return readTransaction(result, wanted.signature, wanted);
}

/** The slot is that of the newest block processed, whatever the commitment of the standings. */
export async function getSignatureStatuses(session: NodeSession, signatures: readonly string[]) {
  const result = await session.call("getSignatureStatuses", [signatures, { searchTransactionHistory: true }]);
  return readInContext(result, (value) => readStatuses(value, signatures.length));
}
