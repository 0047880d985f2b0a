import { createHash } from "node:crypto";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer } from "node:net";

/** Another process runs on the folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

/**
 * Holds the folder for this process. The lock is a socket in the kernel's own namespace, named by the folder's device and
 * inode: it vanishes with the process however that ends, so there is nothing to clean up and nothing to misread.
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const { dev, ino } = statSync(path, { bigint: true });
  const name = createHash("sha256").update(`devnet ${dev} ${ino}`).digest("hex").slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(`\0holdfast-${name}`);
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE")
      throw new FolderInUseError(`another local chain is running on ${path}`);
    throw error;
  }
  server.unref();
  return () => new Promise((done) => server.close(() => done()));
}
