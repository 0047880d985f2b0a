import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WRAPPED_SOL } from "@holdfast/devnet/assets.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import { startDevnet } from "@holdfast/devnet/start.ts";
import { keptWallet, type LocalWallet } from "@holdfast/devnet/wallets.ts";
import {
  acceptInstruction,
  createOperatorInstruction,
  createPaymentInstruction,
  createTokenAccountInstruction,
  findOperatorAddress,
  findPaymentAddress,
  openDisputeInstruction,
  payOutInstruction,
  proposeInstruction,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import type { Address, Instruction } from "@solana/kit";
import { eventually } from "../harness/wait.ts";
import { give, land, makeMint } from "./land.ts";
import type { RealNode } from "./realNode.ts";

const AMOUNT = 25_000_000n;
const PART = 10n;

/** A chain, by its node's URL, and the folder with the keys of everybody on it. */
interface Place {
  readonly rpcUrl: string;
  readonly programId: Address;
  readonly walletsDir: string;
}

/** Compute units of a transaction: of the program itself, and with the programs that it called. */
interface Units {
  readonly own: number;
  readonly whole: number;
}
interface Shown {
  readonly meta: { readonly computeUnitsConsumed: number; readonly logMessages: readonly string[] };
}

/** The units of the program are those at its end, less those of the programs that it called. Built-in programs log none. */
function readUnits({ meta: { computeUnitsConsumed, logMessages } }: Shown): Units {
  const consumed: number[] = [0, 0, 0];
  let depth = 0;
  for (const line of logMessages) {
    depth = Number(/^Program \w+ invoke \[(\d)\]$/.exec(line)?.[1] ?? depth);
    consumed[depth]! += Number(/^Program \w+ consumed (\d+) of \d+ compute units$/.exec(line)?.[1] ?? 0);
    if (/^Program \w+ success$/.test(line)) depth--;
  }
  return { own: consumed[1]! - consumed[2]!, whole: computeUnitsConsumed };
}

/**
 * Plays each instruction of the program by a transaction of its own, under an operator and with mints of its own. The same
 * keys, so the same addresses, take the same units on every chain that runs alike.
 */
async function playUnits({ rpcUrl, programId, walletsDir }: Place): Promise<Record<string, Units>> {
  const keyOf = (name: string) => keptWallet(walletsDir, name);
  const [faucet, authority, arbiter] = [keyOf("faucet"), keyOf("units-authority"), keyOf("arbiter")];
  const [buyer, recipient, stranger] = [keyOf("buyer-1"), keyOf("recipient"), keyOf("keeper")];
  const units: Record<string, Units> = {};
  const take = async (name: string, instruction: Instruction, ...wallets: [LocalWallet, ...LocalWallet[]]) => {
    const signature = await land(rpcUrl, [instruction], ...wallets);
    const form = { commitment: "confirmed", maxSupportedTransactionVersion: 1 };
    const shown = await eventually("the node shows the transaction", () =>
      callRpc<Shown | null>(rpcUrl, "getTransaction", [signature, form]),
    );
    units[name] = readUnits(shown);
  };
  await give(rpcUrl, faucet, authority.address, "SOL", 1_000_000_000n);
  const named = { programId, authority: authority.address };
  await take("create_operator", await createOperatorInstruction({ ...named, arbiter: stranger.address }), authority);
  const operator = await findOperatorAddress(named);
  const role = { programId, operator, role: "arbiter", key: arbiter.address } as const;
  await take("propose", proposeInstruction({ ...role, authority: authority.address }), authority);
  await take("accept", acceptInstruction(role), arbiter);

  let paymentId = 0n;
  for (const [kind, tokenProgram] of [
    ["", TOKEN_PROGRAM_ID],
    [", Token-2022", TOKEN_2022_PROGRAM_ID],
    [", wrapped SOL", null],
  ] as const) {
    const token =
      tokenProgram === null ? WRAPPED_SOL : await makeMint(rpcUrl, faucet, keyOf(`units${kind}`), tokenProgram);
    await give(rpcUrl, faucet, buyer.address, token, 2n * AMOUNT);
    const terms = { programId, operator, sender: buyer.address, recipient: recipient.address, mint: token.address };
    const receiving = { payer: buyer.address, owner: recipient.address, mint: token.address };
    const shown = { ...receiving, tokenProgram: token.tokenProgram };
    await land(rpcUrl, [await createTokenAccountInstruction(shown)], buyer);
    const pay = async () => {
      paymentId++;
      const offer = { ...terms, ...{ tokenProgram: token.tokenProgram, paymentId, amount: AMOUNT } };
      const create = await createPaymentInstruction({ ...offer, period: "oneDay", arbiter: arbiter.address });
      await take(`create_payment ${paymentId}${kind}`, create, buyer);
      const ref = { ...offer, address: await findPaymentAddress(offer), arbiter: arbiter.address };
      return { programId, payment: { ...ref, rentPayer: buyer.address } };
    };
    const payOut = async (paid: Awaited<ReturnType<typeof pay>>, side: "sender" | "recipient", name: string) =>
      take(`${name}${kind}`, await payOutInstruction({ ...paid, side }), stranger);

    const ruled = await pay();
    await take(`open_dispute${kind}`, openDisputeInstruction(ruled), buyer);
    await take(`resolve${kind}`, resolveInstruction({ ...ruled, total: PART }), arbiter);
    await payOut(ruled, "sender", "pay_out, a part");
    await payOut(ruled, "recipient", "pay_out, the last");
    const released = await pay();
    await take(`refund${kind}`, refundInstruction({ ...released, total: PART }), recipient);
    await payOut(released, "sender", "pay_out, a refund");
    await take(`release${kind}`, releaseInstruction({ ...released, total: PART }), buyer);
    await payOut(released, "recipient", "pay_out, the rest");
  }
  return units;
}

/** What the program itself takes otherwise on the node than on the local chain, and what it takes with the token programs. */
export async function compareUnits(
  { rpcUrl, ready: { programId }, walletsDir }: RealNode,
  programFile: string,
): Promise<{ readonly compared: number; readonly own: readonly string[]; readonly whole: readonly string[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-units-"));
  try {
    const there = await playUnits({ rpcUrl, programId, walletsDir });
    await cp(walletsDir, join(dataDir, "wallets"), { recursive: true });
    const programs = [{ address: programId, path: programFile }];
    const local = await startDevnet({ dataDir, slotMs: 40, programs });
    try {
      const here = await playUnits({ rpcUrl: local.rpcUrl, programId, walletsDir });
      const differ = (part: keyof Units) =>
        Object.keys(here)
          .filter((name) => here[name]![part] !== there[name]![part])
          .map((name) => `${name} ${there[name]![part]} (local chain ${here[name]![part]})`);
      return { compared: Object.keys(here).length, own: differ("own"), whole: differ("whole") };
    } finally {
      await local.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
