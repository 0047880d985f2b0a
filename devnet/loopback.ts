import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

const PORT_TRIES = 20;
/** These ports lie below the range that the kernel takes for outgoing connections, so none of those occupies one. */
const [PORT_MIN, PORT_MAX] = [12_000, 31_000];

async function listenOn(server: Server, port: number, host: string): Promise<void> {
  server.listen({ port, host, exclusive: true });
  await once(server, "listening");
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await new Promise((done) => server.close(done));
}

/** Listens on one port on both loopback addresses; on a machine without IPv6, on 127.0.0.1 alone. */
async function listenLoopback(make: () => Server, port: number): Promise<Listening> {
  const servers = [make(), make()] as const;
  const close = async () => void (await Promise.all(servers.map(closeServer)));
  try {
    await listenOn(servers[0], port, "127.0.0.1");
    await listenOn(servers[1], port, "::1").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRNOTAVAIL" && error.code !== "EAFNOSUPPORT") throw error;
    });
    return { port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A port for the RPC and the next one for its WebSocket. Port 0 takes any free pair. */
export async function listenPair(
  rpc: () => Server,
  socket: () => Server,
  port: number,
): Promise<readonly [Listening, Listening]> {
  for (let tries = 1; ; tries++) {
    let first: Listening | null = null;
    try {
      first = await listenLoopback(rpc, port === 0 ? randomInt(PORT_MIN, PORT_MAX) : port);
      return [first, await listenLoopback(socket, first.port + 1)];
    } catch (error) {
      await first?.close();
      if (port !== 0 || tries === PORT_TRIES) throw error;
    }
  }
}
