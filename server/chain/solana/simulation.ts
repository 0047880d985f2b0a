import { NodeError } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";
import { parseStop, type Stop } from "./refusal.ts";
import { parseArray, parseInContext, parseInteger, parseObject, wrong } from "./shapes.ts";

/** A node's simulation of a transaction. */
interface Simulation {
  readonly slot: number;
  /** The reason why it would fail; null if it would succeed. */
  readonly stop: Stop | null;
  /** Compute units; null: the node does not say. */
  readonly units: number | null;
  /**
   * Lamports of the fee payer, a transaction's first account, before and after. Throws for a node that does not return the
   * fee payer's balances (Agave does from 3.1 on): such a node is not asked to send.
   */
  readonly feePayer: () => { readonly before: bigint; readonly after: bigint };
}

/** Simulates a transaction in base64. `isSigned`: its signatures count. */
export async function simulate(
  session: NodeSession,
  wire: string,
  programId: string,
  isSigned = false,
): Promise<Simulation> {
  const form = { commitment: session.commitment, encoding: "base64", sigVerify: isSigned };
  const result = await session.call("simulateTransaction", [wire, form]);
  const { slot, value } = parseInContext(result, (simulated) => parseObject(simulated, "simulation"));
  if (value.err === undefined) throw wrong("simulation.err");
  const units = value.unitsConsumed ?? null;
  return {
    slot,
    stop: value.err === null ? null : parseStop(value.err, value.logs, programId),
    units: units === null ? null : parseInteger(units, "unitsConsumed"),
    feePayer: () => ({
      before: firstOf(value.preBalances, "preBalances"),
      after: firstOf(value.postBalances, "postBalances"),
    }),
  };
}

function firstOf(balances: unknown, what: string): bigint {
  if (balances === undefined || balances === null)
    throw new NodeError("shows no balances in simulations: keeper and sponsor need Agave 3.1 or newer", {
      rests: false,
      isLack: true,
    });
  return BigInt(parseInteger(parseArray(balances, what)[0], what));
}
