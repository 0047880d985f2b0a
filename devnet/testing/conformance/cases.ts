import Type, { type TSchema } from "typebox";
import type { Consensus } from "../../ledger/slots.ts";
import {
  account,
  base64,
  certificate,
  key,
  landed,
  line,
  message,
  orNull,
  parsedHolding,
  parsedMint,
  preflight,
  sample,
  signature,
  signatureStatus,
  text,
  tokenAmount,
  u64,
  whole,
  withContext,
} from "./shapes.ts";

/** Addresses and signatures of the node asked, which the requests may name. */
export interface Known {
  readonly mint: string;
  /** A program with few accounts. */
  readonly program: string;
  /** Successful transactions of the mint, newest first, at least two. */
  readonly signatures: readonly string[];
  readonly tokenAccount: string;
  /** A new key, a signature of it that never landed, and transactions of it: fine but unfunded, expired, wrongly signed. */
  readonly stranger: string;
  readonly strangerSignature: string;
  readonly unfunded: string;
  readonly expired: string;
  readonly spoilt: string;
  readonly message: string;
  readonly blockhash: string;
}

const FINALIZED = { commitment: "finalized" };
const V1 = { maxSupportedTransactionVersion: 1 };
const wire = { encoding: "base64", preflightCommitment: "finalized" };
const invalid = { code: -32602 };

/** A request and the answer that every node must give: a result of this shape, or an error of this code (and shape of its data). */
export interface ConformanceCase {
  readonly name: string;
  readonly method: string;
  readonly params: (known: Known) => readonly unknown[];
  readonly result?: TSchema;
  readonly error?: { readonly code: number; readonly data?: TSchema };
}

export const conformanceCases: readonly ConformanceCase[] = [
  {
    name: "an account in base64",
    method: "getAccountInfo",
    params: ({ mint }) => [mint, { encoding: "base64" }],
    result: withContext(account(base64)),
  },
  {
    name: "a mint, parsed",
    method: "getAccountInfo",
    params: ({ mint }) => [mint, { encoding: "jsonParsed" }],
    result: withContext(account(parsedMint)),
  },
  {
    name: "a slice of an account",
    method: "getAccountInfo",
    params: ({ mint }) => [mint, { encoding: "base64", dataSlice: { offset: 44, length: 1 } }],
    result: withContext(account(Type.Tuple([Type.Literal("Bg=="), Type.Literal("base64")]))),
  },
  {
    name: "no account",
    method: "getAccountInfo",
    params: ({ stranger }) => [stranger],
    result: withContext(Type.Null()),
  },
  { name: "an account under no address", method: "getAccountInfo", params: () => ["0OIl"], error: invalid },
  {
    name: "an account too old for the caller",
    method: "getAccountInfo",
    params: ({ mint }) => [mint, { encoding: "base64", minContextSlot: 1e15 }],
    error: { code: -32016, data: Type.Object({ contextSlot: whole }) },
  },
  {
    name: "several accounts",
    method: "getMultipleAccounts",
    params: ({ mint, stranger }) => [[mint, stranger], { encoding: "base64" }],
    result: withContext(Type.Tuple([account(base64), Type.Null()])),
  },
  {
    name: "too many accounts",
    method: "getMultipleAccounts",
    params: ({ mint }) => [Array(101).fill(mint)],
    error: invalid,
  },
  {
    name: "a program's accounts",
    method: "getProgramAccounts",
    params: ({ program }) => [program, { encoding: "base64", withContext: true, dataSlice: { offset: 0, length: 0 } }],
    result: withContext(Type.Array(Type.Object({ pubkey: key, account: account(base64) }))),
  },
  {
    name: "a program's accounts, too many filters",
    method: "getProgramAccounts",
    params: ({ program }) => [program, { encoding: "base64", filters: Array(5).fill({ dataSize: 1 }) }],
    error: invalid,
  },
  { name: "a balance", method: "getBalance", params: ({ mint }) => [mint], result: withContext(u64) },
  { name: "rent", method: "getMinimumBalanceForRentExemption", params: () => [165], result: u64 },
  {
    name: "a token balance",
    method: "getTokenAccountBalance",
    params: ({ tokenAccount }) => [tokenAccount],
    result: withContext(tokenAmount),
  },
  {
    name: "a token balance of no token account",
    method: "getTokenAccountBalance",
    params: ({ mint }) => [mint],
    error: invalid,
  },
  {
    name: "the token accounts of nobody",
    method: "getTokenAccountsByOwner",
    params: ({ stranger, mint }) => [stranger, { mint }, { encoding: "jsonParsed" }],
    result: withContext(Type.Array(Type.Unknown(), { maxItems: 0 })),
  },
  {
    name: "a token account, parsed",
    method: "getAccountInfo",
    params: ({ tokenAccount }) => [tokenAccount, { encoding: "jsonParsed" }],
    result: withContext(account(parsedHolding)),
  },
  { name: "a supply", method: "getTokenSupply", params: ({ mint }) => [mint], result: withContext(tokenAmount) },
  { name: "the slot", method: "getSlot", params: () => [FINALIZED], result: whole },
  { name: "a slot not reached", method: "getSlot", params: () => [{ minContextSlot: 1e15 }], error: { code: -32016 } },
  { name: "the height", method: "getBlockHeight", params: () => [], result: whole },
  {
    name: "the epoch",
    method: "getEpochInfo",
    params: () => [],
    result: Type.Object({
      absoluteSlot: whole,
      blockHeight: whole,
      epoch: whole,
      slotIndex: whole,
      slotsInEpoch: whole,
    }),
  },
  {
    name: "samples of its speed",
    method: "getRecentPerformanceSamples",
    params: () => [2],
    result: Type.Array(sample, { maxItems: 2 }),
  },
  { name: "too many samples", method: "getRecentPerformanceSamples", params: () => [721], error: invalid },
  { name: "the genesis hash", method: "getGenesisHash", params: () => [], result: key },
  { name: "the version", method: "getVersion", params: () => [], result: Type.Object({ "solana-core": text }) },
  { name: "the health", method: "getHealth", params: () => [], result: Type.Literal("ok") },
  {
    name: "a blockhash",
    method: "getLatestBlockhash",
    params: () => [],
    result: withContext(Type.Object({ blockhash: key, lastValidBlockHeight: whole })),
  },
  {
    name: "a blockhash that serves",
    method: "isBlockhashValid",
    params: ({ blockhash }) => [blockhash],
    result: withContext(Type.Literal(true)),
  },
  {
    name: "a blockhash that never was",
    method: "isBlockhashValid",
    params: ({ stranger }) => [stranger],
    result: withContext(Type.Literal(false)),
  },
  {
    name: "a fee",
    method: "getFeeForMessage",
    params: ({ message: bytes }) => [bytes, FINALIZED],
    result: withContext(Type.Literal(5000)),
  },
  {
    name: "signatures of an address",
    method: "getSignaturesForAddress",
    params: ({ mint }) => [mint, { limit: 2 }],
    result: Type.Array(line, { minItems: 2, maxItems: 2 }),
  },
  {
    name: "signatures of nobody",
    method: "getSignaturesForAddress",
    params: ({ stranger }) => [stranger],
    result: Type.Array(Type.Unknown(), { maxItems: 0 }),
  },
  {
    name: "too many signatures",
    method: "getSignaturesForAddress",
    params: ({ mint }) => [mint, { limit: 1001 }],
    error: invalid,
  },
  {
    name: "signatures not confirmed yet",
    method: "getSignaturesForAddress",
    params: ({ mint }) => [mint, { commitment: "processed" }],
    error: invalid,
  },
  {
    name: "signatures until one nobody knows",
    method: "getSignaturesForAddress",
    params: ({ mint, strangerSignature }) => [mint, { limit: 2, until: strangerSignature }],
    error: { code: -32020 },
  },
  {
    name: "signatures before one nobody knows",
    method: "getSignaturesForAddress",
    params: ({ mint, strangerSignature }) => [mint, { limit: 2, before: strangerSignature }],
    error: { code: -32020 },
  },
  {
    name: "a transaction in JSON",
    method: "getTransaction",
    params: ({ signatures }) => [signatures[0], { ...V1, encoding: "json" }],
    result: landed(Type.Object({ signatures: Type.Array(signature), message })),
  },
  {
    name: "a transaction in base64",
    method: "getTransaction",
    params: ({ signatures }) => [signatures[0], { ...V1, encoding: "base64" }],
    result: landed(base64),
  },
  {
    name: "a transaction nobody knows",
    method: "getTransaction",
    params: ({ strangerSignature }) => [strangerSignature, V1],
    result: Type.Null(),
  },
  {
    name: "a transaction not confirmed yet",
    method: "getTransaction",
    params: ({ signatures }) => [signatures[0], { ...V1, commitment: "processed" }],
    error: invalid,
  },
  {
    name: "statuses, searched",
    method: "getSignatureStatuses",
    params: ({ signatures, strangerSignature }) => [
      [signatures.at(-1), strangerSignature],
      { searchTransactionHistory: true },
    ],
    result: withContext(Type.Tuple([signatureStatus, Type.Null()])),
  },
  {
    name: "too many statuses",
    method: "getSignatureStatuses",
    params: ({ signatures }) => [Array(257).fill(signatures[0])],
    error: invalid,
  },
  { name: "a status of no signature", method: "getSignatureStatuses", params: () => [["0OIl"]], error: invalid },
  { name: "sending no transaction", method: "sendTransaction", params: () => ["AAAA", wire], error: invalid },
  {
    name: "sending without funds",
    method: "sendTransaction",
    params: ({ unfunded }) => [unfunded, wire],
    error: { code: -32002, data: preflight("AccountNotFound") },
  },
  {
    name: "sending under no blockhash",
    method: "sendTransaction",
    params: ({ expired }) => [expired, wire],
    error: { code: -32002, data: preflight("BlockhashNotFound") },
  },
  {
    name: "sending wrongly signed",
    method: "sendTransaction",
    params: ({ spoilt }) => [spoilt, wire],
    error: { code: -32002, data: preflight("SignatureFailure") },
  },
  {
    name: "sending wrongly signed, without preflight",
    method: "sendTransaction",
    params: ({ spoilt }) => [spoilt, { ...wire, skipPreflight: true }],
    result: signature,
  },
  {
    name: "simulating wrongly signed",
    method: "simulateTransaction",
    params: ({ spoilt }) => [spoilt, { encoding: "base64", sigVerify: true }],
    result: withContext(Type.Object({ err: Type.Literal("SignatureFailure") })),
  },
  {
    name: "simulating without funds",
    method: "simulateTransaction",
    params: ({ expired }) => [expired, { encoding: "base64", replaceRecentBlockhash: true }],
    result: withContext(Type.Object({ err: Type.Literal("AccountNotFound"), logs: orNull(Type.Array(Type.String())) })),
  },
  {
    name: "simulating under no blockhash",
    method: "simulateTransaction",
    params: ({ expired }) => [expired, { encoding: "base64" }],
    result: withContext(Type.Object({ err: Type.Literal("BlockhashNotFound") })),
  },
  { name: "no method", method: "getNothing", params: () => [], error: { code: -32601 } },
];

/** The answers that depend on the consensus of a node. */
export const consensusCases: Readonly<Record<Consensus, readonly ConformanceCase[]>> = {
  tower: [{ name: "no certificate", method: "getAgGenesisCert", params: () => [], result: Type.Null() }],
  alpenglow: [{ name: "the certificate", method: "getAgGenesisCert", params: () => [], result: certificate }],
};
