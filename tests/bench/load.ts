import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * A load generator that is cheaper than what it loads: raw sockets, one request at a time on each, requests built by
 * concatenation, answers read no further than their status and length. Runs in a process of its own.
 */
export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests a second in all; null: as many as are answered. */
  readonly ratePerSecond: number | null;
  readonly kind: "create" | "get" | "list" | "read" | "bare";
  /** Keys of different businesses; connection n uses keys n, n + connections, … in turn. */
  readonly keys: readonly string[];
  readonly recipient: string;
  readonly asset: string;
  /** For `get`: an intent id for each key. */
  readonly ids: readonly string[];
  /** For `read`: what to get with each key, below /api/v1. */
  readonly paths?: readonly string[];
  readonly tag: string;
}

export interface LoadResult {
  readonly answered: number;
  readonly good: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The load generator's own CPU, for the record. */
  readonly cpuMs: number;
}

const HEADER_END = Buffer.from("\r\n\r\n");

function requestOf(plan: LoadPlan, connection: number, turn: number): string {
  const which = (connection + turn * plan.connections) % Math.max(1, plan.keys.length);
  const head = `Host: localhost\r\nAuthorization: Bearer ${plan.keys[which]}\r\n`;
  if (plan.kind === "bare") return "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  if (plan.kind === "get") return `GET /api/v1/payment-intents/${plan.ids[which]} HTTP/1.1\r\n${head}\r\n`;
  if (plan.kind === "read") return `GET /api/v1${plan.paths![which]} HTTP/1.1\r\n${head}\r\n`;
  if (plan.kind === "list") return `GET /api/v1/payment-intents?limit=20 HTTP/1.1\r\n${head}\r\n`;
  const name = `${plan.tag}-${connection}-${turn}`;
  const body = `{"recipient":"${plan.recipient}","amount":"5000000","asset":"${plan.asset}","protectionPeriod":"sevenDays","merchantReference":"${name}","metadata":{"order":"${name}"}}`;
  return `POST /api/v1/payment-intents HTTP/1.1\r\n${head}Idempotency-Key: ${name}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Puts the plan's load on a server of this machine and says what came back. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  // With a rate, requests are due at fixed times and their wait counts: a slow server cannot slow the question down.
  let due = 0;
  const spacingMs = plan.ratePerSecond === null ? 0 : 1_000 / plan.ratePerSecond;

  // All connections are open before the first request: opening so many at once is not measured.
  const sockets = await Promise.all(
    Array.from({ length: plan.connections }, async () => {
      const socket = connect(plan.port, "127.0.0.1").setNoDelay(true);
      await once(socket, "connect");
      return socket;
    }),
  );
  const cpu = process.cpuUsage();
  const started = performance.now();
  const until = started + plan.durationMs;

  const drive = (socket: Socket, connection: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let turn = 0;
    let askedAt = 0;
    let pending: Buffer = Buffer.alloc(0);
    const ask = () => {
      if (performance.now() >= until) return void socket.end(resolve);
      if (plan.ratePerSecond === null) {
        askedAt = performance.now();
        return void socket.write(requestOf(plan, connection, turn++), "latin1");
      }
      askedAt = started + due++ * spacingMs;
      const send = () => void socket.write(requestOf(plan, connection, turn++), "latin1");
      const wait = askedAt - performance.now();
      if (wait <= 0) send();
      else
        setTimeout(() => {
          // A timer may be up to a millisecond off, so count the wait for the answer from here.
          askedAt = performance.now();
          send();
        }, wait);
    };
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = pending.indexOf(HEADER_END);
      if (end < 0) return;
      const head = pending.toString("latin1", 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      pending = pending.subarray(end + 4 + length);
      const status = head.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      latencies.push(performance.now() - askedAt);
      ask();
    });
    ask();
    return promise;
  };
  await Promise.all(sockets.map(drive));
  const seconds = (performance.now() - started) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
  const { user, system } = process.cpuUsage(cpu);
  return {
    answered: latencies.length,
    good: (statuses["200"] ?? 0) + (statuses["201"] ?? 0),
    statuses,
    seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMs: (user + system) / 1_000,
  };
}

// Forked: the plan comes as a message, the result goes back as one.
if (process.send !== undefined && process.argv[1]?.endsWith("load.ts"))
  process.once("message", async (plan: LoadPlan) => {
    const result = await runLoad(plan);
    process.send?.(result, () => process.exit(0));
  });
