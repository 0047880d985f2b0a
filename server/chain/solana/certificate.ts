import type { ConsensusWord } from "../consensus.ts";
import { NodeError } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";
import { parseArray, parseInteger, parseObject } from "./shapes.ts";

const BLOCK_ID_BYTES = 32;

/** Asks a node which consensus its chain runs: since Agave 4.2, by the certificate with which Alpenglow began. */
export async function fetchConsensus(session: NodeSession): Promise<ConsensusWord> {
  const certificate = await session.call("getAgGenesisCert", []);
  if (certificate === null) return { kind: "tower" };
  try {
    const block = parseObject(parseObject(certificate, "certificate").block, "block");
    // Agave 4.3 says blockId, 4.2 says block_id.
    if (parseArray(block.blockId ?? block.block_id, "blockId").length === BLOCK_ID_BYTES)
      return { kind: "alpenglow", sinceSlot: parseInteger(block.slot, "block.slot") };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
  }
  throw new NodeError("shows a certificate of Alpenglow that cannot be read", { rests: false, isLack: true });
}
