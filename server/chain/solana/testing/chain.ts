import { encodePaymentAccount, LOCAL_PROGRAM_ID, type PaymentAccount, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { type Address, getAddressDecoder, getBase58Decoder } from "@solana/kit";
import { createSolanaChain } from "../reader.ts";
import type { SolanaSettings } from "../settings.ts";
import { type FakeNode, startFakeNode } from "./fakeNode.ts";
import { createManualClock } from "./manualClock.ts";

/** A different address for every number. */
export const anAddress = (number: number): Address =>
  getAddressDecoder().decode(Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? (number >>> (8 * at)) & 255 : 7)));

export const programId = LOCAL_PROGRAM_ID;
export const operator = anAddress(1);
export const aSignature = `${"5".repeat(87)}`;

function aPaymentAccount(fields: Partial<PaymentAccount> = {}): PaymentAccount {
  return {
    kind: "payment",
    bump: 255,
    status: "protected",
    period: "oneDay",
    decimals: 6,
    outcome: null,
    paymentId: 2n ** 64n - 1n,
    amount: 2n ** 63n + 1n,
    createdAt: 1_795_000_000n,
    deadline: 1_795_086_400n,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    refundTotal: 0n,
    amountRefunded: 0n,
    amountReleased: 0n,
    sender: anAddress(2),
    recipient: anAddress(3),
    mint: anAddress(4),
    tokenProgram: TOKEN_PROGRAM_ID,
    operator,
    arbiter: anAddress(5),
    rentPayer: anAddress(2),
    termsHash: null,
    ...fields,
  };
}

/** An account as nodes send it. */
export const anAccount = (data: Uint8Array, owner: string = programId, executable = false) => ({
  data: [Buffer.from(data).toString("base64"), "base64"],
  owner,
  executable,
  lamports: 1,
  rentEpoch: 18446744073709552000,
  space: data.length,
});

export const encoded = (fields: Partial<PaymentAccount> = {}) =>
  Uint8Array.from(encodePaymentAccount(aPaymentAccount(fields)));

export const at = (slot: number, value: unknown) => ({ context: { slot, apiVersion: "4.0.0" }, value });

export const aStatus = (slot: number, confirmationStatus: string | null, err: unknown = null) => ({
  slot,
  confirmationStatus,
  confirmations: confirmationStatus === "finalized" ? null : 1,
  err,
});

/** A transaction in the form of getTransaction: one create_payment at the top level. */
export function aTransaction(fields: { slot?: number; meta?: object; message?: object } = {}) {
  return {
    slot: fields.slot ?? 100,
    blockTime: 1_795_000_000,
    version: 0,
    meta: { err: null, innerInstructions: [], loadedAddresses: { writable: [], readonly: [] }, ...fields.meta },
    transaction: {
      signatures: [aSignature],
      message: {
        accountKeys: [anAddress(2), anAddress(10), operator, programId],
        instructions: [{ programIdIndex: 3, accounts: [2, 1, 0], data: createData }],
        ...fields.message,
      },
    },
  };
}

/** Instruction data: the number of the instruction, then anything. */
export const dataOf = (number: number): string => getBase58Decoder().decode(Uint8Array.of(number, 1, 2, 3));
export const createData = dataOf(3);

/** Starts `count` nodes and a reader over them whose time stands still; returns its log lines too. */
export async function startReader(
  nodes: number,
  settings: Partial<SolanaSettings> = {},
  fakeOptions: { readonly ignoresMinSlot?: boolean } = {},
) {
  const fakes = await Promise.all(Array.from({ length: nodes }, () => startFakeNode({}, fakeOptions)));
  const clock = createManualClock();
  const logged: string[] = [];
  const log = (message: string) => logged.push(message);
  const rpcUrls = fakes.map(({ url }) => url);
  const chain = createSolanaChain({ rpcUrls, programId, operator, clock, log, ...settings });
  return {
    chain,
    clock,
    logged,
    nodes: fakes as [FakeNode, FakeNode, ...FakeNode[]],
    async [Symbol.asyncDispose]() {
      await Promise.all(fakes.map((fake) => fake[Symbol.asyncDispose]()));
    },
  };
}

export const anyTime = { signal: new AbortController().signal };
