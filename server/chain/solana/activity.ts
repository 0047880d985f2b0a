import { WebSocket } from "ws";
import { type Clock, realClock } from "./clock.ts";
import { handshakeMsMax, notificationBytesMax, pingMs, reconnectMsMax, reconnectMsMin } from "./limits.ts";
import type { SolanaSettings } from "./settings.ts";

/**
 * Calls `wake` when the operator is named in a new transaction, and whenever a subscription begins, since something may
 * have been missed before it. Only a hint: one connection at a time, the next URL after a failure, never an error.
 */
export function subscribe(settings: SolanaSettings, wake: () => void): () => void {
  const { wsUrls = [], operator, log, clock = realClock } = settings;
  if (wsUrls.length === 0) return () => {};
  let stopped = false;
  let failures = 0;
  let close = () => {};

  const safeWake = () => {
    try {
      wake();
    } catch (error) {
      log("Waking on chain activity failed.", error);
    }
  };

  function connect(): void {
    const url = wsUrls[failures % wsUrls.length]!;
    const node = failures % wsUrls.length;
    const sinceMs = clock.now();
    close = follow({
      url,
      operator,
      clock,
      onActivity: safeWake,
      onEnd() {
        if (stopped) return;
        // Only a connection that lasted counts as a success: one that opens and closes at once is not hammered.
        if (clock.now() - sinceMs > reconnectMsMax) failures = 0;
        if (failures === 0)
          log(`The subscription to chain activity at WebSocket address ${node} ended; it is made again.`);
        const waitMs = Math.min(reconnectMsMin * 2 ** Math.min(failures, 20), reconnectMsMax);
        failures += 1;
        close = clock.after(waitMs, connect);
      },
    });
  }

  connect();
  return () => {
    stopped = true;
    close();
  };
}

interface Followed {
  readonly url: string;
  readonly operator: string;
  readonly clock: Clock;
  onActivity(): void;
  /** Exactly once, however it ended. */
  onEnd(): void;
}

/** One connection: subscribe, then every message but the refusal of the subscription is activity. */
function follow({ url, operator, clock, onActivity, onEnd }: Followed): () => void {
  let stopPinging = () => {};
  const socket = open(url);
  if (socket === null) return clock.after(0, onEnd);

  let answered = true;
  const ping = () => {
    // A half-open connection says nothing at all; without this it would look like a quiet chain for ever.
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
    stopPinging = clock.after(pingMs, ping);
  };

  socket.on("open", () => {
    const params = [{ mentions: [operator] }, { commitment: "confirmed" }];
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "logsSubscribe", params }));
    ping();
  });
  socket.on("pong", () => {
    answered = true;
  });
  socket.on("message", (data) => (isRefusal(String(data)) ? socket.terminate() : onActivity()));
  socket.on("error", () => {}); // "close" follows, and is where it is dealt with.
  socket.on("close", () => {
    stopPinging();
    onEnd();
  });
  return () => socket.terminate();
}

function open(url: string): WebSocket | null {
  try {
    return new WebSocket(url, { handshakeTimeout: handshakeMsMax, maxPayload: notificationBytesMax });
  } catch {
    return null; // An address that is none; the caller goes on to the next.
  }
}

/** Anything unreadable counts as a hint too: it costs one poll. */
function isRefusal(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && "error" in message;
  } catch {
    return false;
  }
}
