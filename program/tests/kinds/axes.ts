import type { ProgramInstruction, Side } from "@holdfast/escrow-client";
import { AMOUNT, type Paid, START } from "../chain.ts";
import { ARBITRATION, DAY, dispute, refund, release, resolve } from "../scenario.ts";

const PART = 10_000_000n;

/** The roles sender, recipient, rent payer and arbiter; equal numbers are one wallet. Sender and recipient always differ. */
export const GROUPINGS = [
  [0, 1, 2, 3],
  [0, 1, 0, 2],
  [0, 1, 2, 0],
  [0, 1, 1, 2],
  [0, 1, 2, 1],
  [0, 1, 2, 2],
  [0, 1, 0, 1],
  [0, 1, 1, 0],
  [0, 1, 0, 0],
  [0, 1, 1, 1],
] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const KINDS = ["a key", "on no curve", "executable", "emptied", "assigned away", "ten megabytes"] as const;
export type Kind = (typeof KINDS)[number];

/** The obstacles to moving tokens at the time of the decision. */
export const OBSTACLES = ["none", "the vault frozen", "the mint paused", "a hook set", "no token account"] as const;
export type Obstacle = (typeof OBSTACLES)[number];

export const RENT_CHANGES = ["as before", "tenfold", "a tenth", "unknown"] as const;
export type RentChange = (typeof RENT_CHANGES)[number];

/** Decisions, then parts; each at its time. */
export interface Ending {
  readonly decisions: (paid: Paid) => readonly ProgramInstruction[];
  readonly parts: readonly (readonly [side: Side, at: bigint])[];
  readonly back: bigint;
}

const later = START + ARBITRATION;
export const ENDINGS: Readonly<Record<string, Ending>> = {
  released: { decisions: (paid) => [release(paid)], parts: [["recipient", START]], back: 0n },
  settled: { decisions: () => [], parts: [["recipient", START + DAY]], back: 0n },
  refunded: { decisions: (paid) => [refund(paid, AMOUNT)], parts: [["sender", START]], back: AMOUNT },
  "refunded in part, then settled": {
    decisions: (paid) => [refund(paid, PART)],
    parts: [
      ["sender", START],
      ["recipient", START + DAY],
    ],
    back: PART,
  },
  agreed: {
    decisions: (paid) => [refund(paid, PART), release(paid, PART)],
    parts: [
      ["recipient", START],
      ["sender", START],
    ],
    back: PART,
  },
  "ruled for the recipient": {
    decisions: (paid) => [dispute(paid), resolve(paid, 0n)],
    parts: [["recipient", later]],
    back: 0n,
  },
  "ruled for the sender": {
    decisions: (paid) => [dispute(paid), resolve(paid, AMOUNT)],
    parts: [["sender", later]],
    back: AMOUNT,
  },
  split: {
    decisions: (paid) => [dispute(paid), resolve(paid, PART)],
    parts: [
      ["sender", later],
      ["recipient", later],
    ],
    back: PART,
  },
  "given back at day 90": { decisions: (paid) => [dispute(paid)], parts: [["sender", later]], back: AMOUNT },
};

export const EVERYDAY = {
  grouping: GROUPINGS[0] as Grouping,
  kinds: ["a key", "a key", "a key", "a key"] as readonly Kind[],
  obstacle: "none" as Obstacle,
  rents: [] as readonly RentChange[],
};
