import { createActionSender } from "../chain/actionSender.ts";
import { type Chain, unreadDeployment } from "../chain/chain.ts";
import { type Commitment, newConsensus } from "../chain/consensus.ts";
import type { Lifetimes } from "../chain/lifetime.ts";
import type { ChainSender } from "../chain/port.ts";
import { createSolanaBuilder } from "../chain/solana/builder.ts";
import { DEADLINE_MS_DEFAULT } from "../chain/solana/limits.ts";
import { createSolanaChain } from "../chain/solana/reader.ts";
import { createSolanaSender } from "../chain/solana/sender.ts";
import type { SolanaSettings } from "../chain/solana/settings.ts";
import { createSolanaSponsor } from "../chain/solana/sponsor.ts";
import type { ChainSponsor } from "../chain/sponsor.ts";
import type { Level, Log } from "../lib/log.ts";
import type { ChainSettings } from "./chainSettings.ts";
import { readKeyFile } from "./keyFile.ts";

interface OpenOptions extends Pick<SolanaSettings, "deadlineMs"> {
  readonly lifetimes?: Lifetimes;
  readonly towerBinds?: Commitment;
}

/** Opens the chain of an environment: its reader, and its sender if a key is configured that pays for settling. */
export async function openChain(
  settings: ChainSettings,
  log: Log,
  { lifetimes, towerBinds, deadlineMs = DEADLINE_MS_DEFAULT }: OpenOptions = {},
): Promise<Chain> {
  const { environment, programId, operator } = settings;
  const solana = {
    rpcUrls: settings.rpcUrls,
    wsUrls: settings.wsUrls,
    programId,
    operator,
    consensus: newConsensus(towerBinds),
    secondNodeFrom: settings.secondNodeFrom,
    deadlineMs,
    log: (message: string, error?: unknown, level?: Level) => log(`${environment} chain: ${message}`, error, level),
  };
  const sponsor = settings.sponsor === null ? null : await openSponsor(settings.sponsor, solana);
  const sender = settings.keeper === null ? null : await openSender(settings.keeper, solana, sponsor?.addresses ?? []);
  const reader = createSolanaChain(solana);
  const builder = createSolanaBuilder({
    ...solana,
    ...(lifetimes && { lifetimes }),
    unitPriceMax: BigInt(settings.checkoutUnitPriceMax),
  });
  return {
    environment,
    programId,
    operator,
    arbiterLabel: { name: settings.arbiterName, domain: settings.arbiterDomain },
    confirmed: {
      arbiters: new Set(settings.arbiter),
      upgradeAuthorities: new Set(settings.upgradeAuthority),
      programHashes: new Set(settings.programHash),
    },
    deployment: unreadDeployment(),
    revertRule: { slots: settings.revertSlots, apartMs: settings.revertApartMs },
    reader,
    builder,
    sender,
    sponsor,
    actionSender: createActionSender({ builder, reader, log }),
  };
}

async function openSponsor(
  { keyFiles, balanceMin, ...limits }: NonNullable<ChainSettings["sponsor"]>,
  solana: SolanaSettings,
): Promise<ChainSponsor> {
  const secrets = await Promise.all(keyFiles.map((file) => readKeyFile(file, "The sponsor's key file")));
  return createSolanaSponsor({ ...solana, secrets, balanceMin, limits });
}

/** `sponsors`: wallets of the deployment, so the keeper closes their records too, and the rents come back. */
async function openSender(
  settings: NonNullable<ChainSettings["keeper"]>,
  solana: SolanaSettings,
  sponsors: readonly string[],
): Promise<ChainSender> {
  const { keyFile, unitPrice, balanceMin, concurrency, rentPayers } = settings;
  const feePayerSecret = await readKeyFile(keyFile, "The keeper's key file");
  return createSolanaSender({
    ...solana,
    feePayerSecret,
    unitPrice: BigInt(unitPrice),
    balanceMin,
    concurrency,
    rentPayers: [...rentPayers, ...sponsors],
  });
}
