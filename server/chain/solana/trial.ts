import type { Address } from "@solana/kit";
import type { TrialRefusal } from "../acts.ts";
import { compile, feeOf, type Plan, TRIAL_UNITS, unitsToAskFor } from "./draft.ts";
import type { LatestBlockhash } from "./latestBlockhash.ts";
import { NodeError } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";
import type { Stop } from "./refusal.ts";
import { simulate } from "./simulation.ts";

/** The wallet that pays, and its funds. */
interface Payer {
  readonly address: Address;
  /** It is a sponsor, which signs beside the account. */
  readonly isSponsor: boolean;
  readonly lamports: bigint;
  /** The rent of an account without data. */
  readonly rent: bigint;
  /** True if another wallet may pay in its place: then it is built without a trial run where the funds are missing. */
  readonly mayLackSol: boolean;
}

interface TrialOptions<Refusal> {
  readonly payer: Payer;
  readonly programId: string;
  readonly prices: readonly [lifetime: LatestBlockhash, unitPrice: bigint];
  /** Names a stop of a trial run. Throws {@link NodeError} if the node is at fault. */
  readonly explain: (stop: Stop, slot: number) => Refusal;
}

/** A plan that a node says would succeed, as a transaction to sign. */
export interface TriedPlan<Chosen> {
  readonly kind: "tried";
  readonly plan: Chosen;
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** The network's fee, priority included. */
  readonly network: bigint;
  readonly lastValidBlockHeight: bigint;
}

/** Prices and tries plans of one act, the best first. Returns the first that would succeed, else why the last would not. */
export async function tryPlans<Chosen extends Plan, Refusal>(
  session: NodeSession,
  plans: readonly Chosen[],
  { payer, programId, prices, explain }: TrialOptions<Refusal>,
): Promise<TriedPlan<Chosen> | TrialRefusal | Refusal> {
  const [lifetime, unitPrice] = prices;
  const networkFee = (units: number, price = unitPrice) => feeOf(payer.isSponsor ? 2n : 1n, units, price);
  const short = (missing: bigint) => ({ kind: payer.isSponsor ? "sponsor_short" : "sol_missing", missing }) as const;
  const compileWith = ({ instructions }: Chosen, units: number, price: bigint) =>
    compile({ feePayer: payer.address, instructions, lifetime, units, unitPrice: price });
  const asTried = (plan: Chosen, units: number): TriedPlan<Chosen> => ({
    kind: "tried",
    plan,
    transaction: compileWith(plan, units, unitPrice),
    network: networkFee(units),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
  });
  const [first, last] = [plans[0]!, plans.at(-1)!];
  // A trial run needs less than this. The missing amount includes the priority fee, so that it is named only once.
  if (lamportsMissing(first, networkFee(TRIAL_UNITS, 0n), payer) > 0n)
    return payer.mayLackSol
      ? asTried(last, TRIAL_UNITS)
      : short(lamportsMissing(first, networkFee(TRIAL_UNITS), payer));
  let refusal: Refusal | null = null;
  for (const plan of plans) {
    const trial = await simulate(session, compileWith(plan, TRIAL_UNITS, 0n), programId);
    if (trial.stop === null) {
      const units = unitsToAskFor(trial.units ?? 0);
      const missing = lamportsMissing(plan, networkFee(units), payer);
      return missing > 0n && !payer.mayLackSol ? short(missing) : asTried(plan, units);
    }
    if (trial.stop.kind === "blockhash") throw new NodeError("does not know the blockhash", { rests: false });
    refusal = explain(trial.stop, trial.slot);
  }
  return refusal!;
}

/** Returns the lamports that the payer lacks. A wallet must end with the minimum for an account, or with zero. */
function lamportsMissing(
  plan: Pick<Plan, "spent" | "lent">,
  networkFee: bigint,
  { lamports, rent }: Pick<Payer, "lamports" | "rent">,
): bigint {
  const spent = plan.spent + networkFee;
  const needed = spent + (plan.lent > rent ? plan.lent : rent);
  const leavesNothing = plan.lent === 0n && lamports === spent;
  return leavesNothing || lamports >= needed ? 0n : needed - lamports;
}
