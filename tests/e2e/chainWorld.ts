import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "../harness/certificates.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import { closeBrowser } from "./browser.ts";

/** A service whose chain is slow enough for wallets, and the servers of a shop, which the suites of one file share. */
export interface ChainWorld {
  readonly service: Service;
  /** What came to both hosts. */
  readonly receiver: Receiver;
  /** The content of `/.well-known/holdfast-domain.txt` at the domain; null if the file does not exist. */
  proof: string | null;
}

export const HOOKS_HOST = "hooks.shop-demo.com";
export const DOMAIN = "www.shop-demo.com";

const ends: (() => Promise<void>)[] = [];
let opened: Promise<ChainWorld> | undefined;
export const openChainWorld = (): Promise<ChainWorld> => {
  opened ??= start();
  return opened;
};

export async function closeChainWorld(): Promise<void> {
  await closeBrowser();
  await opened?.catch(() => undefined);
  for (const end of ends.reverse()) await end();
}

async function start(): Promise<ChainWorld> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-chain-world-"));
  ends.push(() => rm(folder, { recursive: true }));
  const authority = createAuthority();
  await writeFile(join(folder, "ca.pem"), authority.ca);
  const receiver = await startReceiver(authority.issue([HOOKS_HOST, DOMAIN]), ({ path }, response) => {
    if (path !== "/.well-known/holdfast-domain.txt") response.end("ok");
    else if (world.proof === null) response.writeHead(404).end();
    else response.end(world.proof);
  });
  ends.push(async () => receiver[Symbol.asyncDispose]());
  const at = `127.0.0.1:${receiver.port}`;
  const env = {
    ...localChain({ slotMs: 150 }),
    WEBHOOK_CA_FILE: join(folder, "ca.pem"),
    WEBHOOK_DEV_HOSTS: JSON.stringify({ [HOOKS_HOST]: at, [DOMAIN]: at }),
  };
  const service = await startService({ env });
  ends.push(() => service.remove());
  const world: ChainWorld = { service, receiver, proof: null };
  return world;
}
