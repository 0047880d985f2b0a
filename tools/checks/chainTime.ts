import { readText } from "./files.ts";

const PRODUCT = /^(server|receipt|escrow-client|sdk|cli|web)\/.*\.(ts|tsx)$/;
const TEST = /\.test\.ts$|\/(testing|tests)\/|\/(testing|fixtures)\.ts$/;

const CONSTANT = /\bconst ([A-Z][A-Z0-9_]*)\b[^=]*= [\d(]/;
const OF_SLOTS = /_(SLOTS|BLOCKS|HEIGHT)(_|$)|^BLOCKS_/;
const OF_TIME = /(^|_)(MS|SECONDS|MINUTES)(_|$)/;
const BLOCKHASH = /blockhash|last ?valid|block height/i;

/** Numbers of slots or blocks that mean no time, and times that are not the life of a blockhash, with the reason. */
const NEEDED: Readonly<Record<string, string>> = {
  "server/chain/solana/limits.ts LAG_SLOTS_MAX": "how far a node may be behind (§4.5.9)",
  "server/chain/solana/builder.ts BLOCKHASH_MS": "one answer for the memos of a moment",
  "server/chain/solana/sender.ts BLOCKHASH_KEPT_MS": "one answer for the payouts of a moment",
  "server/features/recording/sweep/feed.ts OVERLAP_SLOTS": "slots that a node may still complete",
  "server/features/recording/sweep/queries.ts LANDING_SLOTS_MAX":
    "blocks in which a dropped transaction may land again",
  "server/features/checkout/x402/requirements.ts TIMEOUT_SECONDS": "advice to clients, which decides nothing",
  "server/process/doctor/nodes.ts LAG_SLOTS_MAX": "how far a node may be behind",
};

/** The only files that name the weaker commitment; the second one shares no code with the service. */
const COMMITMENTS = new Set(["server/chain/consensus.ts", "receipt/nodes.ts"]);
const WEAKER = /\bcommitment\w*["']?\s*(:|=|\?\?|,)[^;"']*["']confirmed["']/i;

/**
 * Finds constants that stand for what a chain decides: the time of slots and blocks, the life of a blockhash, and the
 * commitment at which a block counts.
 */
export function checkChainTime(root: string, files: readonly string[]): string[] {
  const used = new Set<string>();
  const product = files.filter((path) => PRODUCT.test(path) && !TEST.test(path));
  const found = product.flatMap((path) => {
    const lines = readText(root, path).split("\n");
    return lines.flatMap((line, index) =>
      [findConstant(path, lines, index, used), findCommitment(path, line)].flatMap((why) =>
        why === null ? [] : [`${path}:${index + 1}: ${why}`],
      ),
    );
  });
  const unused = Object.keys(NEEDED).filter((entry) => product.includes(entry.split(" ")[0]!) && !used.has(entry));
  return [...found, ...unused.map((entry) => `${entry} needs no exception in tools/checks/chainTime.ts.`)];
}

/** Adds the exception that it takes to `used`. */
function findConstant(path: string, lines: readonly string[], index: number, used: Set<string>): string | null {
  const line = lines[index]!;
  if (/\blastValidBlockHeight\b\s*[-+]\s*\d/.test(line))
    return "a number of blocks beside lastValidBlockHeight: ask the chain how long a transaction lives.";
  const name = CONSTANT.exec(line)?.[1];
  if (name === undefined) return null;
  const isOfSlots = OF_SLOTS.test(name);
  const isOfBlockhash = BLOCKHASH.test(`${name.replaceAll("_", " ")} ${line} ${commentAbove(lines, index)}`);
  if (!isOfSlots && !(OF_TIME.test(name) && isOfBlockhash)) return null;
  const entry = `${path} ${name}`;
  if (Object.hasOwn(NEEDED, entry)) {
    used.add(entry);
    return null;
  }
  return isOfSlots
    ? `${name} counts slots or blocks. Say the time and measure it (slotsIn), or say in tools/checks/chainTime.ts why not.`
    : `${name} stands for the life of a blockhash. Ask for its life (server/chain/lifetime.ts), or say in tools/checks/chainTime.ts why not.`;
}

/** The comment that ends right above a line. */
function commentAbove(lines: readonly string[], index: number): string {
  const isComment = (line: string | undefined) => line !== undefined && /^\s*(\/\/|\/?\*)/.test(line);
  let from = index;
  while (isComment(lines[from - 1])) from--;
  return lines.slice(from, index).join(" ");
}

const findCommitment = (path: string, line: string): string | null =>
  !COMMITMENTS.has(path) && /^(server|receipt)\//.test(path) && WEAKER.test(line)
    ? "names a commitment that nodes will refuse. Take it from server/chain/consensus.ts."
    : null;
