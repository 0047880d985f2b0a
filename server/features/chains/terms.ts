import type { Chain, FindAsset, TermsCheck } from "../../chain/chain.ts";
import { type ChainMint, ChainUnavailableError, type RecipientKind, readDeadline } from "../../chain/port.ts";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { RECIPIENT_READ_MS } from "../../domain/limits.ts";
import type { Environment, Terms } from "../../domain/terms.ts";
import { MinuteLimit } from "../../edge/buyer/limits.ts";
import { Lru } from "../../lib/lru.ts";
import type { Context } from "../context.ts";
import { findAsset, findRecipient, type KnownAsset, saveAsset, saveRecipient } from "./queries.ts";

/** Answers cached in memory, per kind. */
const KEPT_MAX = 20_000;
/** Time for which this process trusts a mint's verdict. A worker reads mints again each day. */
const MINT_KEPT_MS = 600_000;
/** Reads of unknown assets that one business may cause per minute and process. */
const READS_MAX = 30;
/** Well-known programs: nobody can be paid there, which is known without a chain read. */
const PROGRAMS = new Set([
  "11111111111111111111111111111111",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
]);

/** Addresses without a key: funds sent there are burned, or held by the chain's own accounts. */
const UNSIGNABLE = /^1nc1nerator1{32}$|^Sysvar[1-9A-Za-z]{0,20}1{12,}$/;

/** `allowedMints`: those that the deployment accepts although one of their extensions could take funds out of the escrow. */
export function createTermsCheck(
  { database, chainOf, findChain }: Pick<Context, "database" | "chainOf" | "findChain">,
  allowedMints: ReadonlySet<string>,
): Pick<Context, "checkTerms" | "findAsset"> {
  // Caches the verdict on a mint for a while, and the wallets.
  const mints = new Lru<string, { readonly asset: KnownAsset; readonly keptAtMs: number }>(KEPT_MAX);
  const wallets = new Lru<string, RecipientKind>(KEPT_MAX);
  const reading = new Map<string, Promise<void>>();
  const lookups = new MinuteLimit(READS_MAX, KEPT_MAX);

  async function assetOf(environment: Environment, address: string): Promise<KnownAsset | null> {
    const name = `${environment} ${address}`;
    const kept = mints.get(name);
    if (kept !== undefined && performance.now() - kept.keptAtMs < MINT_KEPT_MS) return kept.asset;
    const asset = await findAsset(database, environment, address);
    if (asset?.isMint) mints.set(name, { asset, keptAtMs: performance.now() });
    return asset;
  }

  async function kindOf(environment: Environment, address: string): Promise<RecipientKind | null> {
    if (PROGRAMS.has(address)) return "program";
    if (UNSIGNABLE.test(address)) return "unsignable";
    if (findChain(environment)?.operator === address) return "escrow_account";
    const name = `${environment} ${address}`;
    const kind = wallets.get(name) ?? (await findRecipient(database, environment, address));
    if (kind === "wallet") wallets.set(name, kind);
    return kind;
  }

  function countRead(businessId: string): void {
    const retryAfterSeconds = lookups.use(businessId);
    if (retryAfterSeconds !== null)
      throw new ApiError(
        "unavailable",
        "Too many unknown assets in this minute. Retry later.",
        {},
        { retryAfterSeconds },
      );
  }

  /** Reads unknown terms from the chain and stores the answer for later calls. */
  async function fetchAndSave(
    environment: Environment,
    { asset, recipient }: Pick<Terms, "asset" | "recipient">,
    needed: AbortSignal | null,
  ) {
    const read = await fetchTerms(() => chainOf(environment), asset, recipient, needed);
    if (read === null) return null;
    await saveAsset(database, environment, asset, read.mint);
    await saveRecipient(database, environment, recipient, read.recipient);
    return read;
  }

  /** A shop's first requests arrive together: the first reads an unknown asset, the others wait for it. */
  async function takeTurn(name: string): Promise<() => void> {
    const earlier = reading.get(name);
    // An await without need would let a second request become first.
    if (earlier !== undefined) await earlier;
    const { promise, resolve } = Promise.withResolvers<void>();
    reading.set(name, promise);
    return () => {
      if (reading.get(name) === promise) reading.delete(name);
      resolve();
    };
  }

  const checkTerms: TermsCheck = async (tenant, terms, beforeRead) => {
    const { environment } = tenant;
    const name = `${environment} ${terms.asset}`;
    let known = await assetOf(environment, terms.asset);
    // The timeout starts here, so a request that waits for another's read and then makes its own takes no longer than one read.
    const needed = known === null ? readDeadline().signal : null;
    const first = !reading.has(name);
    const done = known === null ? await takeTurn(name) : () => undefined;
    // In any case, release the next request in turn.
    try {
      if (known === null && !first) known = await assetOf(environment, terms.asset);
      if (known !== null) done();
      let kind = await kindOf(environment, terms.recipient);
      if (known === null || kind === null) {
        await beforeRead();
        if (known === null) countRead(tenant.businessId);
        const found = await fetchAndSave(environment, terms, known === null ? needed : null);
        if (found !== null) {
          known = knownOf(found.mint);
          kind ??= found.recipient;
        }
      }
      refuse(environment, terms.asset, known, kind, allowedMints);
    } finally {
      done();
    }
  };

  const findKnown = async (tenant: Tenant, address: string): Promise<KnownAsset> => {
    const { environment } = tenant;
    const known = await assetOf(environment, address);
    if (known !== null) return known;
    const { signal } = readDeadline();
    const done = await takeTurn(`${environment} ${address}`);
    // In any case, release the next request in turn.
    try {
      const read = await assetOf(environment, address);
      if (read !== null) return read;
      countRead(tenant.businessId);
      const mint = await fetchMint(() => chainOf(environment), address, signal);
      await saveAsset(database, environment, address, mint);
      return knownOf(mint);
    } finally {
      done();
    }
  };

  const findJudged: FindAsset = async (tenant, address) => {
    const { isMint, decimals, tokenProgram, riskyExtensions } = await findKnown(tenant, address);
    return isMint && decimals !== null && tokenProgram !== null
      ? { decimals, tokenProgram, refusal: refusalOfMint(address, riskyExtensions, allowedMints) }
      : null;
  };

  return { checkTerms, findAsset: findJudged };
}

const knownOf = (mint: ChainMint | null): KnownAsset => ({
  isMint: mint !== null,
  decimals: mint?.decimals ?? null,
  tokenProgram: mint?.tokenProgram ?? null,
  riskyExtensions: mint?.riskyExtensions ?? [],
});

const unreadAsset = () =>
  new ApiError(
    "unavailable",
    "The chain could not be read to check this asset. Retry with backoff.",
    {},
    { retryAfterSeconds: 2 },
  );

async function fetchMint(chainOf: () => Chain, address: string, signal: AbortSignal): Promise<ChainMint | null> {
  try {
    return (await chainOf().reader.fetchMints([address], { signal })).value[0]!;
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw unreadAsset();
    throw error;
  }
}

/**
 * An unknown asset needs an answer, within the time left. An unknown recipient alone is worth a short read, but is not
 * refused while the chain is down.
 */
async function fetchTerms(
  chainOf: () => Chain,
  asset: string,
  recipient: string,
  needed: AbortSignal | null,
): Promise<{ mint: ChainMint | null; recipient: RecipientKind } | null> {
  try {
    const signal = needed ?? AbortSignal.timeout(RECIPIENT_READ_MS);
    return (await chainOf().reader.fetchTerms({ asset, recipient }, { signal })).value;
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    if (needed === null) return null;
    throw unreadAsset();
  }
}

/** The reason why a mint is refused; null if it is accepted. */
const refusalOfMint = (
  asset: string,
  riskyExtensions: readonly string[],
  allowedMints: ReadonlySet<string>,
): string | null =>
  riskyExtensions.length === 0 || allowedMints.has(asset)
    ? null
    : `This mint's extensions (${riskyExtensions.join(", ")}) could take the funds out of the escrow's hands, or change what the token is; it is not accepted here.`;

function refuse(
  environment: Environment,
  asset: string,
  known: KnownAsset | null,
  kind: RecipientKind | null,
  allowedMints: ReadonlySet<string>,
): void {
  if (kind === "program") throw invalid("recipient", "A program cannot receive tokens. Give a wallet's address.");
  if (kind === "token_program_account")
    throw invalid("recipient", "This is a token account or a mint. Send the address of the wallet that owns it.");
  if (kind === "escrow_account")
    throw invalid(
      "recipient",
      "This is an account of the escrow program, where the funds would be lost. Give a wallet's address.",
    );
  if (kind === "unsignable")
    throw invalid(
      "recipient",
      "Nobody can sign for this address, so what is paid to it could never be moved. Give a wallet's address.",
    );
  if (known === null) return;
  if (!known.isMint)
    throw invalid("asset", `There is no SPL Token or Token-2022 mint at this address on the ${environment} chain.`);
  const reason = refusalOfMint(asset, known.riskyExtensions, allowedMints);
  if (reason !== null) throw invalid("asset", reason);
}
