import type { ProgramInstruction } from "@holdfast/escrow-client";
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";

const RPC_MS = 10_000;
/** A payment that makes all its accounts takes about 100,000. */
const UNITS = 200_000;

export type Rpc = ReturnType<typeof openRpc>;

/** The reads that paying needs of a node. Each has a deadline. */
export function openRpc(url: string) {
  const rpc = createSolanaRpc(url);
  const options = () => ({ abortSignal: AbortSignal.timeout(RPC_MS) });
  return {
    fetchBlockhash: async () => (await rpc.getLatestBlockhash({ commitment: "confirmed" }).send(options())).value,
    /** The account's owner and data; null: there is none. */
    async fetchAccount(address: Address) {
      const form = { commitment: "confirmed", encoding: "base64" } as const;
      const { value } = await rpc.getAccountInfo(address, form).send(options());
      return value && { owner: value.owner, data: Buffer.from(value.data[0], "base64") };
    },
  };
}

interface Draft {
  readonly feePayer: Address;
  readonly instructions: readonly ProgramInstruction[];
  /** Micro-lamports a compute unit. */
  readonly unitPrice: bigint;
}

/** Compiles an unsigned transaction with the newest blockhash. */
export async function compile(rpc: Rpc, { feePayer, instructions, unitPrice }: Draft) {
  const lifetime = await rpc.fetchBlockhash();
  return pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => setTransactionMessageComputeUnitLimit(UNITS, timed),
    (limited) => setTransactionMessageComputeUnitPrice(unitPrice, limited),
    (priced) => compileTransaction(appendTransactionMessageInstructions(instructions, priced)),
  );
}
