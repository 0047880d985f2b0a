import { once } from "node:events";
import { createServer } from "node:net";

export interface WantedPort {
  readonly port: number;
  /** What to set to have another one. */
  readonly setting: string;
}

/** Throws, naming the setting, when somebody listens on one of the ports already: better before anything is made than after. */
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
