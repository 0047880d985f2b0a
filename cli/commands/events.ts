import type { ListEventsQuery } from "@holdfast/sdk";
import type { Command } from "commander";
import { command } from "../command.ts";
import { deliver, findHandler } from "../delivery.ts";
import { CommandError, EXIT, endWellOnInterrupt } from "../exit.ts";
import { type Common, eventLine, openContext } from "../output.ts";
import { deliveryLine, parseHandlerUrl, readState } from "./listen.ts";
import { addListOptions, type ListOptions, listed, parseCount, parseSequence } from "./lists.ts";

interface Filters extends ListOptions {
  readonly type?: string[];
  readonly intent?: string;
  readonly payment?: string;
}

export function addEvents(program: Command): void {
  const events = program.command("events").description("Events: list, get, tail, resend").helpCommand(false);
  const list = command(events, "list", "List events, newest first.", "holdfast events list --type payment.* --limit 5")
    .option("--type <type...>", "only of these types, or groups such as payment.*")
    .option("--intent <id>", "only of this intent and its payments")
    .option("--payment <id>", "only of this payment");
  addListOptions(list).action(async ({ profile, json, limit, all, type, ...filters }: Filters) => {
    const context = openContext({ ...(profile && { profile }), ...(json && { json }) });
    const query = { ...filters, type: type as ListEventsQuery["type"], limit: Math.min(limit, 100) };
    for await (const event of listed(context.client.events.list(query), { limit, ...(all && { all }) }))
      context.print(event, eventLine);
  });
  command(events, "get <id>", "Show an event.", "holdfast events get evt_test_5szw01a1fc… --json").action(
    async (id: string, options: Common) => {
      const context = openContext(options);
      context.print(await context.client.events.retrieve(id), (event) => JSON.stringify(event, null, 2));
    },
  );
  command(
    events,
    "tail",
    "Print events as they happen, each once and in order.",
    "holdfast events tail --json | jq .type",
  )
    .option("--type <type...>", "only of these types, or groups such as payment.*")
    .option("--after <sequence>", "begin after this sequence; 0 for all that is stored", parseSequence)
    .option("--exit-after <n>", "end after this many events", parseCount)
    .action(
      async ({
        type,
        after,
        exitAfter,
        ...options
      }: Common & { type?: string[]; after?: string; exitAfter?: number }) => {
        const context = openContext(options);
        endWellOnInterrupt();
        const types = type as ListEventsQuery["type"];
        let count = 0;
        for await (const event of context.client.events.follow({ after, types })) {
          context.print(event, eventLine);
          if (++count === exitAfter) return;
        }
      },
    );
  command(
    events,
    "resend <id>",
    "Deliver an event to a local handler once more, signed with the secret of listen.",
    "holdfast events resend evt_test_5szw01a1fc… --forward-to http://localhost:4000/hooks",
  )
    .requiredOption("--forward-to <url>", "the handler", parseHandlerUrl)
    .action(async (id: string, { forwardTo, ...options }: Common & { readonly forwardTo: string }) => {
      const handler = await findHandler(forwardTo);
      const context = openContext(options);
      const event = await context.client.events.retrieve(id);
      const { secret } = readState(context.instance.name);
      const isDelivered = await deliver(event, handler, secret, (delivery) =>
        context.print({ event: event.id, ...delivery }, () => deliveryLine(event, delivery)),
      );
      if (!isDelivered) throw new CommandError("The handler did not take it.", EXIT.refused);
    });
}
