import type { ChainSender } from "../chain/port.ts";
import { createSolanaBuilder } from "../chain/solana/builder.ts";
import { createSolanaChain } from "../chain/solana/reader.ts";
import { createSolanaSender } from "../chain/solana/sender.ts";
import type { SolanaSettings } from "../chain/solana/settings.ts";
import { type Chain, unreadDeployment } from "../features/chains/chain.ts";
import type { Log } from "../lib/log.ts";
import type { ChainSettings, KeeperSettings } from "./config.ts";
import { readKeyFile } from "./keyFile.ts";

/** Opens the chain of an environment: its reader, and its sender where a key is configured to pay for settling. */
export async function openChain(settings: ChainSettings, log: Log): Promise<Chain> {
  const { environment, programId, operator, arbiterLabel, confirmed } = settings;
  const solana = {
    rpcUrls: settings.rpcUrls,
    wsUrls: settings.wsUrls,
    programId,
    operator,
    secondNodeFrom: settings.secondNodeFrom,
    log: (message: string, error?: unknown) => log(`${environment} chain: ${message}`, error),
  };
  const sender = settings.keeper === null ? null : await openSender(settings.keeper, solana);
  return {
    environment,
    programId,
    operator,
    arbiterLabel,
    confirmed,
    deployment: unreadDeployment(),
    reader: createSolanaChain(solana),
    builder: createSolanaBuilder({ ...solana, unitPriceMax: BigInt(settings.checkoutUnitPriceMax) }),
    sender,
  };
}

async function openSender(settings: KeeperSettings, solana: SolanaSettings): Promise<ChainSender> {
  const { keyFile, unitPrice, balanceMin, concurrency, rentPayers } = settings;
  const feePayerSecret = await readKeyFile(keyFile, "The keeper's key file");
  return createSolanaSender({
    ...solana,
    feePayerSecret,
    unitPrice: BigInt(unitPrice),
    balanceMin: BigInt(balanceMin),
    concurrency,
    rentPayers,
  });
}
