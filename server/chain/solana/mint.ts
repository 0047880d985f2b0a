import { SYSTEM_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, TOKEN_PROGRAM_IDS } from "@holdfast/escrow-client";
import { type Address, isOffCurveAddress } from "@solana/kit";
import type { ChainMint, RecipientKind } from "../port.ts";
import type { RawAccount } from "./account.ts";

/** The layout both token programs share. */
const MINT_SIZE = 82;
const DECIMALS_OFFSET = 44;
const INITIALIZED_OFFSET = 45;
/**
 * Token-2022 pads a mint that has extensions to the size of a token account. The next byte tells the two apart, and the
 * extensions follow.
 */
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const EXTENSIONS_OFFSET = 166;
/** The one size at which a Token-2022 account is a multisig, whatever its bytes. */
const MULTISIG_SIZE = 355;

/** The bytes read of a mint: every extension that matters fits, since the only unbounded one (metadata) is written last. */
export const MINT_BYTES_MAX = 4_096;

type Judge = "safe" | ((value: Uint8Array) => string | null);
const risky = (name: string) => () => name;
const FROZEN = 2;

/**
 * Every extension a mint can have, by its number. Three kinds are not risky: those that only change how amounts are shown,
 * those that cannot touch a balance held by the escrow, and `pausable`, whose power over the funds equals that of the
 * freeze authority that plain mints such as USDC have too.
 */
const EXTENSIONS: Readonly<Record<number, Judge>> = {
  1: risky("transferFee"),
  // The close authority of a mint without supply can make it again with other extensions and decimals. Zeros: there is none.
  3: (value) => (value.some((byte) => byte !== 0) ? "closeAuthority" : null),
  4: "safe", // confidential transfers: the vault never opts in
  6: (value) => (value[0] === FROZEN ? "defaultFrozen" : null),
  9: risky("nonTransferable"),
  10: "safe", // interest, shown only
  12: risky("permanentDelegate"),
  14: risky("transferHook"),
  16: "safe", // fees of confidential transfers
  18: "safe", // metadata pointer
  19: "safe", // metadata
  20: "safe", // group pointer
  21: "safe", // group
  22: "safe", // member pointer
  23: "safe", // member
  24: "safe", // confidential mint and burn
  25: "safe", // scaled amounts, shown only
  26: "safe", // pausable
};

/** Parses the mint at an address; null if there is none. */
export function parseMint(account: RawAccount | null): ChainMint | null {
  if (account === null || !isMint(account)) return null;
  const { data, owner } = account;
  const cut = data.length >= MINT_BYTES_MAX;
  const riskyExtensions = data.length === MINT_SIZE ? [] : listRiskyExtensions(data.subarray(EXTENSIONS_OFFSET), cut);
  return { decimals: data[DECIMALS_OFFSET]!, tokenProgram: owner, riskyExtensions };
}

/** Returns true if a payment in this token may call a program of the issuer, also if the bytes read do not show it. */
export function mayHaveHook(account: RawAccount): boolean {
  const extensions = parseMint(account)?.riskyExtensions ?? ["unread"];
  return extensions.some((name) => name === "transferHook" || name === "unread" || name.startsWith("unknown"));
}

function isMint({ data, owner }: RawAccount): boolean {
  if (data[INITIALIZED_OFFSET] !== 1) return false;
  if (owner === TOKEN_PROGRAM_ID) return data.length === MINT_SIZE;
  if (owner !== TOKEN_2022_PROGRAM_ID) return false;
  if (data.length === MINT_SIZE) return true;
  return data.length > EXTENSIONS_OFFSET && data.length !== MULTISIG_SIZE && data[KIND_OFFSET] === KIND_MINT;
}

/** Type and length, two bytes each, then the value; a type of 0 ends the list. An extension that was not read or is not known counts as risky. */
function listRiskyExtensions(list: Uint8Array, cut: boolean): string[] {
  const found: string[] = [];
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
  let at = 0;
  while (at + 4 <= list.length) {
    const type = view.getUint16(at, true);
    if (type === 0) return found;
    const end = at + 4 + view.getUint16(at + 2, true);
    const judge = EXTENSIONS[type] ?? risky(`unknown${type}`);
    const name = judge === "safe" ? null : judge(list.subarray(at + 4, end));
    if (name !== null) found.push(name);
    at = end;
  }
  return cut || at > list.length ? [...found, "unread"] : found;
}

/** Programs of the chain itself. Their accounts sign for nothing, on or off the curve. */
const NATIVE_OWNERS = new Set([
  "AddressLookupTab1e1111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "Config1111111111111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "NativeLoader1111111111111111111111111111111",
  "Stake11111111111111111111111111111111111111",
  "Sysvar1111111111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
]);

/**
 * Returns the kind of a recipient's address. Off the curve an account of another owner counts as a wallet: the vaults of
 * multisig wallets belong to their programs, which sign for them.
 */
export function recipientKind(address: string, account: RawAccount | null, escrowProgram: string): RecipientKind {
  if (account === null) return "wallet";
  const { owner, executable } = account;
  if (executable) return "program";
  if (owner === escrowProgram) return "escrow_account";
  if (TOKEN_PROGRAM_IDS.some((program) => program === owner)) return "token_program_account";
  if (owner === SYSTEM_PROGRAM_ID) return "wallet";
  return NATIVE_OWNERS.has(owner) || !isOffCurveAddress(address as Address) ? "unsignable" : "wallet";
}
