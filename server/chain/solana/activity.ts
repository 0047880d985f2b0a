import { WebSocket } from "ws";
import { isSignature } from "../../domain/addresses.ts";
import { type Commitment, commitmentOf, newConsensus } from "../consensus.ts";
import { type Clock, realClock } from "./clock.ts";
import { HANDSHAKE_MS_MAX, NOTIFICATION_BYTES_MAX, PING_MS, RECONNECT_MS_MAX, RECONNECT_MS_MIN } from "./limits.ts";
import type { SolanaSettings } from "./settings.ts";

/**
 * Calls `wake` when a new transaction names the operator, and whenever a subscription begins, since a transaction may have
 * been missed before it, and subscribes anew when the consensus changes. This is only a hint: one connection at a time, the next URL after a failure, never an error.
 */
export function subscribe(settings: SolanaSettings, wake: (signature: string | null) => void): () => void {
  const { wsUrls = [], operator, log, clock = realClock, consensus = newConsensus() } = settings;
  if (wsUrls.length === 0) return () => {};
  let stopped = false;
  let failures = 0;
  let connections = 0;
  let close = () => {};

  const safeWake = (signature: string | null) => {
    try {
      wake(signature);
    } catch (error) {
      log("Waking on chain activity failed.", error);
    }
  };

  function connect(): void {
    const url = wsUrls[failures % wsUrls.length]!;
    const node = failures % wsUrls.length;
    const sinceMs = clock.now();
    connections += 1;
    const connection = connections;
    close = follow({
      url,
      operator,
      commitment: commitmentOf(consensus, "bind"),
      clock,
      onActivity: safeWake,
      onEnd() {
        if (stopped || connection !== connections) return;
        // Only a long connection counts as a success. A node that opens and closes at once gets longer waits.
        if (clock.now() - sinceMs > RECONNECT_MS_MAX) failures = 0;
        if (failures === 0)
          log(
            `The subscription to chain activity at WebSocket address ${node} ended; it is made again.`,
            undefined,
            "warn",
          );
        const waitMs = Math.min(RECONNECT_MS_MIN * 2 ** Math.min(failures, 20), RECONNECT_MS_MAX);
        failures += 1;
        close = clock.after(waitMs, connect);
      },
    });
  }

  const reconnect = () => {
    close();
    connect();
  };
  consensus.changes.add(reconnect);
  connect();
  return () => {
    consensus.changes.delete(reconnect);
    stopped = true;
    close();
  };
}

/** Subscribes once, as an operator's check of the deployment; false if the address does not take it before the signal. */
export const canSubscribe = (url: string, operator: string, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const close = follow({
      ...{ url, operator, commitment: "finalized", clock: realClock },
      onActivity: () => end(true),
      onEnd: () => resolve(false),
    });
    const end = (could: boolean): void => {
      resolve(could);
      close();
    };
    signal.addEventListener("abort", () => end(false), { once: true });
  });

interface FollowOptions {
  readonly url: string;
  readonly operator: string;
  readonly commitment: Commitment;
  readonly clock: Clock;
  onActivity(signature: string | null): void;
  /** Called exactly once, for every kind of end. */
  onEnd(): void;
}

/** Handles one connection: it subscribes, then takes every message but a refused subscription as activity. */
function follow({ url, operator, commitment, clock, onActivity, onEnd }: FollowOptions): () => void {
  let stopPinging = () => {};
  const socket = open(url);
  if (socket === null) return clock.after(0, onEnd);

  let answered = true;
  const ping = () => {
    // A half-open connection sends nothing; without this check it would look like a quiet chain for ever.
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
    stopPinging = clock.after(PING_MS, ping);
  };

  socket.on("open", () => {
    const params = [{ mentions: [operator] }, { commitment }];
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "logsSubscribe", params }));
    ping();
  });
  socket.on("pong", () => {
    answered = true;
  });
  socket.on("message", (data) => {
    const message = readMessage(String(data));
    if (message.error !== undefined) return socket.terminate();
    const { signature, err } = message.params?.result?.value ?? {};
    onActivity(err === null && typeof signature === "string" && isSignature(signature) ? signature : null);
  });
  socket.on("error", () => {}); // "close" follows and is handled.
  socket.on("close", () => {
    stopPinging();
    onEnd();
  });
  return () => socket.terminate();
}

function open(url: string): WebSocket | null {
  try {
    return new WebSocket(url, { handshakeTimeout: HANDSHAKE_MS_MAX, maxPayload: NOTIFICATION_BYTES_MAX });
  } catch {
    return null; // The URL is not valid; the caller goes on to the next.
  }
}

/** An answer to the subscription, or a notice. What a node sends may be anything. */
interface Message {
  readonly error?: unknown;
  readonly params?: { readonly result?: { readonly value?: { readonly signature?: unknown; readonly err?: unknown } } };
}

/** Anything unreadable counts as a hint too: it costs one poll. */
function readMessage(text: string): Message {
  try {
    return (JSON.parse(text) as Message | null) ?? {};
  } catch {
    return {};
  }
}
