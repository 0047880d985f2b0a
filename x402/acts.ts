import {
  decodePaymentAccount,
  openDisputeInstruction,
  type PaymentAccount,
  type ProgramInstruction,
  releaseInstruction,
} from "@holdfast/escrow-client";
import { type Address, getBase64EncodedWireTransaction } from "@solana/kit";
import { compile, openRpc } from "./transaction.ts";

/** An unsigned act of the buyer on its payment. */
export interface Act {
  /** In base64, for the wallet that paid. */
  readonly transaction: string;
  readonly signer: Address;
}

export interface ActOptions {
  readonly rpcUrl: string;
  /** The program that the payment is of; its account has to belong to it. */
  readonly programId: Address;
  /** Micro-lamports offered for a compute unit; default 10,000. */
  readonly unitPrice?: bigint;
}

type Read = PaymentAccount & { readonly address: Address };

/** Drafts the dispute of a payment, which the buyer can open until its protection ends. */
export const draftDispute = (options: ActOptions, payment: Address): Promise<Act> =>
  draftAct(options, payment, (account) => openDisputeInstruction({ programId: options.programId, payment: account }));

/** Drafts the release of a payment: the recipient gets all that is not bound to go back. */
export const draftRelease = (options: ActOptions, payment: Address): Promise<Act> =>
  draftAct(options, payment, (account) =>
    releaseInstruction({ programId: options.programId, payment: account, total: account.refundTotal }),
  );

async function draftAct(
  { rpcUrl, programId, unitPrice = 10_000n }: ActOptions,
  payment: Address,
  act: (account: Read) => ProgramInstruction,
): Promise<Act> {
  const rpc = openRpc(rpcUrl);
  const found = await rpc.fetchAccount(payment);
  const account = found?.owner === programId ? decodePaymentAccount(found.data) : null;
  if (account?.kind !== "payment") throw new Error(`There is no payment of ${programId} at ${payment}.`);
  const { sender } = account;
  const instructions = [act({ ...account, address: payment })];
  const unsigned = await compile(rpc, { feePayer: sender, instructions, unitPrice });
  return { transaction: getBase64EncodedWireTransaction(unsigned), signer: sender };
}
