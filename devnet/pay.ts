import { parseArgs } from "node:util";
import { readPayment } from "./buyer.ts";
import { advanceClock, findInstance, readIntent } from "./instance.ts";
import { type Play, play, UNITS } from "./play.ts";

const USAGE = `usage: npm run pay -- <intent id> [--again] [--late] [--amount N] [--json]
       npm run pay -- <intent id> --dispute | --release | --refund [total] | --close
                      | --resolve release|refund|<total>  [--again] [--json]
  --again    pays as a buyer who has not paid this intent yet; with an action: acts on the newest such payment
  --late     pays after the intent has expired: moves the clock there first
  --amount   pays another amount than that of the intent, in the asset's smallest unit
  --dispute, --release   as the buyer
  --refund   as the local recipient: refunds the buyer up to the total, earlier refunds included (default: everything)
  --resolve  as the local arbiter: release pays the recipient, refund pays the buyer, a total is the buyer's share
  --close    reduces the account to a tombstone, from 90 days after the last payout
  A total is in the asset's smallest unit.`;

class UsageError extends Error {
  override readonly name = "UsageError";
}

const DONE: Readonly<Record<Exclude<Play["action"], "pay">, string>> = {
  dispute: "disputed",
  release: "released",
  refund: "refunded",
  resolve_release: "resolved for the recipient:",
  resolve_refund: "resolved for the buyer:",
  resolve_split: "resolved by a split:",
  close: "closed",
};

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
      amount: { type: "string" },
      resolve: { type: "string" },
    },
  });
  const { resolve, amount } = values;
  const actions: Asked[] = [];
  if (values.dispute) actions.push({ action: "dispute" });
  if (values.release) actions.push({ action: "release" });
  if (values.refund) actions.push({ action: "refund", ...(total === undefined ? {} : { total }) });
  if (values.close) actions.push({ action: "close" });
  if (resolve !== undefined) actions.push(readRuling(resolve));
  if (positionals.length !== 1) throw new UsageError("give one intent id");
  if (actions.length > 1)
    throw new UsageError("only one of --dispute, --release, --refund, --resolve and --close at a time");
  if (actions.length && (values.late || amount !== undefined))
    throw new UsageError("--late and --amount are for paying");
  if (amount !== undefined && !UNITS.test(amount))
    throw new UsageError("--amount takes digits, in the asset's smallest unit");
  return { ...values, intentId: positionals[0]!, asked: actions[0] ?? null };
}

interface Asked extends Pick<Play, "total"> {
  readonly action: keyof typeof DONE;
}

function readRuling(text: string): Asked {
  if (text === "release" || text === "refund") return { action: `resolve_${text}` };
  if (!UNITS.test(text)) throw new UsageError("--resolve takes release, refund or the buyer's total");
  return { action: "resolve_split", total: BigInt(text) };
}

async function main(): Promise<void> {
  const options = readArguments();
  const instance = findInstance(process.env.DATA_DIR ?? ".data");
  const intent = await readIntent(instance, options.intentId);
  const { again, late, amount: paid } = options;
  const stage = { ...instance, advance: (seconds: number) => advanceClock(instance, seconds) };
  const done = await play(stage, intent, {
    ...(options.asked ?? { action: "pay" }),
    ...{ again, late, ...(paid === undefined ? {} : { amount: paid }) },
  });
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

await main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  // The parser of arguments has codes of its own.
  const { code = "" } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS");
  console.error(isUsage ? `${message}\n${USAGE}` : `pay: ${message}`);
  process.exitCode = 1;
});
