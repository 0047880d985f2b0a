import fc from "fast-check";
import { KINDS, type Step } from "./model.ts";

const number = fc.nat(9_999);
const step = fc.record({ kind: fc.constantFrom(...KINDS), one: number, two: number, three: number });

/** Random steps in one life of some payments. */
export const lives = (stepsMax: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: Math.ceil(stepsMax / 2), maxLength: stepsMax, size: "max" });
