import { type ChainMint, ChainUnavailable, type RecipientKind } from "../../chain/port.ts";
import type { Owner } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import type { Terms } from "../../domain/terms.ts";
import { CHAIN_READ_MS, RECIPIENT_READ_MS } from "../../limits.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import type { Chain } from "./chain.ts";

export interface TermsCheck {
  readonly database: Database;
  readonly chainOf: (environment: Owner["environment"]) => Chain;
  /** Mints a deployment takes although an extension of theirs could take the funds out of the escrow's hands. */
  readonly allowedMints: ReadonlySet<string>;
}

interface KnownAsset {
  readonly is_mint: boolean;
  readonly risky_extensions: readonly string[];
}

/** An answer that says "no mint there" is asked again after this long: somebody may have made it since. */
const NEGATIVE_MS = 60_000;
/** Look-ups of unknown assets one business may cause in a minute, per process. */
const LOOKUPS_MAX = 30;
const lookups = new Map<string, { minute: number; count: number }>();

/** Whether a merchant may ask for these terms (contract §2), as the chain has it; known answers cost no chain read. */
export async function checkTerms(
  deps: TermsCheck,
  owner: Owner,
  { asset, recipient }: Terms,
  beforeRead: () => Promise<void>,
): Promise<void> {
  const { environment } = owner;
  const [known, kind] = await Promise.all([
    findAsset(deps, environment, asset),
    findRecipient(deps, environment, recipient),
  ]);
  let mint = known;
  let recipientKind = kind;
  if (mint === null || recipientKind === null) {
    await beforeRead();
    const read =
      mint === null
        ? await readOrFail(deps, owner, asset, recipient)
        : await readOrSkip(deps, environment, asset, recipient);
    if (read !== null) {
      mint = { is_mint: read.mint !== null, risky_extensions: read.mint?.riskyExtensions ?? [] };
      recipientKind = read.recipient;
      await save(deps, environment, { asset, recipient }, read);
    }
  }
  const isMint = mint === null || mint.is_mint;
  if (recipientKind === "program")
    throw invalid("recipient", "A program cannot receive tokens. Give a wallet's address.");
  if (recipientKind === "token_program_account")
    throw invalid("recipient", "This is a token account or a mint. Give the address of the wallet that owns it.");
  if (!isMint)
    throw invalid("asset", `There is no SPL Token or Token-2022 mint at this address on the ${environment} chain.`);
  const risky = mint?.risky_extensions ?? [];
  if (risky.length > 0 && !deps.allowedMints.has(asset))
    throw invalid(
      "asset",
      `This mint's extensions (${risky.join(", ")}) could take the funds out of the escrow's hands; it is not accepted here.`,
    );
}

const findAsset = (deps: TermsCheck, environment: string, address: string) =>
  deps.database.row<KnownAsset>(sql`
    select is_mint, risky_extensions from known_assets
    where environment = ${environment} and address = ${address}
      and (is_mint or read_at > now() - make_interval(secs => ${NEGATIVE_MS / 1000}::double precision))`);

async function findRecipient(deps: TermsCheck, environment: string, address: string): Promise<RecipientKind | null> {
  const row = await deps.database.row<{ kind: RecipientKind }>(sql`
    select kind from known_recipients where environment = ${environment} and address = ${address}`);
  return row?.kind ?? null;
}

type Read = { mint: ChainMint | null; recipient: RecipientKind };

/** The asset is unknown: without the chain nothing can be said of it. */
async function readOrFail(deps: TermsCheck, owner: Owner, asset: string, recipient: string): Promise<Read> {
  countLookup(owner.businessId);
  try {
    const { reader } = deps.chainOf(owner.environment);
    return (await reader.readTerms({ asset, recipient }, { signal: AbortSignal.timeout(CHAIN_READ_MS) })).value;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    throw new ApiError(
      "unavailable",
      "The chain could not be read to look at this asset. Retry with backoff.",
      {},
      { retryAfterSeconds: 2 },
    );
  }
}

/** Only the recipient is unknown: worth a short look, not worth refusing a create while the chain is down. */
async function readOrSkip(
  deps: TermsCheck,
  environment: Owner["environment"],
  asset: string,
  recipient: string,
): Promise<Read | null> {
  const { reader } = deps.chainOf(environment);
  try {
    return (await reader.readTerms({ asset, recipient }, { signal: AbortSignal.timeout(RECIPIENT_READ_MS) })).value;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return null;
  }
}

function countLookup(businessId: string): void {
  const minute = Math.floor(Date.now() / 60_000);
  const seen = lookups.get(businessId);
  const count = seen?.minute === minute ? seen.count + 1 : 1;
  if (lookups.size > 10_000) lookups.clear();
  lookups.set(businessId, { minute, count });
  if (count > LOOKUPS_MAX)
    throw new ApiError(
      "unavailable",
      "Too many unknown assets in this minute. Retry later.",
      {},
      { retryAfterSeconds: 60 },
    );
}

const save = (
  { database }: TermsCheck,
  environment: string,
  at: { asset: string; recipient: string },
  { mint, recipient }: Read,
) =>
  database.rows(sql`
    with asset as (
      insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
      values (${environment}, ${at.asset}, ${mint !== null}, ${mint?.decimals ?? null}::smallint, ${mint?.tokenProgram ?? null},
        ${[...(mint?.riskyExtensions ?? [])]}::text[], now())
      on conflict (environment, address) do update set is_mint = excluded.is_mint, decimals = excluded.decimals,
        token_program = excluded.token_program, risky_extensions = excluded.risky_extensions, read_at = excluded.read_at)
    insert into known_recipients (environment, address, kind, read_at)
    values (${environment}, ${at.recipient}, ${recipient}, now())
    on conflict (environment, address) do update set kind = excluded.kind, read_at = excluded.read_at`);
