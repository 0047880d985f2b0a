import { NodeError } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";
import { parseArray, parseInContext, parseInteger, parseObject, wrong } from "./shapes.ts";

/** A node's simulation of a transaction. */
interface Simulation {
  readonly slot: number;
  /** The error is null if the transaction would succeed. It is the input of `parseStop`, with the logs. */
  readonly err: unknown;
  readonly logs: unknown;
  /** Compute units; null: the node does not say. */
  readonly units: number | null;
  /**
   * Lamports of the fee payer, a transaction's first account, before and after. Throws for a node that does not return the
   * fee payer's balances (Agave does from 3.1 on): such a node is not asked to send.
   */
  readonly feePayer: () => { readonly before: bigint; readonly after: bigint };
}

export async function simulate(session: NodeSession, wire: string, sigVerify: boolean): Promise<Simulation> {
  const form = { commitment: "confirmed", encoding: "base64", sigVerify };
  const result = await session.call("simulateTransaction", [wire, form]);
  const { slot, value } = parseInContext(result, (simulated) => parseObject(simulated, "simulation"));
  if (value.err === undefined) throw wrong("simulation.err");
  const units = value.unitsConsumed ?? null;
  return {
    slot,
    err: value.err,
    logs: value.logs,
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
