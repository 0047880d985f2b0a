import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LOCAL_PROGRAM_ID } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { DEFAULT_ASSET } from "./assets.ts";
import { Chain, draftGenesisAccounts, keptWallets, type WalletName, type Wallets } from "./chain.ts";
import { Controls, controlMethods } from "./controls.ts";
import { Faults } from "./faults.ts";
import { keepToProgram } from "./keptProgram.ts";
import { toBase58 } from "./ledger/base58.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { Consensus } from "./ledger/slots.ts";
import { lockFolder } from "./lock.ts";
import { listenPair } from "./loopback.ts";
import { Pace } from "./pace.ts";
import { Requests } from "./requests.ts";
import { makeRpcServer } from "./rpc/http.ts";
import { View } from "./rpc/view.ts";
import { Hub } from "./socket/hub.ts";
import { makeSocketServer } from "./socket/server.ts";

const PROGRAM_FILE = fileURLToPath(import.meta.resolve("@holdfast/program/holdfast_escrow.so"));

export interface DevnetOptions {
  /** Ledger and wallets are kept here; made if missing. */
  readonly dataDir: string;
  /** WebSocket on the next one. 0, the default: any free pair. */
  readonly rpcPort?: number;
  /** Default `tower`. A chain that went over to Alpenglow stays there. */
  readonly consensus?: Consensus;
  /** Default 400; 200 under `alpenglow`. */
  readonly slotMs?: number;
  /** With false, slots pass only by `controls.tick()`. Default true. */
  readonly autoTick?: boolean;
  /** In slots of `tower`; defaults 2, 32 and 3. Final slots are confirmed, and have a time, in any case. */
  readonly confirmedAfter?: number;
  readonly finalizedAfter?: number;
  readonly blockTimeAfter?: number;
  /** Each slot whose number divides by this, from 3 on, has no block. Default: each has one. */
  readonly skipEvery?: number;
  /** More programs to load, for tests. */
  readonly programs?: readonly { readonly address: Address; readonly path: string }[];
  /** Real time in ms; tests give their own. */
  readonly now?: () => number;
  /** Called when the chain cannot go on (its disk is full); default: throws, which ends the process. */
  readonly onFatal?: (error: unknown) => void;
}

export interface Devnet {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly rpcPort: number;
  readonly wsPort: number;
  readonly slotMs: number;
  readonly genesisHash: string;
  readonly programId: Address;
  readonly operator: Address;
  readonly asset: Address;
  readonly wallets: Wallets;
  readonly addresses: Readonly<Record<WalletName, Address>>;
  readonly chain: Chain;
  readonly controls: Controls;
  stop(): Promise<void>;
}

/** Starts the local chain in this process. */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { dataDir, rpcPort = 0, autoTick = true } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataDir);
  let ledger: Ledger | null = null;
  try {
    const wallets = keptWallets(join(dataDir, "wallets"));
    ledger = openLedger(options, wallets);
    if (options.consensus === "alpenglow") ledger.startAlpenglow();
    const chain = new Chain(ledger, wallets);
    await chain.fundWallets();
    const operator = await chain.ensureOperator();
    // The first contents of a new chain are final before any request arrives.
    while (ledger.unfinalized > 0) ledger.tick();
    const faults = new Faults();
    const requests = new Requests();
    const pace = new Pace(ledger, options.slotMs, options.onFatal);
    const controls = new Controls(chain, faults, requests, pace);
    const sockets = makeSocketServer({ hub: new Hub(new View(chain)), faults, requests });
    const rpc = makeRpcServer({ chain, faults, requests, controls: controlMethods(controls) });
    const [front, socket] = await listenPair(rpc, sockets.make, rpcPort);
    if (autoTick) pace.start();
    const opened = ledger;
    const shutDown = async () => {
      pace.stop();
      sockets.close();
      await Promise.all([front.close(), socket.close()]);
      opened.close();
      await unlock();
    };
    let stopped: Promise<void> | null = null;
    return {
      rpcUrl: `http://localhost:${front.port}`,
      wsUrl: `ws://localhost:${socket.port}`,
      rpcPort: front.port,
      wsPort: socket.port,
      slotMs: pace.slotMs,
      genesisHash: ledger.genesisHash,
      programId: LOCAL_PROGRAM_ID,
      operator,
      asset: DEFAULT_ASSET.address,
      wallets,
      addresses: addressesOf(wallets),
      chain,
      controls,
      stop() {
        stopped ??= shutDown();
        return stopped;
      },
    };
  } catch (error) {
    ledger?.close();
    await unlock();
    throw error;
  }
}

const addressesOf = (wallets: Wallets) =>
  Object.fromEntries(Object.entries(wallets).map(([name, wallet]) => [name, wallet.address])) as Record<
    WalletName,
    Address
  >;

function openLedger(options: DevnetOptions, wallets: Wallets): Ledger {
  const {
    dataDir,
    programs = [],
    now = Date.now,
    confirmedAfter = 2,
    finalizedAfter = 32,
    blockTimeAfter = 3,
    skipEvery = null,
  } = options;
  const files = [{ address: LOCAL_PROGRAM_ID as Address, path: PROGRAM_FILE }, ...programs];
  for (const { path } of files) if (!existsSync(path)) throw new Error(`the program file ${path} is missing`);
  keepToProgram(dataDir, PROGRAM_FILE);
  return new Ledger({
    dir: dataDir,
    confirmedAfter,
    finalizedAfter,
    blockTimeAfter,
    skipEvery,
    programs: files.map(({ address, path }) => ({ address, elf: readFileSync(path) })),
    now,
    genesis: (rent) => ({ hash: toBase58(randomBytes(32)), accounts: draftGenesisAccounts(wallets.faucet, rent) }),
  });
}
