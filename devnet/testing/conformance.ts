import Type, { type TSchema } from "typebox";
import { Check, Errors } from "typebox/value";
import { callRpc, RpcCallError } from "../client.ts";
import { toBase58 } from "../ledger/base58.ts";
import type { Consensus } from "../ledger/slots.ts";
import { signTransaction } from "../signTransaction.ts";
import { newWallet } from "../wallets.ts";
import { type ConformanceCase, conformanceCases, consensusCases, type Known } from "./conformance/cases.ts";

const MINTS = ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"];

/** Finds on the node what the requests name: a mint and transactions of it. Writes nothing. */
async function discover(rpcUrl: string, program: string, mints: readonly string[]): Promise<Known> {
  const ask = <T>(method: string, ...params: unknown[]) => callRpc<T>(rpcUrl, method, params);
  const accounts = await ask<{ value: unknown[] }>("getMultipleAccounts", mints, { encoding: "base64" });
  const mint = mints[accounts.value.findIndex((one) => one !== null)];
  if (!mint) throw new Error("the node has none of the mints");
  const lines = await ask<{ signature: string; err: unknown }[]>("getSignaturesForAddress", mint, { limit: 50 });
  const signatures = lines.filter((line) => line.err === null).map((line) => line.signature);
  if (signatures.length < 2) throw new Error("the node knows no two transactions of the mint");
  const tokenAccount = await findTokenAccount(rpcUrl, signatures, mint);
  const { value } = await ask<{ value: { blockhash: string } }>("getLatestBlockhash");
  const stranger = newWallet();
  const draft = (blockhash: string) => signTransaction({ instructions: [], wallets: [stranger], blockhash });
  const unfunded = Buffer.from(draft(value.blockhash).wire);
  const spoilt = Buffer.from(unfunded);
  spoilt[5]! ^= 1;
  return {
    mint,
    program,
    signatures,
    tokenAccount,
    stranger: stranger.address,
    strangerSignature: draft(stranger.address).signature,
    unfunded: unfunded.toString("base64"),
    expired: Buffer.from(draft(toBase58(new Uint8Array(32).fill(1))).wire).toString("base64"),
    spoilt: spoilt.toString("base64"),
    message: unfunded.subarray(65).toString("base64"),
    blockhash: value.blockhash,
  };
}

interface Shown {
  readonly transaction: { readonly message: { readonly accountKeys: string[] } };
  readonly meta: {
    readonly loadedAddresses: { readonly writable: string[]; readonly readonly: string[] };
    readonly postTokenBalances: { readonly accountIndex: number; readonly mint: string }[];
  };
}

async function findTokenAccount(rpcUrl: string, signatures: readonly string[], mint: string): Promise<string> {
  for (const signature of signatures) {
    const shown = await callRpc<Shown | null>(rpcUrl, "getTransaction", [
      signature,
      { maxSupportedTransactionVersion: 1 },
    ]);
    const holding = shown?.meta.postTokenBalances.find((one) => one.mint === mint);
    if (!shown || !holding) continue;
    const { writable, readonly } = shown.meta.loadedAddresses;
    return [...shown.transaction.message.accountKeys, ...writable, ...readonly][holding.accountIndex]!;
  }
  throw new Error("no transaction of the mint has a token balance");
}

/** Returns null when the node answers as the case says, else its actual answer. */
async function runCase(rpcUrl: string, one: ConformanceCase, known: Known): Promise<string | null> {
  try {
    const result = await callRpc<unknown>(rpcUrl, one.method, one.params(known));
    if (!one.result) return `answered where the error ${one.error?.code} was due`;
    return explain(one.result, result);
  } catch (error) {
    if (!(error instanceof RpcCallError)) throw error;
    if (!one.error) return `error ${error.code}: ${error.message}`;
    if (error.code !== one.error.code) return `error ${error.code} where ${one.error.code} was due: ${error.message}`;
    return explain(one.error.data ?? Type.Unknown(), error.data);
  }
}

function explain(schema: TSchema, value: unknown): string | null {
  if (Check(schema, value)) return null;
  const [first] = Errors(schema, value);
  return `${first?.instancePath ?? ""}: ${first?.message ?? "another shape"}, in ${JSON.stringify(value)?.slice(0, 300)}`;
}

interface ConformanceOptions {
  /** The requests are about the first of these that the node has. */
  readonly mints?: readonly string[];
  /** The consensus of the node; null if it is not known, so that its table is left out. */
  readonly consensus: Consensus | null;
}

/** Runs the whole table; returns each case that failed, with the reason. */
export async function runConformance(
  rpcUrl: string,
  program: string,
  { mints = MINTS, consensus }: ConformanceOptions,
): Promise<Map<string, string>> {
  const known = await discover(rpcUrl, program, mints);
  const failures = new Map<string, string>();
  for (const one of [...conformanceCases, ...(consensus === null ? [] : consensusCases[consensus])]) {
    const why = await runCase(rpcUrl, one, known);
    if (why !== null) failures.set(one.name, why);
  }
  return failures;
}
