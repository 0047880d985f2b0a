import {
  acceptInstruction,
  createOperatorInstruction,
  findOperatorAddress,
  type ProgramInstruction,
  payOutInstructions,
  proposeInstruction,
  resolveInstruction,
} from "@holdfast/escrow-client";
import {
  type Address,
  createKeyPairFromBytes,
  getAddressFromPublicKey,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  signTransaction,
} from "@solana/kit";
import { NO_LIFETIMES } from "../lifetime.ts";
import { ChainUnavailableError } from "../port.ts";
import { type ChainTool, type ToolAction, TransactionRefusedError, TransactionUnknownError } from "../tool.ts";
import { createLifeMethods } from "./builder.ts";
import { realClock } from "./clock.ts";
import { compileDraft } from "./draft.ts";
import { fetchBlockhash, type LatestBlockhash } from "./latestBlockhash.ts";
import { createLifeReads } from "./lifetimes.ts";
import { showPlain } from "./plain.ts";
import { createPool, type NodeSession } from "./pool.ts";
import { createSolanaChain } from "./reader.ts";
import type { SolanaSettings } from "./settings.ts";
import { paymentRef } from "./settlement.ts";
import { blockhashOf } from "./signedTransaction.ts";
import { simulate } from "./simulation.ts";

export interface ToolSettings extends SolanaSettings {
  /** Micro-lamports a compute unit, on top of the fee every transaction pays. */
  readonly unitPrice: bigint;
}

const LOOK_MS = 500;
/** A wallet resends as often: a leader may be skipped. */
const RESEND_EVERY = 4;

type Draft = Awaited<ReturnType<ReturnType<typeof drafter>>>;

export function createSolanaTool(settings: ToolSettings): ChainTool {
  const { programId, operator } = settings;
  const reader = createSolanaChain(settings);
  const pool = createPool(settings);
  const clock = settings.clock ?? realClock;
  const draft = drafter(settings);

  /** Throws if a node says that the transaction would fail. */
  const prepare = (action: ToolAction, signal: AbortSignal): Promise<Draft> =>
    pool
      .queue({ signal })
      .ask(async (session) => {
        const drafted = await draft(action, await fetchBlockhash(session));
        const reason = await whyFails(session, drafted.transaction, programId);
        return { ...drafted, reason };
      })
      .then(({ reason, ...drafted }) => {
        if (reason !== null) throw new TransactionRefusedError(`It would fail: ${reason}`);
        return drafted;
      });

  async function send(action: ToolAction, key: Uint8Array, signal: AbortSignal): Promise<string> {
    const pair = await createKeyPairFromBytes(key);
    if ((await getAddressFromPublicKey(pair.publicKey)) !== action.signer)
      throw new TransactionRefusedError(`The key is not that of ${action.signer}, who has to sign.`);
    const { transaction, lastValidBlockHeight } = await prepare(action, signal);
    const signed = await signTransaction([pair], transaction);
    const signature = getSignatureFromTransaction(signed);
    const form = { encoding: "base64", skipPreflight: true, maxRetries: 0 };
    const wire = getBase64EncodedWireTransaction(signed);
    const lives = createLifeReads(NO_LIFETIMES, clock);
    await lives.save(blockhashOf(wire), lastValidBlockHeight);
    const { fetchLife } = createLifeMethods(pool, lives);
    for (let looks = 0; !signal.aborted; looks++) {
      // The same bytes land at most once, so they are resent until they landed or no longer can.
      if (looks % RESEND_EVERY === 0)
        await pool
          .queue({ signal })
          .ask((session) => session.call("sendTransaction", [wire, form]))
          .catch(unlessAway);
      const statuses = await reader.fetchSignatureStatuses([signature], { signal }).catch(unlessAway);
      const status = statuses?.value[0] ?? null;
      const isOver = status !== null && status.commitment !== "processed";
      if (isOver && status.failed) throw new TransactionRefusedError(`The transaction ${signature} failed on chain.`);
      if (isOver) return signature;
      const life = await fetchLife(wire, { signal }).catch(unlessAway);
      if (life?.kind === "ended")
        throw new TransactionRefusedError(
          `The transaction ${signature} did not land in time and can no longer land. Send it again.`,
        );
      await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
    }
    throw new TransactionUnknownError(
      `The transaction ${signature} was sent, and is not confirmed yet. Look whether it lands before you repeat it.`,
    );
  }

  return {
    reader,
    programId,
    operator,
    draft: async (action, signal) => {
      const { transaction, instructions } = await prepare(action, signal);
      return { transaction: getBase64EncodedWireTransaction(transaction), instructions: instructions.map(showPlain) };
    },
    send,
  };
}

/** Returns the operator account of a first authority, in base58. */
export const findOperatorOf = (programId: string, authority: string): Promise<string> =>
  findOperatorAddress({ programId: programId as Address, authority: authority as Address });

/** A node that is down for a moment does not tell if a transaction lands. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof ChainUnavailableError)) throw error;
}

const drafter = (settings: ToolSettings) => async (action: ToolAction, lifetime: LatestBlockhash) => {
  const { unitPrice } = settings;
  const instructions = await draftInstructions(action, settings);
  const transaction = compileDraft({
    feePayer: action.signer as Address,
    instructions,
    lifetime,
    units: undefined,
    unitPrice: unitPrice === 0n ? undefined : unitPrice,
    isBudgetLast: true,
  });
  return { transaction, instructions, lastValidBlockHeight: lifetime.lastValidBlockHeight };
};

async function draftInstructions(action: ToolAction, settings: ToolSettings): Promise<ProgramInstruction[]> {
  const programId = settings.programId as Address;
  const operator = settings.operator as Address;
  const signer = action.signer as Address;
  switch (action.kind) {
    case "create_operator":
      return [await createOperatorInstruction({ programId, authority: signer, arbiter: action.arbiter as Address })];
    case "propose":
      return [
        proposeInstruction({
          programId,
          operator,
          authority: signer,
          role: action.office,
          key: action.key as Address | null,
        }),
      ];
    case "accept":
      return [acceptInstruction({ programId, operator, role: action.office, key: signer })];
    case "resolve":
      return [resolveInstruction({ programId, payment: paymentRef(action.payment), total: BigInt(action.total) })];
    case "pay_out":
      return payOutInstructions({ programId, payment: paymentRef(action.payment), side: action.side });
  }
}

/** Returns the reason why the transaction would fail, in words; null if it would not. */
async function whyFails(
  session: NodeSession,
  transaction: Draft["transaction"],
  programId: string,
): Promise<string | null> {
  const { stop } = await simulate(session, getBase64EncodedWireTransaction(transaction), programId);
  if (stop === null) return null;
  return stop.kind === "fee_payer" ? "the signer pays fee and rent, and has too little SOL." : stop.reason;
}
