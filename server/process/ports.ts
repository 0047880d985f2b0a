import { once } from "node:events";
import { createServer } from "node:net";

export interface WantedPort {
  readonly port: number;
  /** The setting that changes the port. */
  readonly setting: string;
}

/** Throws, with the name of the setting, if a port is in use. Called before any part starts. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const { port, setting } of wanted) {
    const server = createServer();
    server.listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      throw new Error(`The port ${port} is in use by another program. Stop it, or choose another port by ${setting}.`);
    }
    server.close();
    await once(server, "close");
  }
}
