import type { AnyEvent, EventList, ListEventsQuery } from "@holdfast/sdk";
import { newSecret } from "@holdfast/testing";
import { type Command, InvalidArgumentError } from "commander";
import { command } from "../command.ts";
import { type Delivery, deliver, findHandler, isDelivered } from "../delivery.ts";
import { endWellOnInterrupt } from "../exit.ts";
import { type Common, type Context, openContext, outputOf, tone } from "../output.ts";
import { findInstance, listStatePaths, readPrivate, statePath, writePrivate } from "../profiles.ts";
import { SECRET_NAME, writeSecret } from "../secretFile.ts";
import { parseCount, parseSequence } from "./lists.ts";

interface Options extends Common {
  readonly forwardTo?: string;
  readonly types?: string[];
  readonly since?: string;
  readonly resume: boolean;
  readonly secretFile?: string;
  readonly printSecret?: boolean;
  readonly exitAfter?: number;
}

/** The place that `listen` keeps for an instance. */
interface ListenState {
  readonly secret: string;
  /** The sequence of the last event that was dealt with, by business, environment and handler. */
  readonly positions: Readonly<Record<string, string>>;
}

/** Reads the state of an instance; the first time, it gets a secret of its own. */
export function readState(name: string): ListenState {
  const found = readPrivate<ListenState>(statePath(name));
  if (found !== null) return found;
  const state: ListenState = { secret: newSecret(), positions: {} };
  writePrivate(statePath(name), state);
  return state;
}

const savePosition = (name: string, reader: string, sequence: string): void => {
  const state = readState(name);
  writePrivate(statePath(name), { ...state, positions: { ...state.positions, [reader]: sequence } });
};

/** The secrets with which `listen` signs for any instance. */
const listOwnSecrets = (): ReadonlySet<string> =>
  new Set(listStatePaths().map((path) => readPrivate<ListenState>(path)?.secret ?? ""));

export function parseHandlerUrl(text: string): string {
  const url = URL.parse(/^\d+$/.test(text) ? `http://localhost:${text}` : text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError("Expected an address such as http://localhost:4000/hooks.");
  return url.href;
}

export const deliveryLine = (event: AnyEvent, delivery: Delivery): string => {
  const { status, ms, error, attempt } = delivery;
  const result = [status, error].filter((part) => part !== null).join(", ");
  const again = attempt === 1 ? "" : ` (attempt ${attempt})`;
  return `${tone(isDelivered(delivery) ? "ok" : "fail", result)}  ${String(ms).padStart(5)} ms  ${event.sequence.padStart(6)}  ${event.type}  ${event.id}${again}`;
};

/** The sequence of the newest event; 0 if there is none. */
async function readNewest({ client }: Context): Promise<string> {
  const page = (await client.events.list({ afterSequence: "0", limit: 1 })) as EventList;
  return page.lastSequence ?? "0";
}

async function listen(context: Context, secret: string, options: Options): Promise<void> {
  const { forwardTo, types, since, resume, exitAfter } = options;
  const { instance, client, print, say } = context;
  const handler = forwardTo === undefined ? null : await findHandler(forwardTo);
  // Another key may stand under the same name by now: each business has sequences of its own.
  const me = await client.me.retrieve();
  const reader = `${me.id} ${me.environment} ${forwardTo ?? ""}`;
  const kept = resume ? readState(instance.name).positions[reader] : undefined;
  const after = since ?? kept ?? (await readNewest(context));
  // Before the first event: a process that dies now goes on from here, too.
  savePosition(instance.name, reader, after);
  const stream = client.events.follow({ after, types: types as ListEventsQuery["type"] });
  say(
    `Listening after the event ${after}${forwardTo === undefined ? "" : `, forwarding to ${forwardTo}`}. Ctrl-C stops.`,
  );
  let count = 0;
  for await (const event of stream) {
    const report = (delivery: Delivery) =>
      print({ event: event.id, type: event.type, sequence: event.sequence, ...delivery }, () =>
        deliveryLine(event, delivery),
      );
    if (handler === null) print(event, () => `${event.sequence.padStart(6)}  ${event.type}  ${event.id}`);
    else if (!(await deliver(event, handler, secret, report)))
      say(`Not delivered. Deliver it again: holdfast events resend ${event.id} --forward-to ${forwardTo}`);
    savePosition(instance.name, reader, event.sequence);
    if (++count === exitAfter) return;
  }
}

export function addListen(program: Command): void {
  command(
    program,
    "listen",
    "Forward events to a handler on this machine, signed as webhooks are. It goes on where it stopped, so no event is lost while it does not run.",
    "holdfast listen --forward-to http://localhost:4000/hooks --secret-file .env",
  )
    .option("--forward-to <url>", "the handler, or its port", parseHandlerUrl)
    .option("--types <type...>", "only these types, or groups such as payment.*")
    .option("--since <sequence>", "begin after this sequence; 0 for all that is stored", parseSequence)
    .option("--no-resume", "begin now, not where it stopped")
    .option("--secret-file <file>", `write the secret into this file, as ${SECRET_NAME}`)
    .option("--print-secret", "print the secret and end")
    .option("--exit-after <n>", "end after this many events", parseCount)
    .action(async (options: Options) => {
      if (options.printSecret) {
        const { secret } = readState(findInstance(options.profile).name);
        return outputOf(options.json).print({ secret }, () => secret);
      }
      const context = openContext(options);
      endWellOnInterrupt();
      const { secret } = readState(context.instance.name);
      if (options.secretFile !== undefined) writeSecret(options.secretFile, secret, listOwnSecrets(), context.say);
      await listen(context, secret, options);
    });
}
