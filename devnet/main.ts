import { parseArgs } from "node:util";
import { type Address, isAddress } from "@solana/kit";
import { CONSENSUSES } from "./ledger/slots.ts";
import { type Devnet, type DevnetOptions, startDevnet } from "./start.ts";

const USAGE = `usage: node devnet/main.ts --data-dir DIR [--rpc-port N] [--consensus tower|alpenglow] [--slot-ms N] [--confirmed-after N] [--finalized-after N] [--block-time-after N] [--skip-every N] [--no-tick] [--program ADDRESS=FILE]
  --rpc-port          JSON-RPC; the WebSocket takes the next port (default 8899; 0: any free pair)
  --consensus         tower: votes make a slot final; alpenglow: it is final in the next one, for good (default tower)
  --slot-ms           length of a slot (default 400; alpenglow: 200)
  --confirmed-after   slots until votes confirm one (default 2)
  --finalized-after   slots until votes make one final (default 32)
  --block-time-after  slots until a block's time is known (default 3)
  --skip-every        each slot whose number divides by this has no block
  --no-tick           slots pass only by the control devnet_tick
  --program           one more program at this address; may be repeated`;

function readOptions(): DevnetOptions {
  const number = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      "data-dir": { type: "string" },
      "rpc-port": { ...number, default: "8899" },
      consensus: { ...number, default: "tower" },
      "slot-ms": number,
      "confirmed-after": { ...number, default: "2" },
      "finalized-after": number,
      "block-time-after": { ...number, default: "3" },
      "skip-every": number,
      "no-tick": { type: "boolean", default: false },
      program: { type: "string", multiple: true, default: [] },
    },
  });
  const dataDir = values["data-dir"];
  if (!dataDir) throw new Error("--data-dir is missing");
  const read = (
    name: "rpc-port" | "slot-ms" | "confirmed-after" | "finalized-after" | "block-time-after" | "skip-every",
    least: number,
    most: number,
  ) => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
  };
  const consensus = CONSENSUSES.find((one) => one === values.consensus);
  if (consensus === undefined) throw new Error(`--consensus must be one of ${CONSENSUSES.join(", ")}`);
  return {
    dataDir,
    consensus,
    rpcPort: read("rpc-port", 0, 65_534),
    ...(values["slot-ms"] === undefined ? {} : { slotMs: read("slot-ms", 10, 60_000) }),
    confirmedAfter: read("confirmed-after", 1, 1000),
    ...(values["finalized-after"] === undefined ? {} : { finalizedAfter: read("finalized-after", 1, 10_000) }),
    blockTimeAfter: read("block-time-after", 0, 10_000),
    ...(values["skip-every"] === undefined ? {} : { skipEvery: read("skip-every", 3, 10_000) }),
    autoTick: !values["no-tick"],
    programs: values.program.map(readProgram),
  };
}

function readProgram(text: string): { readonly address: Address; readonly path: string } {
  const [, programAddress = "", path = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!isAddress(programAddress)) throw new Error(`--program must be ADDRESS=FILE, not ${text}`);
  return { address: programAddress, path };
}

function announce(devnet: Devnet): void {
  const { rpcPort, wsPort, slotMs, genesisHash, programId, operator, asset, addresses, controls } = devnet;
  const { offsetMs } = controls.clock();
  if (process.send) {
    process.send({
      type: "ready",
      rpcPort,
      wsPort,
      slotMs,
      genesisHash,
      programId,
      operator,
      wallets: addresses,
      asset,
      offsetMs,
    });
    return;
  }
  console.log(
    `local chain ready: rpc ${devnet.rpcUrl}, websocket ${devnet.wsUrl}, genesis ${genesisHash}, program ${programId}`,
  );
}

function fail(error: unknown): never {
  console.error(`local chain: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

let options: DevnetOptions;
try {
  options = readOptions();
} catch (error) {
  console.error(USAGE);
  fail(error);
}

// A stop that is asked for during the start takes effect as soon as the chain has started, with its log whole.
let stopping = false;
let running: Devnet | null = null;
const stop = () => {
  if (stopping) return;
  stopping = true;
  running?.stop().then(() => process.exit(0), fail);
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
process.on("disconnect", stop);

running = await startDevnet({ ...options, onFatal: fail }).catch(fail);
if (stopping) running.stop().then(() => process.exit(0), fail);
else announce(running);
