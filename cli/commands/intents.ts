import { readFileSync } from "node:fs";
import type { ListPaymentIntentsQuery, NewPaymentIntent, PaymentIntent } from "@holdfast/sdk";
import { type Command, Option } from "commander";
import { command } from "../command.ts";
import { CommandError, EXIT } from "../exit.ts";
import { type Common, intentFacts, intentLine, openContext } from "../output.ts";
import { addListOptions, type ListOptions, listed, parseCount } from "./lists.ts";

const STATUSES = ["requires_payment", "paid", "expired", "canceled"] as const;

interface Filters extends ListOptions {
  readonly reference?: string;
  readonly status?: ListPaymentIntentsQuery["status"];
}

interface NewOptions extends Common {
  readonly recipient: string;
  readonly amount?: string;
  readonly price?: string;
  readonly asset: string;
  readonly period: NewPaymentIntent["protectionPeriod"];
  readonly reference: string;
  readonly description?: string;
  readonly returnUrl?: string;
  readonly locale?: string;
  readonly metadata?: string;
  readonly idempotencyKey?: string;
}

interface WaitOptions extends Common {
  readonly status?: PaymentIntent["status"];
  readonly timeout: number;
}

/** Metadata from a JSON file. */
function readMetadata(path: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new CommandError(`${path} holds no JSON object.`, EXIT.usage);
}

function readPrice(text: string): NonNullable<NewPaymentIntent["price"]> {
  const [amount = "", currency = ""] = text.split(":");
  // The service says what is wrong with either.
  return { currency: currency as NonNullable<NewPaymentIntent["price"]>["currency"], amount };
}

export function addIntents(program: Command): void {
  const intents = program
    .command("intents")
    .description("Payment intents: create, get, list, cancel, wait")
    .helpCommand(false);
  command(
    intents,
    "create",
    "Create a payment intent.",
    "holdfast intents create --recipient 14o8…okqP --amount 5000000 --asset EPjF…Dt1v --reference order-1",
  )
    .requiredOption("--recipient <address>", "the wallet to be paid")
    .option("--amount <digits>", "in the token's smallest unit")
    .option("--price <price>", "a price in place of the amount, such as 48.50:EUR")
    .requiredOption("--asset <mint>", "the token's mint")
    .requiredOption("--reference <text>", "your own reference")
    .option("--period <period>", "the protection period", "sevenDays")
    .option("--description <text>", "a line for the buyer")
    .option("--return-url <url>", "where the buyer goes back to")
    .option("--locale <tag>", "language of the buyer's pages, such as de or pt-BR")
    .option("--metadata <file>", "a JSON file")
    .option("--idempotency-key <key>", "made at random if left out")
    .action(async ({ period, reference, price, metadata, idempotencyKey, profile, json, ...terms }: NewOptions) => {
      const context = openContext({ ...(profile && { profile }), ...(json && { json }) });
      const intent = {
        ...terms,
        ...(price === undefined ? {} : { price: readPrice(price) }),
        protectionPeriod: period,
        merchantReference: reference,
        ...(metadata === undefined ? {} : { metadata: readMetadata(metadata) }),
      };
      context.print(await context.client.paymentIntents.create(intent, { idempotencyKey }), intentFacts);
    });
  command(intents, "get <id>", "Show a payment intent.", "holdfast intents get pi_test_5szw01a1fc…").action(
    async (id: string, options: Common) => {
      const context = openContext(options);
      context.print(await context.client.paymentIntents.retrieve(id), intentFacts);
    },
  );
  const list = command(intents, "list", "List payment intents, newest first.", "holdfast intents list --status paid")
    .option("--reference <text>", "only with exactly this reference")
    .addOption(new Option("--status <status>", "only of this status").choices(STATUSES));
  addListOptions(list).action(async ({ profile, json, limit, all, reference, status }: Filters) => {
    const context = openContext({ ...(profile && { profile }), ...(json && { json }) });
    const query = { merchantReference: reference, status, limit: Math.min(limit, 100) };
    for await (const intent of listed(context.client.paymentIntents.list(query), { limit, ...(all && { all }) }))
      context.print(intent, intentLine);
  });
  command(
    intents,
    "cancel <id>",
    "Cancel an unpaid payment intent.",
    "holdfast intents cancel pi_test_5szw01a1fc…",
  ).action(async (id: string, options: Common) => {
    const context = openContext(options);
    context.print(await context.client.paymentIntents.cancel(id), intentFacts);
  });
  command(
    intents,
    "wait <id>",
    "Wait until a payment intent is paid, expired or canceled.",
    "holdfast intents wait pi_test_5szw01a1fc… --status paid --timeout 60",
  )
    .addOption(new Option("--status <status>", "the status to wait for").choices(STATUSES))
    .addOption(new Option("--timeout <seconds>", "the longest wait").argParser(parseCount).default(600))
    .action(async (id: string, { status, timeout, ...options }: WaitOptions) => {
      const context = openContext(options);
      context.print(
        await context.client.paymentIntents.waitFor(id, { status, timeoutMs: timeout * 1_000 }),
        intentFacts,
      );
    });
}
