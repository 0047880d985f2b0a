import { type Address, address } from "@solana/kit";
import { MINTED_ASSETS, WRAPPED_SOL } from "./assets.ts";
import type { Chain } from "./chain.ts";
import { FAULT_MODES, type FaultRule, type Faults } from "./faults.ts";
import { addressBytes } from "./ledger/base58.ts";
import type { Consensus } from "./ledger/slots.ts";
import { isTokenProgram, readTokenMint } from "./ledger/tokens.ts";
import type { Pace } from "./pace.ts";
import type { Requests } from "./requests.ts";
import { invalidParams } from "./rpc/errors.ts";
import { type Config, readChoice, readInteger } from "./rpc/params.ts";
import type { Methods } from "./rpc/view.ts";

const TICKS_MAX = 100_000;
const RENT_RATE_MAX = 1_000_000;
const SLOT_MS_MIN = 10;
const SLOT_MS_MAX = 60_000;
const ADVANCE_SECONDS_MAX = 10 * 366 * 86_400;

/** Controls that a cluster does not have and a development chain needs: time, funds, faults and forks at will. */
export class Controls {
  readonly #chain: Chain;
  readonly #faults: Faults;
  readonly #requests: Requests;
  readonly #pace: Pace;

  constructor(chain: Chain, faults: Faults, requests: Requests, pace: Pace) {
    this.#chain = chain;
    this.#faults = faults;
    this.#requests = requests;
    this.#pace = pace;
  }

  /** Moves the chain's clock forward; slots and blockhashes stay where they are. */
  advance(seconds: number): { offsetMs: number; now: string; slot: number } {
    this.#chain.ledger.advance(seconds * 1000);
    return this.clock();
  }

  /** Returns how far the chain's clock is ahead of real time, the time it shows, and the slot. */
  clock(): { offsetMs: number; now: string; slot: number } {
    const { clockOffsetMs, nowMs, slots } = this.#chain.ledger;
    return { offsetMs: clockOffsetMs, now: new Date(nowMs).toISOString(), slot: slots.tip };
  }

  tick(slots = 1): { slot: number } {
    for (let i = 0; i < slots; i++) this.#chain.ledger.tick();
    return { slot: this.#chain.ledger.slots.tip };
  }

  /** Changes the length of a slot, or the consensus: there is no way back to votes. */
  pace({ slotMs, consensus }: { slotMs?: number; consensus?: "alpenglow" }): { slotMs: number; consensus: Consensus } {
    const { ledger } = this.#chain;
    if (slotMs !== undefined) this.#pace.slotMs = slotMs;
    if (consensus !== undefined) ledger.startAlpenglow();
    return { slotMs: this.#pace.slotMs, consensus: ledger.slots.consensus };
  }

  rent(lamportsPerByte: number): { lamportsPerByte: number } {
    this.#chain.ledger.setRentRate(lamportsPerByte);
    return { lamportsPerByte };
  }

  /** `asset`: "SOL" (lamports), a symbol of the well-known mints, or the address of any mint under the faucet's key. `amount` in smallest units. */
  async faucet(to: string, asset: string, amount: bigint): Promise<{ signature: string; slot: number }> {
    const { ledger } = this.#chain;
    const known = [...MINTED_ASSETS, WRAPPED_SOL].find((one) => one.address === asset || one.symbol === asset);
    const currency = asset === "SOL" ? asset : (known ?? this.#mint(asset));
    const signature = await this.#chain.give(address(to), currency, amount);
    return { signature, slot: ledger.slots.tip };
  }

  #mint(asset: string): { address: Address; tokenProgram: Address } {
    const image = addressBytes(asset) && this.#chain.ledger.accountAt(asset, this.#chain.ledger.slots.tip);
    if (!image || !isTokenProgram(image.owner) || !readTokenMint(image))
      throw invalidParams(`no mint of this chain: ${asset}`);
    return { address: address(asset), tokenProgram: address(image.owner) };
  }

  faults(rule?: FaultRule): { faults: readonly FaultRule[] } {
    if (rule) this.#faults.set(rule);
    return { faults: this.#faults.list() };
  }

  /** Removes an unfinalized transaction from the chain; it may land again. Returns null when it is unknown or final. */
  drop(signature: string): { dropped: string[] } | null {
    const dropped = this.#chain.ledger.drop(signature);
    return dropped && { dropped };
  }

  freezeFinality(on: boolean): { frozen: boolean; finalized: number } {
    const { slots } = this.#chain.ledger;
    slots.freezeFinality(on);
    return { frozen: slots.finalityFrozen, finalized: slots.at("finalized") };
  }

  stats() {
    const { history, slots, unfinalized } = this.#chain.ledger;
    const { tip } = slots;
    const levels = { slot: tip, confirmed: slots.at("confirmed"), finalized: slots.at("finalized") };
    return { ...this.#requests.stats(), transactions: history.size, unfinalized, ...levels };
  }
}

const readText = (config: Config, name: string): string => {
  const value = config[name];
  if (typeof value !== "string") throw invalidParams(`${name} must be a string`);
  return value;
};

function readUpTo(config: Config, name: string, most: number, byDefault?: number): number {
  const value = readInteger(config[name] ?? byDefault, `${name}: an integer`);
  if (value > most) throw invalidParams(`${name} is at most ${most}`);
  return value;
}

function readAmount(config: Config): bigint {
  const text = String(config.amount);
  if (!/^[1-9][0-9]{0,19}$/.test(text)) throw invalidParams("amount must be digits, in the smallest unit");
  return BigInt(text);
}

function readPace(config: Config) {
  return {
    ...(config.slotMs === undefined ? {} : { slotMs: Math.max(SLOT_MS_MIN, readUpTo(config, "slotMs", SLOT_MS_MAX)) }),
    ...(config.consensus === undefined
      ? {}
      : { consensus: readChoice(config, "consensus", ["alpenglow"], "alpenglow") }),
  } as const;
}

function readRule(config: Config): FaultRule | undefined {
  if (config.mode === undefined) return undefined;
  const mode = FAULT_MODES.find((one) => one === config.mode);
  if (!mode) throw invalidParams(`mode must be one of ${FAULT_MODES.join(", ")}`);
  return { ...(config as Partial<FaultRule>), mode };
}

/** The controls as JSON-RPC methods; each takes one object. */
export const controlMethods = (controls: Controls): Methods => {
  const method = (answer: (config: Config) => unknown) => ({
    params: 1,
    answer: (_view: unknown, params: { config(index: number): Config }) => answer(params.config(0)),
  });
  return {
    devnet_advance: method((config) => controls.advance(readUpTo(config, "seconds", ADVANCE_SECONDS_MAX))),
    devnet_clock: method(() => controls.clock()),
    devnet_tick: method((config) => controls.tick(readUpTo(config, "slots", TICKS_MAX, 1))),
    devnet_pace: method((config) => controls.pace(readPace(config))),
    devnet_rent: method((config) => controls.rent(readUpTo(config, "lamportsPerByte", RENT_RATE_MAX))),
    devnet_faucet: method((config) => {
      const to = readText(config, "address");
      if (!addressBytes(to)) throw invalidParams("address must be base58 of 32 bytes");
      return controls.faucet(to, readText(config, "asset"), readAmount(config));
    }),
    devnet_faults: method((config) => controls.faults(readRule(config))),
    devnet_drop: method((config) => controls.drop(readText(config, "signature"))),
    devnet_freeze_finality: method((config) => controls.freezeFinality(config.on === true)),
    devnet_stats: method(() => controls.stats()),
  };
};
