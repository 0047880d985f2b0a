import { isHeld } from "../../chain/chain.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Context } from "../context.ts";

/**
 * Facts about the chain that a buyer's page needs and the database does not hold. Without its chain no payment is possible;
 * the page still shows the order.
 */
export function noticeOf({ findChain }: Context, environment: Environment) {
  const chain = findChain(environment);
  return {
    arbiterLabel: chain?.arbiterLabel ?? { name: null, domain: null },
    /** The operator's current arbiter; null while it is unknown. */
    arbiter: chain?.deployment.arbiter ?? null,
    /** Wallets that pay for buyers without SOL. */
    sponsors: chain?.sponsor?.addresses ?? [],
    isHeld: chain === null || isHeld(chain, null),
    /** The cost of a payment in a token of this program, without waiting; null while it is unknown. */
    costOf: chain?.builder.estimateCost ?? (() => null),
  };
}
export type ChainNotice = ReturnType<typeof noticeOf>;
