import { type ChainReader, type LandedMemo, readDeadline } from "../../../chain/port.ts";

export type MemoReader = Pick<ChainReader, "fetchTransaction" | "nodes">;

/** `absent`: a node does not show the transaction yet. The memo is null if it has none, or the nodes show other ones. */
type LandedProof = { readonly kind: "absent" } | { readonly kind: "landed"; readonly memo: LandedMemo | null };

/**
 * Reads the memo of a transaction that is to prove a wallet (§16.2). Where several nodes are set, a second one has to show
 * the same: a proof is an answer that a single lying node could make up. Throws `ChainUnavailableError`.
 */
export async function fetchLandedMemo(reader: MemoReader, signature: string): Promise<LandedProof> {
  const { signal } = readDeadline();
  const first = await reader.fetchTransaction(signature, { signal });
  if (first.value.kind !== "landed") return { kind: "absent" };
  const { memo } = first.value.transaction;
  if (reader.nodes > 1) {
    const { value } = await reader.fetchTransaction(signature, { signal, notNode: first.node });
    if (value.kind !== "landed") return { kind: "absent" };
    if (JSON.stringify(value.transaction.memo) !== JSON.stringify(memo)) return { kind: "landed", memo: null };
  }
  return { kind: "landed", memo: memo ?? null };
}
