/** The commitments at which an answer counts, the weaker one first. Nothing else of the service names the weaker one. */
export const COMMITMENTS = ["confirmed", "finalized"] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** How far a block has come, by the word of a node: each level is past those before it. */
export const LEVELS = ["processed", ...COMMITMENTS] as const;
export type Level = (typeof LEVELS)[number];

export const hasReached = (level: Level, wanted: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);

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
