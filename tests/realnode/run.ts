import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callRpc } from "@holdfast/devnet/client.ts";
import { StandaloneService } from "../faults/standaloneService.ts";
import { newMerchant } from "../harness/merchant.ts";
import { LIVES, type Stage } from "./lives.ts";
import { type Mode, RealNode } from "./realNode.ts";

/** The claim, what was seen of it in this mode, and whether it holds. */
export interface Result {
  readonly claim: string;
  readonly mode: Mode;
  readonly holds: boolean;
  readonly seen: string;
}
export interface Report {
  readonly mode: Mode;
  readonly version: string;
  readonly minutes: number;
  readonly results: readonly Result[];
}

const SEEN_MAX = 600;
const PROGRAM_FILE = fileURLToPath(import.meta.resolve("@holdfast/program/holdfast_escrow.so"));

/** Starts the node and a service on it, and plays the golden lives one after the other; a failed one does not stop the others. */
export async function playOn(
  file: string,
  mode: Mode,
  wanted: (claim: string) => boolean,
  onResult: (result: Result) => void,
): Promise<Report> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "holdfast-realnode-"));
  let node: RealNode | null = null;
  let service: StandaloneService<RealNode> | null = null;
  try {
    node = await RealNode.start(file, folder, mode, await readFile(PROGRAM_FILE));
    const started = node;
    service = await StandaloneService.startOn(async () => started, {
      nodes: ["the only one"],
      env: { CLIENT_ADDRESS_HEADER: "X-Forwarded-For" },
      chain: {
        sweepMs: 4_000,
        sponsor: {
          keyFiles: [join(node.walletsDir, "sponsor.json")],
          amountsMin: { [node.ready.asset]: "1000000" },
        },
      },
    });
    const version = await callRpc<Record<string, string>>(node.rpcUrl, "getVersion", []);
    const receipts = join(folder, "receipts");
    await mkdir(receipts);
    const shop = await newMerchant(service);
    const stage: Stage = { node, service, shop, programFile: PROGRAM_FILE, folder: receipts };
    const results: Result[] = [];
    for (const { claim, play } of LIVES.filter((one) => wanted(one.claim))) {
      const outcome = await play(stage).then(
        (seen) => ({ holds: true, seen }),
        (error: unknown) => ({ holds: false, seen: describe(error) }),
      );
      results.push({ claim, mode, ...outcome });
      onResult(results.at(-1)!);
    }
    const minutes = (performance.now() - startedAt) / 60_000;
    return { mode, version: version["solana-core"] ?? "unknown", minutes, results };
  } finally {
    await service?.remove();
    await node?.end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}

/** One line, as a cell of a table takes it. */
const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .slice(0, SEEN_MAX);
