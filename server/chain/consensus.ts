/** The commitments at which an answer counts, the weaker one first. Nothing else of the service names the weaker one. */
export const COMMITMENTS = ["confirmed", "finalized"] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** How far a block has come, by the word of a node: each level is past those before it. */
export const LEVELS = ["processed", ...COMMITMENTS] as const;
export type Level = (typeof LEVELS)[number];

export const hasReached = (level: Level, wanted: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);

/** A node's word about the consensus of its chain. */
export type ConsensusWord = { readonly kind: "tower" } | { readonly kind: "alpenglow"; readonly sinceSlot: number };

/** The words of all nodes together. */
export interface ConsensusSeen {
  /** `alpenglow` by the word of one; null: none says. */
  readonly kind: ConsensusWord["kind"] | null;
  readonly sinceSlot: number | null;
  readonly isContradicted: boolean;
}

export function sumUp(words: readonly (ConsensusWord | null)[]): ConsensusSeen {
  const found = words.find((word) => word?.kind === "alpenglow");
  const isTower = words.some((word) => word?.kind === "tower");
  if (found === undefined) return { kind: isTower ? "tower" : null, sinceSlot: null, isContradicted: false };
  return { kind: "alpenglow", sinceSlot: found.sinceSlot, isContradicted: isTower };
}

/** The consensus of a chain, as this process last saw it: everything that reads one chain shares it. */
export interface Consensus {
  /** `alpenglow`: blocks are final as soon as they count, and nodes will refuse the weaker commitment. */
  kind: "tower" | "alpenglow";
  /** The commitment at which a payment is bound on a `tower` chain. */
  readonly towerBinds: Commitment;
  /** Called when a node refuses the weaker commitment, which it may do because of another consensus. */
  readonly doubts: Set<() => void>;
  /** Called when another kind was seen. */
  readonly changes: Set<() => void>;
}

/** A chain counts as `tower` until a node shows otherwise. */
export const newConsensus = (towerBinds: Commitment = "confirmed"): Consensus => ({
  kind: "tower",
  towerBinds,
  doubts: new Set(),
  changes: new Set(),
});

/** The commitment of reads that bind payments, and of all others, such as those of a build. */
export const commitmentOf = ({ kind, towerBinds }: Consensus, purpose: "bind" | "read"): Commitment => {
  if (kind === "alpenglow") return "finalized";
  return purpose === "bind" ? towerBinds : "confirmed";
};
