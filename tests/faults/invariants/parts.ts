import { callRpc } from "@holdfast/devnet/client.ts";
import { findDue, findProgramError, type PaymentAccount, payOutInstructions, type Side } from "@holdfast/escrow-client";
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { Evidence, Invariant } from "../checker.ts";
import { listPaymentAccounts } from "./vaults.ts";

type Chain = NonNullable<Evidence["chain"]>;

/** The most parts tried, so that a check of many payments ends. */
const PARTS_MAX = 2_000;
const FEE_PAYER_LAMPORTS_MIN = 1_000_000_000;
const ACCOUNTS_A_REQUEST = 100;
/** The node fills in a blockhash. */
const ANY_BLOCKHASH = "11111111111111111111111111111111" as Blockhash;
/** The part has left meanwhile; or the beneficiary's own account, or the issuer, keeps it from leaving. */
const NO_OTHERS_DOING = new Set([
  "nothing_due",
  "already_paid_out",
  "destination_frozen",
  "wrong_destination",
  "vault_frozen",
]);

/**
 * Simulates each part that is due by the chain, as a stranger would send it, creating the beneficiary's missing account
 * first: whatever the other side did to its accounts, it has to succeed. The books must not hold a part back either: once
 * the step that announces due payments has run to its end, every payment of an intent past its deadline is announced, and so
 * is the keeper's to send. Changes nothing.
 */
export const partsCanLeave: Invariant = {
  id: "parts",
  promise: "nobody keeps another's part of a payment from leaving",
  check: async ({ snapshot, chain, announced, excused }) => {
    if (chain === null) return null;
    const accounts = await listPaymentAccounts(chain);
    const now = await readTime(chain);
    const parts = [...accounts].flatMap(([address, account]) => {
      if (account.status === "released" || account.status === "refunded") return [];
      const due = findDue(account, now);
      const sides = (["sender", "recipient"] as const).filter((side) => due[side] > 0n);
      return sides.map((side) => ({ address, account, side }));
    });
    const violations: string[] = [];
    const feePayer = parts.length === 0 ? null : await findFeePayer(chain, [...accounts.values()]);
    for (const part of feePayer === null ? [] : parts.slice(0, PARTS_MAX)) {
      const refusal = await findRefusal(chain, feePayer!, part);
      if (refusal !== null && !NO_OTHERS_DOING.has(refusal) && excused?.has(part.address) !== true)
        violations.push(`the ${part.side}'s part of ${part.address} cannot leave: ${refusal}`);
    }
    const rows = new Map(snapshot.payments.map((row) => [row.address, row]));
    for (const { address, account, side } of announced ? parts : []) {
      const isSettling = side === "recipient" && account.outcome === null;
      if (isSettling && rows.get(address)?.settleable_event_sent === false)
        violations.push(`the recipient's part of ${address} could leave, and the books hold it back`);
    }
    return { checked: { "parts due": parts.length }, violations };
  },
};

interface Part {
  readonly address: Address;
  readonly account: PaymentAccount;
  readonly side: Side;
}

/** Returns the failure of the simulation, or null if it succeeds. */
async function findRefusal(
  { rpcUrl, programId }: Chain,
  feePayer: Address,
  { address, account, side }: Part,
): Promise<string | null> {
  const payment = { ...account, address };
  const instructions = await payOutInstructions({
    programId: programId as Address,
    payment,
    side,
    accountPayer: feePayer,
  });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: ANY_BLOCKHASH, lastValidBlockHeight: 0n }, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  const wire = getBase64EncodedWireTransaction(compileTransaction(message));
  const form = { encoding: "base64", commitment: "confirmed", sigVerify: false, replaceRecentBlockhash: true };
  const { value } = await callRpc<{ value: { err: unknown; logs: readonly string[] | null } }>(
    rpcUrl,
    "simulateTransaction",
    [wire, form],
  );
  if (value.err === null) return null;
  const code = /"Custom":(\d+)/.exec(JSON.stringify(value.err))?.[1];
  return (code === undefined ? null : findProgramError(Number(code))?.name) ?? JSON.stringify(value.err);
}

/** Returns the time of the newest final block, a little before the time that the program reads; 0 while no block has one. */
async function readTime({ rpcUrl }: Chain): Promise<bigint> {
  const slot = await callRpc<number>(rpcUrl, "getSlot", [{ commitment: "finalized" }]);
  return BigInt((await callRpc<number | null>(rpcUrl, "getBlockTime", [slot])) ?? 0);
}

/** Finds any wallet that could pay for an account. It never signs. */
async function findFeePayer({ rpcUrl }: Chain, accounts: readonly PaymentAccount[]): Promise<Address | null> {
  const wallets = [...new Set(accounts.flatMap(({ sender, recipient, rentPayer }) => [sender, recipient, rentPayer]))];
  const asked = wallets.slice(0, ACCOUNTS_A_REQUEST);
  const form = { encoding: "base64", commitment: "confirmed" };
  const { value } = await callRpc<{ value: ({ lamports: number } | null)[] }>(rpcUrl, "getMultipleAccounts", [
    asked,
    form,
  ]);
  return asked.find((_, index) => (value[index]?.lamports ?? 0) >= FEE_PAYER_LAMPORTS_MIN) ?? null;
}
