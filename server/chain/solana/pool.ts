import { type Commitment, type Consensus, commitmentOf, type Level, newConsensus } from "../consensus.ts";
import { ChainUnavailableError, type ReadOptions } from "../port.ts";
import { type Clock, realClock } from "./clock.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import {
  ALONE_MS_MAX,
  BODY_BYTES_MAX,
  DEADLINE_MS_DEFAULT,
  IDENTITY_MS_MAX,
  LAG_SLOTS_MAX,
  SECOND_MS,
  WITNESS_AGE_MS_MAX,
} from "./limits.ts";
import { behind, NodeError, RPC_ERRORS } from "./nodeError.ts";
import { createNodeBook } from "./nodes.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseBlockTime, parseInteger, parseText } from "./shapes.ts";

/** A node during one attempt. Every method throws a {@link NodeError}, which ends the attempt. */
export interface NodeSession {
  readonly node: number;
  /** The commitment of the read. */
  readonly commitment: Commitment;
  /** The members of a request that tell a node how new its answer has to be. */
  readonly form: { readonly commitment: Commitment; readonly minContextSlot?: number };
  call(method: string, params: readonly unknown[], bytesMax?: number): Promise<unknown>;
  /** Asks the node which chain it is of, and remembers the genesis hash it named. */
  identify(): Promise<string>;
  /**
   * Refuses an answer that names a slot the node has not reached. Called before a slot that the database would keep is
   * believed.
   */
  acceptReached(slot: number): Promise<void>;
  /** Refuses an answer from before the slot the caller asked for, and records the node's slot. Default level: the commitment. */
  acceptSlot(slot: number, level?: Level): void;
  /** Refuses an answer that lacks an item, if the node is too far behind to know it (§4.5.9). */
  acceptAbsence(slot: number, level?: Level): void;
}

/** The nodes that one read may still ask: each is asked at most once, and they share the deadline. */
interface NodeQueue {
  /**
   * Returns the first usable answer of the nodes not asked yet; else throws {@link ChainUnavailableError} with the failure
   * of each.
   */
  ask<T>(attempt: (session: NodeSession) => Promise<T>): Promise<T>;
  /** The number of nodes left to ask. */
  readonly left: number;
}

type QueueOptions = Pick<ReadOptions, "signal" | "commitment" | "minSlot" | "notNode" | "onlyNode">;

export interface Pool {
  readonly nodes: number;
  readonly consensus: Consensus;
  readonly requestCounts: ReadonlyMap<string, number>;
  /** Deadline of a read of one request over all its nodes. */
  readonly deadlineMs: number;
  queue(options: QueueOptions, deadlineMs?: number): NodeQueue;
  /** From now on a node that has not named this genesis hash is asked for it first, and skipped while it names another. */
  keepTo(genesisHash: string): void;
  /** The oldest slot from which an absence is believed; 0 while no slot is known. */
  trustedSlot(level: Level): number;
  /** The slots in a time, by those that became final lately. */
  slotsIn(ms: number): number;
}

export const createPool = (settings: SolanaSettings): Pool => new NodePool(settings);

class NodePool implements Pool {
  readonly nodes: number;
  readonly consensus: Consensus;
  readonly requestCounts = new Map<string, number>();
  readonly deadlineMs: number;
  readonly trustedSlot: Pool["trustedSlot"];
  readonly slotsIn: Pool["slotsIn"];
  readonly #clock: Clock;
  readonly #endpoints: readonly Endpoint[];
  readonly #book: ReturnType<typeof createNodeBook>;
  /** The genesis hash each node has named, and the time of its last check. */
  readonly #named = new Map<number, { readonly genesisHash: string; readonly askedAtMs: number }>();
  #kept: string | null = null;

  constructor(settings: SolanaSettings) {
    if (settings.rpcUrls.length === 0) throw new Error("At least one RPC URL is needed.");
    const { clock = realClock, deadlineMs = DEADLINE_MS_DEFAULT } = settings;
    this.#clock = clock;
    this.deadlineMs = deadlineMs;
    this.#endpoints = settings.rpcUrls.map((url, node) => createEndpoint(url, node, settings.fetch ?? fetch));
    this.nodes = this.#endpoints.length;
    this.consensus = settings.consensus ?? newConsensus();
    this.#book = createNodeBook(this.nodes, clock, settings.log);
    this.trustedSlot = this.#book.trustedSlot;
    this.slotsIn = this.#book.slotsIn;
  }

  // An arrow function, since readers, builders and senders take it as a value.
  readonly keepTo = (genesisHash: string): void => {
    this.#kept = genesisHash;
  };

  queue(options: QueueOptions, deadlineMs = this.deadlineMs): NodeQueue {
    const { onlyNode, notNode } = options;
    const asked = new Set<number>(
      onlyNode === undefined ? [] : [...this.#endpoints.keys()].filter((node) => node !== onlyNode),
    );
    if (notNode !== undefined && this.#endpoints.length > 1) asked.add(notNode);
    const endsAtMs = this.#clock.now() + deadlineMs;
    const reports: string[] = [];

    const ask = async <T>(attempt: (session: NodeSession) => Promise<T>): Promise<T> => {
      for (let queue = this.#book.order(asked); queue.length > 0; queue = this.#book.order(asked)) {
        const leftMs = endsAtMs - this.#clock.now();
        if (leftMs <= 0 || options.signal.aborted) break;
        const node = queue[0]!;
        asked.add(node);
        // Each node gets an equal share: a first node that hangs leaves the second its time.
        const outcome = await this.#attemptOn(node, leftMs / queue.length, options, attempt);
        if (!(outcome instanceof NodeError)) return outcome.value;
        reports.push(`node ${node}: ${outcome.message}`);
      }
      // Sorted, so that the order of the nodes and the kinds of failure do not change the reason.
      throw new ChainUnavailableError(explain(reports, options.signal.aborted), "no node");
    };
    const left = () => this.#book.order(asked).length;

    return {
      ask,
      get left() {
        return left();
      },
    };
  }

  async #attemptOn<T>(
    node: number,
    ms: number,
    options: QueueOptions,
    attempt: (session: NodeSession) => Promise<T>,
  ): Promise<{ value: T } | NodeError> {
    const control = new AbortController();
    const giveUp = () => {
      // A caller that stops, or a client that disconnected, is not the node's fault.
      const isLate = (options.signal.reason as Error | undefined)?.name === "TimeoutError";
      const why = isLate ? "no answer before the caller's deadline" : "the caller stopped";
      control.abort(new NodeError(why, { rests: isLate }));
    };
    const callOff = this.#clock.after(ms, () =>
      control.abort(new NodeError(`no answer within ${Math.round(ms)} ms`, { rests: true })),
    );
    options.signal.addEventListener("abort", giveUp, { once: true });
    try {
      const session = this.#openSession(node, options, this.#endpoints[node]!, control.signal);
      if (!(await this.#isOfKeptChain(session))) throw new NodeError("a node of another chain", { rests: true });
      const value = await attempt(session);
      this.#book.recordAnswer(node);
      return { value };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      this.#book.recordFailure(node, error);
      return error;
    } finally {
      callOff();
      options.signal.removeEventListener("abort", giveUp);
      control.abort(new NodeError("the attempt is over", { rests: false })); // Ends the requests that are still in flight.
    }
  }

  /** Checked again each minute: a URL may come to lead to another chain. Until the node answers, its last answer holds. */
  async #isOfKeptChain(session: NodeSession): Promise<boolean> {
    if (this.#kept === null) return true;
    const last = this.#named.get(session.node);
    const askedAtMs = this.#clock.now();
    if (last?.genesisHash === this.#kept) {
      if (askedAtMs - last.askedAtMs < IDENTITY_MS_MAX) return true;
      this.#named.set(session.node, { ...last, askedAtMs });
    }
    return (await session.identify()) === this.#kept;
  }

  /** Returns true if another node of the present answers, and all that do are more than an hour behind the slot. */
  async #isDenied(node: number, slot: number, attempt: AbortSignal): Promise<boolean> {
    const farSlots = this.slotsIn(ALONE_MS_MAX);
    const control = new AbortController();
    const callOff = this.#clock.after(SECOND_MS, () => control.abort(new NodeError("too late", { rests: false })));
    const signal = AbortSignal.any([attempt, control.signal]);
    const reach = async (other: number): Promise<number | null> => {
      try {
        const session = this.#openSession(other, {}, this.#endpoints[other]!, signal);
        if (!(await this.#isOfKeptChain(session))) return null;
        const reached = parseInteger(await session.call("getSlot", [{ commitment: "processed" }]), "slot");
        return slot > reached + farSlots && (await this.#isOfPast(session)) ? null : reached;
      } catch (error) {
        if (error instanceof NodeError) return null;
        throw error;
      }
    };
    const reached = await Promise.all(this.#book.order(new Set([node])).map(reach));
    callOff();
    const answers = reached.filter((other) => other !== null);
    return answers.length > 0 && answers.every((other) => slot > other + farSlots);
  }

  /**
   * Returns true if a node stands still: its newest final block is old, by its own account. It cannot know how far the chain
   * is.
   */
  async #isOfPast(session: NodeSession): Promise<boolean> {
    try {
      const slot = parseInteger(await session.call("getSlot", [{ commitment: "finalized" }]), "slot");
      const time = parseBlockTime(await session.call("getBlockTime", [slot]), "block time");
      return time !== null && time.getTime() < Date.now() - WITNESS_AGE_MS_MAX;
    } catch (error) {
      if (error instanceof NodeError) return false; // The node does not tell the time.
      throw error;
    }
  }

  #openSession(
    node: number,
    { minSlot, commitment = commitmentOf(this.consensus, "read") }: Pick<QueueOptions, "minSlot" | "commitment">,
    endpoint: Endpoint,
    signal: AbortSignal,
  ): NodeSession {
    const call: NodeSession["call"] = (method, params, bytesMax = BODY_BYTES_MAX) => {
      if (!signal.aborted) this.requestCounts.set(method, (this.requestCounts.get(method) ?? 0) + 1);
      return endpoint(method, params, { bytesMax, signal }).catch((error: unknown) => {
        if (commitment !== "finalized" && error instanceof NodeError && error.code === RPC_ERRORS.invalidParams)
          for (const doubt of this.consensus.doubts) doubt();
        throw error;
      });
    };
    return {
      node,
      commitment,
      form: { commitment, ...(minSlot === undefined ? {} : { minContextSlot: minSlot }) },
      call,
      identify: async () => {
        const genesisHash = parseText(await call("getGenesisHash", []), "genesis hash");
        this.#named.set(node, { genesisHash, askedAtMs: this.#clock.now() });
        return genesisHash;
      },
      acceptReached: async (slot) => {
        if (!this.#book.isJump(slot)) return;
        // This is the first answer after a pause, or the node's mistake: a row that kept such a slot would reject every later
        // answer as older.
        const reached = parseInteger(await call("getSlot", [{ commitment: "processed" }]), "slot");
        if (slot > reached + LAG_SLOTS_MAX)
          throw new NodeError("an answer from a slot that it has not reached", { rests: true });
        if (this.#book.isFarJump(slot) && (await this.#isDenied(node, slot, signal)))
          throw new NodeError("an answer from a slot that no other node has come near", { rests: true });
        this.#book.noteSlot(node, reached, "processed");
      },
      acceptSlot: (slot, level = commitment) => {
        if (!this.#book.isJump(slot)) this.#book.noteSlot(node, slot, level);
        if (slot < (minSlot ?? 0)) throw behind("an answer from before the slot asked for");
      },
      acceptAbsence: (slot, level = commitment) => {
        if (slot >= this.#book.trustedSlot(level)) return;
        throw new NodeError("too far behind to know that something is not there", { rests: true });
      },
    };
  }
}

function explain(reports: readonly string[], stopped: boolean): string {
  const said = reports.length === 0 ? "no node was asked" : reports.join("; ");
  return `No chain node gave a usable answer (${said}${stopped ? "; stopped by the caller" : ""}).`;
}
