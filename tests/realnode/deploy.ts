import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { awaitSignature, sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { findProgramDataAddress, SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import { land, rentOf } from "./land.ts";

const LOADER = address("BPFLoaderUpgradeab1e11111111111111111111111");
const RENT = address("SysvarRent111111111111111111111111111111111");
const CLOCK = address("SysvarC1ock11111111111111111111111111111111");
/** The loader's instructions, each a number of 32 bits. */
const [INITIALIZE_BUFFER, WRITE, DEPLOY_WITH_MAX_DATA_LEN] = [0, 1, 2];
const BUFFER_HEAD_BYTES = 37;
const PROGRAM_BYTES = 36;
/** What fits into a transaction beside its two signatures. */
const PIECE_BYTES = 900;

const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
const readonly = (address: Address) => ({ address, role: AccountRole.READONLY });
const signer = ({ address }: LocalWallet) => ({ address, role: AccountRole.READONLY_SIGNER });
const payerOf = ({ address }: LocalWallet) => ({ address, role: AccountRole.WRITABLE_SIGNER });

/** The instruction's number, then numbers of 32 bits (a length of 64 is two of them), then bytes. */
function dataOf(numbers: readonly number[], bytes: Uint8Array = new Uint8Array()): Uint8Array {
  const head = new DataView(new ArrayBuffer(4 * numbers.length));
  for (const [index, one] of numbers.entries()) head.setUint32(4 * index, one, true);
  return Uint8Array.from([...new Uint8Array(head.buffer), ...bytes]);
}
const toLoader = (accounts: Instruction["accounts"], data: Uint8Array): Instruction => ({
  programAddress: LOADER,
  accounts: accounts!,
  data,
});

/** Deploys a program by the upgradeable loader: a buffer, its pieces, and the deployment. The authority pays, and may upgrade. */
export async function deployProgram(
  rpcUrl: string,
  authority: LocalWallet,
  program: LocalWallet,
  file: Uint8Array,
): Promise<void> {
  const buffer = newWallet();
  const create = async (account: LocalWallet, space: number) =>
    getCreateAccountInstruction({
      payer: authority.signer,
      newAccount: account.signer,
      lamports: await rentOf(rpcUrl, space),
      space,
      programAddress: LOADER,
    });
  const begin = toLoader([writable(buffer.address), readonly(authority.address)], dataOf([INITIALIZE_BUFFER]));
  await land(rpcUrl, [await create(buffer, BUFFER_HEAD_BYTES + file.length), begin], authority, buffer);

  const blockhash = await latestBlockhash(rpcUrl);
  const pieces = Array.from({ length: Math.ceil(file.length / PIECE_BYTES) }, (_, index) => {
    const piece = file.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
    const data = dataOf([WRITE, index * PIECE_BYTES, piece.length, 0], piece);
    const write = toLoader([writable(buffer.address), signer(authority)], data);
    return signTransaction({ instructions: [write], wallets: [authority], blockhash });
  });
  await Promise.all(
    pieces.map(async ({ wire, signature }) => {
      await sendWire(rpcUrl, wire);
      await awaitSignature(rpcUrl, signature, "confirmed");
    }),
  );

  const programData = await findProgramDataAddress(program.address);
  const accounts = [
    payerOf(authority),
    ...[programData, program.address, buffer.address].map(writable),
    ...[RENT, CLOCK, SYSTEM_PROGRAM_ID].map(readonly),
    signer(authority),
  ];
  const deploy = toLoader(accounts, dataOf([DEPLOY_WITH_MAX_DATA_LEN, file.length, 0]));
  await land(rpcUrl, [await create(program, PROGRAM_BYTES), deploy], authority, program);
}
