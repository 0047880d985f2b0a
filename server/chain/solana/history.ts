import type { ChainSignature, Commitment, SignatureStatus } from "../port.ts";
import { malformed } from "./fault.ts";
import { readArray, readBlockTime, readFailed, readObject, readText, readWhole, wrong } from "./shapes.ts";

/** The result of getSignaturesForAddress: newest first, as the sweep relies on. */
export function readSignatures(result: unknown, limit: number): readonly ChainSignature[] {
  const signatures = readArray(result, "signatures").map(readSignature);
  if (signatures.length > limit) throw malformed("more signatures than asked for");
  if (signatures.some(({ slot }, at) => at > 0 && slot > signatures[at - 1]!.slot))
    throw malformed("signatures out of order");
  if (new Set(signatures.map(({ signature }) => signature)).size !== signatures.length)
    throw malformed("a signature twice");
  return signatures;
}

function readSignature(value: unknown): ChainSignature {
  const line = readObject(value, "signature");
  return {
    signature: readText(line.signature, "signature.signature"),
    slot: readWhole(line.slot, "signature.slot"),
    failed: readFailed(line, "signature"),
    blockTime: readBlockTime(line.blockTime, "signature.blockTime"),
  };
}

/** The `value` of getSignatureStatuses: as many as were asked for, in their order. */
export function readStatuses(value: unknown, count: number): readonly SignatureStatus[] {
  const statuses = readArray(value, "statuses");
  if (statuses.length !== count) throw wrong("statuses");
  return statuses.map((status) => {
    if (status === null) return null;
    const line = readObject(status, "status");
    return {
      slot: readWhole(line.slot, "status.slot"),
      commitment: readCommitment(line),
      failed: readFailed(line, "status"),
    };
  });
}

/** Old history comes without a commitment; then no confirmations left to count means finalized. */
function readCommitment({ confirmationStatus, confirmations }: Readonly<Record<string, unknown>>) {
  if (confirmationStatus === "processed" || confirmationStatus === "confirmed" || confirmationStatus === "finalized") {
    return confirmationStatus;
  }
  if (confirmationStatus !== null && confirmationStatus !== undefined) throw wrong("status.confirmationStatus");
  return confirmations === null ? "finalized" : "processed";
}

const RANK: Readonly<Record<"processed" | Commitment, number>> = { processed: 0, confirmed: 1, finalized: 2 };

/** Whether what stands there has reached the commitment wanted. */
export const hasReached = (standing: NonNullable<SignatureStatus>, wanted: Commitment): boolean =>
  RANK[standing.commitment] >= RANK[wanted];
