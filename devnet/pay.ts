import { parseArgs } from "node:util";
import { findPaymentAddress } from "@holdfast/escrow-client";
import { type Address, address } from "@solana/kit";
import {
  actOnPayment,
  agreeOnPayment,
  type Done,
  fundBuyer,
  type PaymentAction,
  payIntent,
  readPayment,
} from "./buyer.ts";
import { BUYER_NAMES } from "./chain.ts";
import { callRpc } from "./client.ts";
import { advanceClock, findInstance, type Instance, readIntent, type ShownIntent } from "./instance.ts";
import type { LocalWallet } from "./wallets.ts";

const USAGE = `usage: npm run pay -- <intent id> [--again] [--late] [--amount N] [--json]
       npm run pay -- <intent id> --dispute | --release | --refund [total] | --agree <total> | --close
                      | --resolve release|refund|<total>  [--again] [--json]
  --again    pays as a buyer who has not paid this intent yet; with an action: acts on the newest such payment
  --late     pays after the intent has expired: moves the clock there first
  --amount   pays another amount than that of the intent, in the asset's smallest unit
  --dispute, --release   as the buyer
  --refund   as the local recipient: refunds the buyer up to the total, earlier refunds included (default: everything)
  --resolve  as the local arbiter: release pays the recipient, refund pays the buyer, a total is the buyer's share
  --agree    as the buyer and the local recipient in one transaction: the buyer gets the total, the recipient the rest
  --close    reduces the account to a tombstone, from 90 days after the last payout
  A total is in the asset's smallest unit.`;

class UsageError extends Error {
  override readonly name = "UsageError";
}

const DONE: Readonly<Record<Asked["action"], string>> = {
  dispute: "disputed",
  release: "released",
  refund: "refunded",
  resolve_release: "resolved for the recipient:",
  resolve_refund: "resolved for the buyer:",
  resolve_split: "resolved by a split:",
  settle: "settled",
  refund_unresolved: "refunded, unresolved:",
  close: "closed",
  agree: "agreed on",
};

const UNITS = /^[1-9][0-9]{0,19}$/;

/** Puts the word that follows `--refund`, if it is a number, into the option itself: only there may a value be left out. */
function joinRefundTotal(words: readonly string[]): { args: string[]; total: bigint | undefined } {
  const at = words.indexOf("--refund");
  const next = at < 0 ? undefined : words[at + 1];
  if (next === undefined || !UNITS.test(next)) return { args: [...words], total: undefined };
  return { args: words.toSpliced(at + 1, 1), total: BigInt(next) };
}

function readArguments() {
  const flag = { type: "boolean", default: false } as const;
  const { args, total } = joinRefundTotal(process.argv.slice(2));
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      again: flag,
      late: flag,
      dispute: flag,
      release: flag,
      refund: flag,
      close: flag,
      json: flag,
      agree: { type: "string" },
      amount: { type: "string" },
      resolve: { type: "string" },
    },
  });
  const { agree, resolve, amount } = values;
  const actions: Asked[] = [];
  if (values.dispute) actions.push({ action: "dispute" });
  if (values.release) actions.push({ action: "release" });
  if (values.refund) actions.push({ action: "refund", total });
  if (values.close) actions.push({ action: "close" });
  if (agree !== undefined) {
    if (!/^(0|[1-9][0-9]{0,19})$/.test(agree)) throw new UsageError("--agree takes the buyer's total");
    actions.push({ action: "agree", total: BigInt(agree) });
  }
  if (resolve !== undefined) actions.push(readRuling(resolve));
  if (positionals.length !== 1) throw new UsageError("give one intent id");
  if (actions.length > 1)
    throw new UsageError("only one of --dispute, --release, --refund, --agree, --resolve and --close at a time");
  if (actions.length && (values.late || amount !== undefined))
    throw new UsageError("--late and --amount are for paying");
  if (amount !== undefined && !UNITS.test(amount))
    throw new UsageError("--amount takes digits, in the asset's smallest unit");
  return { ...values, intentId: positionals[0]!, asked: actions[0] ?? null };
}

interface Asked {
  readonly action: PaymentAction | "agree";
  readonly total?: bigint | undefined;
}

function readRuling(text: string): Asked {
  if (text === "release" || text === "refund") return { action: `resolve_${text}` };
  if (!UNITS.test(text)) throw new UsageError("--resolve takes release, refund or the buyer's total");
  return { action: "resolve_split", total: BigInt(text) };
}

/** The local buyers with the address of the payment each makes, or made, for the intent. */
async function listBuyers({ rpcUrl, programId, operator, wallets }: Instance, intent: ShownIntent) {
  const paymentId = BigInt(intent.paymentId);
  return Promise.all(
    BUYER_NAMES.map(async (name) => {
      const wallet = wallets[name];
      const payment = await findPaymentAddress({ programId, operator, sender: wallet.address, paymentId });
      return { name, wallet, payment, hasPaid: (await readPayment(rpcUrl, payment)) !== null };
    }),
  );
}

async function pay(instance: Instance, intent: ShownIntent, options: ReturnType<typeof readArguments>): Promise<Done> {
  const buyers = await listBuyers(instance, intent);
  const buyer = options.again ? buyers.slice(1).find((one) => !one.hasPaid) : buyers[0];
  if (!buyer) throw new Error("every local buyer has paid this intent already");
  if (buyer.hasPaid) throw new Error(`${buyer.name} has paid this intent already; --again pays as another buyer`);
  const expiresAt = Date.parse(intent.expiresAt);
  if (options.late) {
    const { now } = await callRpc<{ now: string }>(instance.rpcUrl, "devnet_clock", []);
    const missing = Math.floor((expiresAt - Date.parse(now)) / 1000) + 2;
    if (missing > 0) await advanceClock(instance, missing);
  }
  const terms = { ...intent, amount: options.amount ?? intent.amount };
  await fundBuyer(instance.rpcUrl, buyer.wallet.address, intent.asset, BigInt(terms.amount));
  return payIntent(instance, buyer.wallet, terms, { notAfter: options.late ? 0 : expiresAt / 1000 });
}

async function act(instance: Instance, intent: ShownIntent, { action, total }: Asked, again: boolean): Promise<Done> {
  const payment = await findTarget(instance, intent, again);
  const account = await readPayment(instance.rpcUrl, payment);
  if (!account) throw new Error("this intent has no payment to act on");
  if (action === "agree") {
    const sides = { sender: holderOf(instance, account.sender), recipient: holderOf(instance, account.recipient) };
    return agreeOnPayment(instance, sides, payment, total!);
  }
  const signer = action.startsWith("resolve")
    ? account.arbiter
    : action === "refund"
      ? account.recipient
      : account.sender;
  return actOnPayment(instance, holderOf(instance, signer), action, payment, {
    rulingAlone: true,
    ...(total === undefined ? {} : { total }),
  });
}

async function findTarget(instance: Instance, intent: ShownIntent, again: boolean): Promise<Address> {
  if (intent.payment && !again) return address(intent.payment.id);
  const paid = (await listBuyers(instance, intent)).filter(
    (buyer) => buyer.hasPaid && buyer.payment !== intent.payment?.id,
  );
  const target = again ? paid.at(-1) : paid[0];
  if (!target) throw new Error("no local buyer has paid this intent");
  return target.payment;
}

function holderOf({ wallets }: Instance, owner: string): LocalWallet {
  const wallet = Object.values(wallets).find((one) => one.address === owner);
  if (!wallet) throw new Error(`no wallet of this instance has the key of ${owner}`);
  return wallet;
}

async function main(): Promise<void> {
  const options = readArguments();
  const instance = findInstance(process.env.DATA_DIR ?? ".data");
  const intent = await readIntent(instance, options.intentId);
  const done = options.asked
    ? await act(instance, intent, options.asked, options.again)
    : await pay(instance, intent, options);
  const { signature, payment, sender, slot, status } = done;
  if (options.json) {
    console.log(JSON.stringify({ signature, payment, sender, slot, status }));
    return;
  }
  const amount = options.amount ?? intent.amount;
  const what = options.asked
    ? `${DONE[options.asked.action]} the payment of`
    : `paid ${amount} units of ${intent.asset} for`;
  const account = await readPayment(instance.rpcUrl, payment);
  console.log(`${what} intent ${intent.id}`);
  console.log(`  transaction  ${signature}  (${status}, slot ${slot})`);
  console.log(`  payment      ${payment}  (${account?.status ?? "gone"})`);
  console.log(`  buyer        ${sender}`);
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  // The parser of arguments has codes of its own.
  const { code = "" } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS");
  console.error(isUsage ? `${message}\n${USAGE}` : `pay: ${message}`);
  process.exitCode = 1;
});
