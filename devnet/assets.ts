import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { type Address, address } from "@solana/kit";

/** A mint that the local chain has at the address it has elsewhere, so that copied examples work. */
export interface Asset {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
}

const asset = (symbol: string, mint: string, tokenProgram: Address = TOKEN_PROGRAM_ID, decimals = 6): Asset => ({
  symbol,
  address: address(mint),
  decimals,
  tokenProgram,
});

/** USDC at its mainnet address: the default asset of the local run. */
export const DEFAULT_ASSET = asset("USDC", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

/** The mints of genesis, all under the faucet's key. PYUSD is here without its Token-2022 extensions. */
export const MINTED_ASSETS: readonly Asset[] = [
  DEFAULT_ASSET,
  asset("USDC-devnet", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"),
  asset("USDT", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
  asset("EURC", "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr"),
  asset("PYUSD", "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", TOKEN_2022_PROGRAM_ID),
  asset("PYUSD-devnet", "CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM", TOKEN_2022_PROGRAM_ID),
];

export const WRAPPED_SOL = asset("SOL", "So11111111111111111111111111111111111111112", TOKEN_PROGRAM_ID, 9);
