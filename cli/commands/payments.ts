import type { ListPaymentsQuery } from "@holdfast/sdk";
import { type Command, Option } from "commander";
import { command } from "../command.ts";
import { CommandError, EXIT } from "../exit.ts";
import { type Common, facts, openContext, paymentFacts, paymentLine, tone } from "../output.ts";
import { addListOptions, type ListOptions, listed } from "./lists.ts";

interface Filters extends ListOptions {
  readonly status?: ListPaymentsQuery["status"];
  readonly intent?: string;
  readonly role?: ListPaymentsQuery["role"];
  readonly late?: boolean;
  readonly settleable?: boolean;
}

const VERDICTS = { pass: "ok", fail: "fail", unknown: "warn" } as const;

export function addPayments(program: Command): void {
  const payments = program.command("payments").description("Payments: list, get").helpCommand(false);
  const list = command(payments, "list", "List payments, newest first.", "holdfast payments list --settleable")
    .addOption(
      new Option("--status <status>", "only of this status").choices(["protected", "disputed", "released", "refunded"]),
    )
    .option("--intent <id>", "only of this intent")
    .addOption(new Option("--role <role>", "only of this role").choices(["primary", "duplicate"]))
    .option("--late", "only late ones")
    .option("--settleable", "only ones that can be settled");
  addListOptions(list).action(async ({ profile, json, limit, all, ...filters }: Filters) => {
    const context = openContext({ ...(profile && { profile }), ...(json && { json }) });
    for await (const payment of listed(context.client.payments.list({ ...filters, limit: Math.min(limit, 100) }), {
      limit,
      ...(all && { all }),
    }))
      context.print(payment, paymentLine);
  });
  command(payments, "get <id>", "Show a payment by its address.", "holdfast payments get 9XU3…tFainL").action(
    async (id: string, options: Common) => {
      const context = openContext(options);
      context.print(await context.client.payments.retrieve(id), paymentFacts);
    },
  );
  command(
    program,
    "explain <signature>",
    "Say rule by rule whether a transaction pays an intent. Changes nothing.",
    "holdfast explain 5VERv8…kQUW --intent pi_test_5szw01a1fc…",
  )
    .requiredOption("--intent <id>", "the intent that it should pay")
    .action(async (signature: string, { intent, ...options }: Common & { readonly intent: string }) => {
      const context = openContext(options);
      const verification = await context.client.paymentIntents.verify(intent, { signature });
      context.print(verification, ({ outcome, reason, rules }) =>
        [
          ...rules.map(
            ({ rule, verdict, expected, found }) =>
              `${tone(VERDICTS[verdict], verdict.padEnd(7))}  ${rule.padEnd(17)}  expected ${expected ?? "–"}, found ${found ?? "–"}`,
          ),
          facts([["outcome", reason === null ? outcome : `${outcome}: ${reason}`]]),
        ].join("\n"),
      );
      if (verification.outcome === "signature_unverified") throw new CommandError("", EXIT.refused);
    });
}
