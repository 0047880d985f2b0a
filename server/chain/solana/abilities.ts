import { address } from "@solana/kit";
import { type ChainReader, ChainUnavailableError } from "../port.ts";
import { compile } from "./draft.ts";
import { fetchBlockhash } from "./latestBlockhash.ts";
import { NodeError } from "./nodeError.ts";
import { createPool, type NodeSession } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseInteger } from "./shapes.ts";
import { refusesMinContextSlot } from "./signatures.ts";
import { simulate } from "./simulation.ts";

/** The abilities of one node, as an operator's check of the deployment asks for them. */
interface NodeAbilities {
  readonly genesisHash: string;
  /** The key by which the cluster knows it; null: it does not say. */
  readonly identity: string | null;
  readonly slot: number;
  readonly refusesFutureSlots: boolean;
  /** Lists the payments of the operator by getProgramAccounts. */
  readonly listsPayments: boolean;
  /** The oldest block it has, and the slots since; null: it does not say. */
  readonly firstSlot: number | null;
  readonly historySlots: number | null;
  /** Null: there is no fee payer to ask about. */
  readonly showsBalances: boolean | null;
}

/** A span of chain time without payments: listing it costs the node little. */
const EMPTY_SPAN = 1;

/**
 * Asks one node alone. `feePayer`: a wallet of the deployment, in whose name a transaction that does nothing is simulated.
 * `failure` is a sentence without the node's address.
 */
export async function fetchNodeAbilities(
  reader: ChainReader,
  settings: SolanaSettings,
  rpcUrl: string,
  node: number,
  feePayer: string | null,
  signal: AbortSignal,
): Promise<NodeAbilities | { readonly failure: string }> {
  const only = { signal, onlyNode: node };
  const one = createPool({ ...settings, rpcUrls: [rpcUrl] });
  const can = (asked: Promise<unknown>): Promise<boolean> =>
    asked.then(
      () => true,
      (error: unknown) => {
        if (error instanceof ChainUnavailableError || error instanceof NodeError) return false;
        throw error;
      },
    );
  try {
    const genesisHash = await reader.fetchGenesisHash(only);
    const { slot } = await reader.fetchHead(only);
    const refusesFutureSlots = await one
      .queue({ signal })
      .ask((session) => refusesMinContextSlot(session, settings.operator))
      .catch(() => false);
    const firstSlot = await one
      .queue({ signal })
      .ask(async (session) => parseInteger(await session.call("getFirstAvailableBlock", []), "block"))
      .catch(() => null);
    const identity = await one
      .queue({ signal })
      .ask(async (session) => readIdentity(await session.call("getIdentity", [])))
      .catch(() => null);
    return {
      genesisHash,
      identity,
      slot,
      refusesFutureSlots,
      listsPayments: await can(reader.fetchPaymentsInSpan(EMPTY_SPAN, only)),
      firstSlot,
      historySlots: firstSlot === null ? null : slot - firstSlot,
      showsBalances:
        feePayer === null ? null : await can(one.queue({ signal }).ask(simulateFor(feePayer, settings.programId))),
    };
  } catch (error) {
    if (error instanceof ChainUnavailableError) return { failure: error.message };
    throw error;
  }
}

const readIdentity = (result: unknown): string | null => {
  const { identity } = (result ?? {}) as { readonly identity?: unknown };
  return typeof identity === "string" ? identity : null;
};

const simulateFor = (feePayer: string, programId: string) => async (session: NodeSession) => {
  const lifetime = await fetchBlockhash(session);
  const wire = compile({ feePayer: address(feePayer), instructions: [], lifetime, units: 1_000, unitPrice: 0n });
  (await simulate(session, wire, programId)).feePayer();
};
