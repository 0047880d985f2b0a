import { type Command, InvalidArgumentError } from "commander";
import { command } from "../command.ts";
import { type Act, callControl, localRunOf, playOn } from "../controls.ts";
import { type Common, facts, openContext } from "../output.ts";
import { parseCount } from "./lists.ts";

/** Parses an amount in smallest units; zero is one where a side may get nothing. */
function parseUnits(text: string): string {
  if (!/^(0|[1-9]\d{0,19})$/.test(text))
    throw new InvalidArgumentError("Expected digits, in the token's smallest unit.");
  return text;
}

const PERIODS = ["oneHour", "oneDay", "threeDays", "sevenDays", "fourteenDays", "thirtyDays"];

function parseSpan(text: string): { readonly seconds: number } | { readonly period: string } {
  return PERIODS.includes(text) ? { period: text } : { seconds: parseCount(text) };
}

function parseRuling(text: string): Pick<Act, "action" | "total"> {
  if (text === "release" || text === "refund") return { action: `resolve_${text}` };
  if (!/^[1-9]\d{0,19}$/.test(text))
    throw new InvalidArgumentError("Expected release, refund, or the buyer's total in smallest units.");
  return { action: "resolve_split", total: text };
}

async function perform(intentId: string, common: Common, act: Act): Promise<void> {
  const { client, instance, print } = openContext(common);
  const local = localRunOf(instance);
  const acted = await playOn(local, await client.paymentIntents.retrieve(intentId), act);
  print({ action: act.action, intent: intentId, ...acted }, ({ action, intent, payment, sender, signature, status }) =>
    facts([
      ["action", action],
      ["intent", intent],
      ["payment", payment],
      ["buyer", sender],
      ["signature", `${signature} (${status})`],
    ]),
  );
}

const AGAIN = ["--again", "of the newest payment by another buyer"] as const;

/** The commands that play buyer, recipient and arbiter of a local chain, whose wallets the local run holds. */
export function addPlayers(program: Command): void {
  const player = (usage: string, description: string, example: string) =>
    command(program, usage, `${description} On a local chain.`, example);

  player("pay <intent>", "Pay an intent as a demo buyer.", "holdfast pay pi_test_5szw01a1fc…")
    .option("--again", "as a buyer who has not paid this intent yet")
    .option("--late", "after its expiry: moves the clock there first")
    .option("--amount <units>", "another amount than the intent's", parseUnits)
    .action((id: string, { again, late, amount, ...common }: Common & Act) =>
      perform(id, common, { action: "pay", again, late, amount }),
    );
  player("dispute <intent>", "Dispute the payment as its buyer.", "holdfast dispute pi_test_5szw01a1fc…")
    .option(...AGAIN)
    .action((id: string, { again, ...common }: Common & Act) => perform(id, common, { action: "dispute", again }));
  player("release <intent>", "Release the payment as its buyer.", "holdfast release pi_test_5szw01a1fc…")
    .option(...AGAIN)
    .action((id: string, { again, ...common }: Common & Act) => perform(id, common, { action: "release", again }));
  player(
    "refund <intent>",
    "Refund the payment as the recipient.",
    "holdfast refund pi_test_5szw01a1fc… --total 1000000",
  )
    .option(...AGAIN)
    .option("--total <units>", "the buyer's refunds in the end; all if left out", parseUnits)
    .action((id: string, { again, total, ...common }: Common & Act) =>
      perform(id, common, { action: "refund", again, total }),
    );
  player("rule <intent>", "Rule on a dispute as the arbiter.", "holdfast rule pi_test_5szw01a1fc… --to refund")
    .option(...AGAIN)
    .requiredOption("--to <side>", "release, refund, or the buyer's total for a split", parseRuling)
    .action((id: string, { again, to, ...common }: Common & { again?: boolean; to: Pick<Act, "action" | "total"> }) =>
      perform(id, common, { ...to, again }),
    );
  player(
    "close <intent>",
    "Close the account of the payment, 90 days after its last part.",
    "holdfast close pi_test_5szw01a1fc…",
  )
    .option(...AGAIN)
    .action((id: string, { again, ...common }: Common & Act) => perform(id, common, { action: "close", again }));
  command(
    program,
    "advance",
    "Move the clock of a local chain and its service forward. There is no way back.",
    "holdfast advance --by sevenDays",
  )
    .requiredOption("--by <span>", `seconds, or one of ${PERIODS.join(", ")}`, parseSpan)
    .action(async ({ by, ...common }: Common & { by: ReturnType<typeof parseSpan> }) => {
      const { instance, print } = openContext(common);
      const moved = await callControl<{ now: string }>(localRunOf(instance), "/advance", by);
      print(moved, ({ now }) => `The clock shows ${now}.`);
    });
}
