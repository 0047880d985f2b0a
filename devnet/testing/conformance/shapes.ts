import Type, { type TArrayOptions, type TSchema } from "typebox";

export const whole = Type.Integer({ minimum: 0 });
// 64 bits: beyond what JSON.parse keeps exact, so no integer check.
export const u64 = Type.Number({ minimum: 0 });
export const text = Type.String({ minLength: 1 });
export const key = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" });
export const signature = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{64,88}$" });
export const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
export const withContext = (value: TSchema) => Type.Object({ context: Type.Object({ slot: whole }), value });
export const account = (data: TSchema) =>
  Type.Object({ lamports: u64, owner: key, executable: Type.Boolean(), rentEpoch: u64, space: whole, data });
export const base64 = Type.Tuple([Type.String(), Type.Literal("base64")]);
export const tokenAmount = Type.Object({
  amount: Type.String({ pattern: "^[0-9]+$" }),
  decimals: whole,
  uiAmount: orNull(u64),
  uiAmountString: text,
});
export const parsedMint = Type.Object({
  program: Type.Literal("spl-token"),
  space: whole,
  parsed: Type.Object({
    type: Type.Literal("mint"),
    info: Type.Object({ decimals: Type.Literal(6), supply: text, isInitialized: Type.Literal(true) }),
  }),
});
export const parsedHolding = Type.Object({
  parsed: Type.Object({
    type: Type.Literal("account"),
    info: Type.Object({ mint: key, owner: key, state: text, isNative: Type.Boolean(), tokenAmount }),
  }),
});
export const signatureStatus = Type.Object({
  slot: whole,
  confirmations: Type.Null(),
  err: Type.Null(),
  status: Type.Object({ Ok: Type.Null() }),
  confirmationStatus: Type.Literal("finalized"),
});
const instruction = { programIdIndex: whole, accounts: Type.Array(whole), data: Type.String() };
const holding = Type.Object({
  accountIndex: whole,
  mint: key,
  owner: key,
  programId: key,
  uiTokenAmount: tokenAmount,
});
const meta = Type.Object({
  err: Type.Null(),
  fee: u64,
  preBalances: Type.Array(u64),
  postBalances: Type.Array(u64),
  innerInstructions: Type.Array(
    Type.Object({
      index: whole,
      instructions: Type.Array(Type.Object({ ...instruction, stackHeight: orNull(whole) })),
    }),
  ),
  logMessages: Type.Array(Type.String()),
  preTokenBalances: Type.Array(holding),
  postTokenBalances: Type.Array(holding),
  loadedAddresses: Type.Object({ writable: Type.Array(key), readonly: Type.Array(key) }),
  computeUnitsConsumed: u64,
});
export const landed = (transaction: TSchema) =>
  Type.Object({
    slot: whole,
    blockTime: orNull(whole),
    version: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal("legacy")]),
    transaction,
    meta,
  });
export const message = Type.Object({
  header: Type.Object({
    numRequiredSignatures: whole,
    numReadonlySignedAccounts: whole,
    numReadonlyUnsignedAccounts: whole,
  }),
  accountKeys: Type.Array(key),
  recentBlockhash: key,
  instructions: Type.Array(Type.Object(instruction)),
});
export const line = Type.Object({
  signature,
  slot: whole,
  err: Type.Unknown(),
  memo: orNull(text),
  blockTime: orNull(whole),
  confirmationStatus: Type.Literal("finalized"),
});
export const sample = Type.Object({
  slot: whole,
  numSlots: whole,
  numTransactions: whole,
  numNonVoteTransactions: whole,
  samplePeriodSecs: whole,
});
const bytes = (length: TArrayOptions) => Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), length);
const blockId = bytes({ minItems: 32, maxItems: 32 });
export const certificate = Type.Object({
  // Agave 4.2 spells it otherwise than 4.3.
  block: Type.Union([Type.Object({ slot: whole, blockId }), Type.Object({ slot: whole, block_id: blockId })]),
  signature: Type.Object({ signature: bytes({ minItems: 192, maxItems: 192 }), bitmap: bytes({ minItems: 1 }) }),
});
export const preflight = (err: string) =>
  Type.Object({ err: Type.Literal(err), logs: orNull(Type.Array(Type.String())) });
