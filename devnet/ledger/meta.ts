import { toBase58 } from "./base58.ts";
import type { Failure } from "./failures.ts";
import { u64 } from "./numbers.ts";
import { readTokenAccount, type TokenAccount, tokenAmount } from "./tokens.ts";
import type { Image, Outcome } from "./vm.ts";
import type { WireMessage } from "./wire.ts";

/** The accounts of a transaction in order: written ones, then looked-up writable, then looked-up read-only. */
export interface LoadedKeys {
  readonly all: readonly string[];
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

/** A token account as a transaction found or left it, with its mint's decimals. */
export interface Holding extends TokenAccount {
  readonly accountIndex: number;
  readonly programId: string;
  readonly decimals: number;
}

const MEMO_PROGRAMS = ["MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"];
const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const LAMPORTS_PER_SIGNATURE = 5000n;

/** The token accounts among these, by their position in the transaction. */
export function findHoldings(images: readonly (Image | null)[], decimalsOf: (mint: string) => number): Holding[] {
  return images.flatMap((image, accountIndex) => {
    const account = image && readTokenAccount(image);
    return account ? [{ ...account, accountIndex, programId: image.owner, decimals: decimalsOf(account.mint) }] : [];
  });
}

const showHolding = ({ accountIndex, mint, owner, programId, amount, decimals }: Holding) => ({
  accountIndex,
  mint,
  owner,
  programId,
  uiTokenAmount: tokenAmount(amount, decimals),
});

/** Base fee and priority fee, in lamports. */
export function feeOf(message: WireMessage): bigint {
  const signatures = LAMPORTS_PER_SIGNATURE * BigInt(message.signerCount);
  if (message.config !== null) return signatures + (message.config.priorityFee ?? 0n);
  let price = 0n;
  let limit: bigint | null = null;
  let others = 0n;
  for (const { programIdIndex, data } of message.instructions) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (message.staticKeys[programIdIndex] !== COMPUTE_BUDGET) others++;
    else if (data[0] === 2 && data.length >= 5) limit = BigInt(view.getUint32(1, true));
    else if (data[0] === 3 && data.length >= 9) price = view.getBigUint64(1, true);
  }
  const units = limit ?? others * 200_000n;
  const capped = units > 1_400_000n ? 1_400_000n : units;
  return signatures + (price * capped + 999_999n) / 1_000_000n;
}

/** The memos as getSignaturesForAddress lists them: `[length] text; …`, or null. */
export function memoOf(message: WireMessage): string | null {
  const memos = message.instructions.filter((one) => MEMO_PROGRAMS.includes(message.staticKeys[one.programIdIndex]!));
  if (memos.length === 0) return null;
  return memos.map(({ data }) => `[${data.length}] ${Buffer.from(data).toString("utf8")}`).join("; ");
}

export const showInner = (meta: Outcome["meta"]) =>
  meta.innerInstructions().flatMap((list, index) =>
    list.length === 0
      ? []
      : [
          {
            index,
            instructions: list.map((one) => ({
              programIdIndex: one.instruction().programIdIndex(),
              accounts: [...one.instruction().accounts()],
              data: toBase58(one.instruction().data()),
              stackHeight: one.stackHeight(),
            })),
          },
        ],
  );

export function showReturnData(meta: Outcome["meta"]) {
  const data = meta.returnData();
  const bytes = data.data();
  return bytes.length === 0
    ? null
    : { programId: toBase58(data.programId()), data: [Buffer.from(bytes).toString("base64"), "base64"] };
}

interface Executed {
  readonly message: WireMessage;
  readonly keys: LoadedKeys;
  readonly failure: Failure | null;
  readonly meta: Outcome["meta"];
  readonly balances: { readonly before: readonly bigint[]; readonly after: readonly bigint[] };
  readonly holdings: { readonly before: readonly Holding[]; readonly after: readonly Holding[] };
}

/** The `meta` of getTransaction, whole; it goes into the log as it is. */
export function showMeta({ message, keys, failure, meta, balances, holdings }: Executed) {
  const returnData = showReturnData(meta);
  return {
    err: failure,
    status: failure === null ? { Ok: null } : { Err: failure },
    fee: u64(feeOf(message)),
    preBalances: balances.before.map(u64),
    postBalances: balances.after.map(u64),
    innerInstructions: showInner(meta),
    logMessages: meta.logs(),
    preTokenBalances: holdings.before.map(showHolding),
    postTokenBalances: holdings.after.map(showHolding),
    rewards: [],
    loadedAddresses: { writable: keys.writable, readonly: keys.readonly },
    ...(returnData && { returnData }),
    computeUnitsConsumed: u64(meta.computeUnitsConsumed()),
  };
}
