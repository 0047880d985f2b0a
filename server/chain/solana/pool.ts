import { ChainUnavailable, type ReadOptions } from "../port.ts";
import { realClock } from "./clock.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import { behind, NodeFault } from "./fault.ts";
import { bodyBytesMax, deadlineMsDefault } from "./limits.ts";
import { createNodeBook, type SlotLevel } from "./nodes.ts";
import type { SolanaSettings } from "./settings.ts";
import { readText } from "./shapes.ts";

/** One node, for as long as one attempt lasts. Every method throws a {@link NodeFault}, which ends the attempt. */
export interface NodeSession {
  readonly node: number;
  call(method: string, params: readonly unknown[], bytesMax?: number): Promise<unknown>;
  /** Asks the node which chain it is of, and remembers what it named. */
  identify(): Promise<string>;
  /** Refuses an answer from before the slot the caller asked for, and remembers how far the node is. */
  acceptSlot(slot: number, level: SlotLevel): void;
  /** Refuses an answer in which something is missing, when the node is too far behind to know (§5). */
  acceptAbsence(slot: number, level: SlotLevel): void;
}

/** A read on its way through the nodes: each is asked at most once, and they share the deadline. */
interface Walk {
  /** The first usable answer of the nodes not asked yet; else throws {@link ChainUnavailable}, saying what each of them did. */
  ask<T>(attempt: (session: NodeSession) => Promise<T>): Promise<T>;
  /** How many nodes are left to ask. */
  readonly left: number;
}

type WalkOptions = Pick<ReadOptions, "signal" | "minSlot" | "notNode" | "onlyNode">;

export interface Pool {
  readonly nodes: number;
  readonly requestCounts: ReadonlyMap<string, number>;
  /** How long a read of one request may take, all its nodes together. */
  readonly deadlineMs: number;
  walk(options: WalkOptions, deadlineMs?: number): Walk;
  /** From now on a node that has not named this genesis hash is asked for it before anything else, and passed over while it names another. */
  keepTo(genesisHash: string): void;
  /** The oldest slot from which "it is not there" is believed; 0 while no slot is known. */
  trustedSlot(level: SlotLevel): number;
}

export function createPool(settings: SolanaSettings): Pool {
  if (settings.rpcUrls.length === 0) throw new Error("At least one RPC URL is needed.");
  const { clock = realClock, deadlineMs: deadlineMsUsual = deadlineMsDefault } = settings;
  const endpoints = settings.rpcUrls.map((url, node) => createEndpoint(url, node, settings.fetch ?? fetch));
  const book = createNodeBook(endpoints.length, clock, settings.log);
  const requestCounts = new Map<string, number>();
  /** The genesis hash each node has named. */
  const named = new Map<number, string>();
  let kept: string | null = null;

  function walk(options: WalkOptions, deadlineMs = deadlineMsUsual): Walk {
    const { onlyNode, notNode } = options;
    const asked = new Set<number>(
      onlyNode === undefined ? [] : [...endpoints.keys()].filter((node) => node !== onlyNode),
    );
    if (notNode !== undefined && endpoints.length > 1) asked.add(notNode);
    const endsAtMs = clock.now() + deadlineMs;
    const reports: string[] = [];

    async function ask<T>(attempt: (session: NodeSession) => Promise<T>): Promise<T> {
      for (let queue = book.order(asked); queue.length > 0; queue = book.order(asked)) {
        const leftMs = endsAtMs - clock.now();
        if (leftMs <= 0 || options.signal.aborted) break;
        const node = queue[0]!;
        asked.add(node);
        // An equal share each: a first node that hangs leaves the second its time.
        const outcome = await attemptOn(node, leftMs / queue.length, attempt);
        if (!(outcome instanceof NodeFault)) return outcome.value;
        reports.push(`node ${node}: ${outcome.message}`);
      }
      throw new ChainUnavailable(explain(reports, options.signal.aborted));
    }

    async function attemptOn<T>(node: number, ms: number, attempt: (session: NodeSession) => Promise<T>) {
      const control = new AbortController();
      const giveUp = () => control.abort(new NodeFault("no answer before the caller's deadline", { rests: true }));
      const callOff = clock.after(ms, () =>
        control.abort(new NodeFault(`no answer within ${Math.round(ms)} ms`, { rests: true })),
      );
      options.signal.addEventListener("abort", giveUp, { once: true });
      try {
        const session = openSession(node, endpoints[node]!, control.signal);
        if (kept !== null && named.get(node) !== kept && (await session.identify()) !== kept)
          throw new NodeFault("a node of another chain", { rests: true });
        const value = await attempt(session);
        book.answered(node);
        return { value };
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error;
        book.failed(node, error);
        return error;
      } finally {
        callOff();
        options.signal.removeEventListener("abort", giveUp);
        control.abort(new NodeFault("the attempt is over", { rests: false })); // Stops what it still has under way.
      }
    }

    function openSession(node: number, endpoint: Endpoint, signal: AbortSignal): NodeSession {
      const call: NodeSession["call"] = (method, params, bytesMax = bodyBytesMax) => {
        if (!signal.aborted) requestCounts.set(method, (requestCounts.get(method) ?? 0) + 1);
        return endpoint(method, params, { bytesMax, signal });
      };
      return {
        node,
        call,
        async identify() {
          const genesisHash = readText(await call("getGenesisHash", []), "genesis hash");
          named.set(node, genesisHash);
          return genesisHash;
        },
        acceptSlot(slot, level) {
          book.saw(node, slot, level);
          if (slot < (options.minSlot ?? 0)) throw behind("an answer from before the slot asked for");
        },
        acceptAbsence(slot, level) {
          if (slot >= book.trustedSlot(level)) return;
          throw new NodeFault("too far behind to know that something is not there", { rests: true });
        },
      };
    }

    return {
      ask,
      get left() {
        return book.order(asked).length;
      },
    };
  }

  return {
    nodes: endpoints.length,
    requestCounts,
    deadlineMs: deadlineMsUsual,
    walk,
    keepTo: (genesisHash) => {
      kept = genesisHash;
    },
    trustedSlot: book.trustedSlot,
  };
}

function explain(reports: readonly string[], stopped: boolean): string {
  const said = reports.length === 0 ? "no node was asked" : reports.join("; ");
  return `No chain node gave a usable answer (${said}${stopped ? "; stopped by the caller" : ""}).`;
}
