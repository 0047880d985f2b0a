import { ChainUnavailableError, type ReadOptions } from "../port.ts";
import { realClock } from "./clock.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import {
  ALONE_SLOTS_MAX,
  BODY_BYTES_MAX,
  DEADLINE_MS_DEFAULT,
  IDENTITY_MS_MAX,
  LAG_SLOTS_MAX,
  SECOND_MS,
  WITNESS_AGE_MS_MAX,
} from "./limits.ts";
import { behind, NodeError } from "./nodeError.ts";
import { createNodeBook, type SlotLevel } from "./nodes.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseBlockTime, parseInteger, parseText } from "./shapes.ts";

/** One node, for as long as one attempt lasts. Every method throws a {@link NodeError}, which ends the attempt. */
export interface NodeSession {
  readonly node: number;
  call(method: string, params: readonly unknown[], bytesMax?: number): Promise<unknown>;
  /** Asks the node which chain it is of, and remembers the genesis hash it named. */
  identify(): Promise<string>;
  /** Refuses an answer that names a slot the node has not reached. Asked before a slot that the books would keep is believed. */
  acceptReached(slot: number): Promise<void>;
  /** Refuses an answer from before the slot the caller asked for, and remembers how far the node is. */
  acceptSlot(slot: number, level: SlotLevel): void;
  /** Refuses an answer in which something is missing, when the node is too far behind to know (§4.5.9). */
  acceptAbsence(slot: number, level: SlotLevel): void;
}

/** The nodes that one read may still ask: each is asked at most once, and they share the deadline. */
interface NodeQueue {
  /** The first usable answer of the nodes not asked yet; else throws {@link ChainUnavailableError}, saying what each of them did. */
  ask<T>(attempt: (session: NodeSession) => Promise<T>): Promise<T>;
  /** How many nodes are left to ask. */
  readonly left: number;
}

type QueueOptions = Pick<ReadOptions, "signal" | "minSlot" | "notNode" | "onlyNode">;

export interface Pool {
  readonly nodes: number;
  readonly requestCounts: ReadonlyMap<string, number>;
  /** How long a read of one request may take, all its nodes together. */
  readonly deadlineMs: number;
  queue(options: QueueOptions, deadlineMs?: number): NodeQueue;
  /** From now on a node that has not named this genesis hash is asked for it before anything else, and passed over while it names another. */
  keepTo(genesisHash: string): void;
  /** The oldest slot from which "it is not there" is believed; 0 while no slot is known. */
  trustedSlot(level: SlotLevel): number;
}

export function createPool(settings: SolanaSettings): Pool {
  if (settings.rpcUrls.length === 0) throw new Error("At least one RPC URL is needed.");
  const { clock = realClock, deadlineMs: deadlineMsUsual = DEADLINE_MS_DEFAULT } = settings;
  const endpoints = settings.rpcUrls.map((url, node) => createEndpoint(url, node, settings.fetch ?? fetch));
  const book = createNodeBook(endpoints.length, clock, settings.log);
  const requestCounts = new Map<string, number>();
  /** The genesis hash each node has named, and when it was asked last. */
  const named = new Map<number, { readonly genesisHash: string; readonly askedAtMs: number }>();
  let kept: string | null = null;

  function openQueue(options: QueueOptions, deadlineMs = deadlineMsUsual): NodeQueue {
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
        const outcome = await attemptOn(node, leftMs / queue.length, options, attempt);
        if (!(outcome instanceof NodeError)) return outcome.value;
        reports.push(`node ${node}: ${outcome.message}`);
      }
      // In whatever order the nodes were asked, and however each failed.
      throw new ChainUnavailableError(explain(reports, options.signal.aborted), "no node");
    }

    return {
      ask,
      get left() {
        return book.order(asked).length;
      },
    };
  }

  async function attemptOn<T>(
    node: number,
    ms: number,
    options: QueueOptions,
    attempt: (session: NodeSession) => Promise<T>,
  ): Promise<{ value: T } | NodeError> {
    const control = new AbortController();
    const giveUp = () => {
      // A caller that stops, or whose client has gone, says nothing of the node.
      const isLate = (options.signal.reason as Error | undefined)?.name === "TimeoutError";
      const why = isLate ? "no answer before the caller's deadline" : "the caller stopped";
      control.abort(new NodeError(why, { rests: isLate }));
    };
    const callOff = clock.after(ms, () =>
      control.abort(new NodeError(`no answer within ${Math.round(ms)} ms`, { rests: true })),
    );
    options.signal.addEventListener("abort", giveUp, { once: true });
    try {
      const session = openSession(node, options.minSlot ?? 0, endpoints[node]!, control.signal);
      if (!(await isOfKeptChain(session))) throw new NodeError("a node of another chain", { rests: true });
      const value = await attempt(session);
      book.noteAnswer(node);
      return { value };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      book.noteFailure(node, error);
      return error;
    } finally {
      callOff();
      options.signal.removeEventListener("abort", giveUp);
      control.abort(new NodeError("the attempt is over", { rests: false })); // Ends the requests that are still under way.
    }
  }

  /** Asked again each minute: a URL may come to lead to another chain. Until it answers, what it said before holds. */
  async function isOfKeptChain(session: NodeSession): Promise<boolean> {
    if (kept === null) return true;
    const last = named.get(session.node);
    const askedAtMs = clock.now();
    if (last?.genesisHash === kept) {
      if (askedAtMs - last.askedAtMs < IDENTITY_MS_MAX) return true;
      named.set(session.node, { ...last, askedAtMs });
    }
    return (await session.identify()) === kept;
  }

  /** True if another node of the present answers, and all that do are more than an hour behind the slot. */
  async function isDenied(node: number, slot: number, attempt: AbortSignal): Promise<boolean> {
    const control = new AbortController();
    const callOff = clock.after(SECOND_MS, () => control.abort(new NodeError("too late", { rests: false })));
    const signal = AbortSignal.any([attempt, control.signal]);
    const reach = async (other: number): Promise<number | null> => {
      try {
        const session = openSession(other, 0, endpoints[other]!, signal);
        if (!(await isOfKeptChain(session))) return null;
        const reached = parseInteger(await session.call("getSlot", [{ commitment: "processed" }]), "slot");
        return slot > reached + ALONE_SLOTS_MAX && (await isOfPast(session)) ? null : reached;
      } catch (error) {
        if (error instanceof NodeError) return null;
        throw error;
      }
    };
    const reached = await Promise.all(book.order(new Set([node])).map(reach));
    callOff();
    const answers = reached.filter((other) => other !== null);
    return answers.length > 0 && answers.every((other) => slot > other + ALONE_SLOTS_MAX);
  }

  /** True if a node stands still: its newest final block is old, by its own account. It cannot know how far the chain is. */
  async function isOfPast(session: NodeSession): Promise<boolean> {
    try {
      const slot = parseInteger(await session.call("getSlot", [{ commitment: "finalized" }]), "slot");
      const time = parseBlockTime(await session.call("getBlockTime", [slot]), "block time");
      return time !== null && time.getTime() < Date.now() - WITNESS_AGE_MS_MAX;
    } catch (error) {
      if (error instanceof NodeError) return false; // It says nothing of the time.
      throw error;
    }
  }

  function openSession(node: number, minSlot: number, endpoint: Endpoint, signal: AbortSignal): NodeSession {
    const call: NodeSession["call"] = (method, params, bytesMax = BODY_BYTES_MAX) => {
      if (!signal.aborted) requestCounts.set(method, (requestCounts.get(method) ?? 0) + 1);
      return endpoint(method, params, { bytesMax, signal });
    };
    return {
      node,
      call,
      async identify() {
        const genesisHash = parseText(await call("getGenesisHash", []), "genesis hash");
        named.set(node, { genesisHash, askedAtMs: clock.now() });
        return genesisHash;
      },
      async acceptReached(slot) {
        if (!book.isJump(slot)) return;
        // The first look after a pause, or a mistake of the node's: a row that kept such a slot would take every later answer for an older one.
        const reached = parseInteger(await call("getSlot", [{ commitment: "processed" }]), "slot");
        if (slot > reached + LAG_SLOTS_MAX)
          throw new NodeError("an answer from a slot that it has not reached", { rests: true });
        if (book.isFarJump(slot) && (await isDenied(node, slot, signal)))
          throw new NodeError("an answer from a slot that no other node has come near", { rests: true });
        book.noteSlot(node, reached, "processed");
      },
      acceptSlot(slot, level) {
        if (!book.isJump(slot)) book.noteSlot(node, slot, level);
        if (slot < minSlot) throw behind("an answer from before the slot asked for");
      },
      acceptAbsence(slot, level) {
        if (slot >= book.trustedSlot(level)) return;
        throw new NodeError("too far behind to know that something is not there", { rests: true });
      },
    };
  }

  return {
    nodes: endpoints.length,
    requestCounts,
    deadlineMs: deadlineMsUsual,
    queue: openQueue,
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
