import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyEvent, Event, Holdfast, NewPaymentIntent, PaymentIntent, TestEvent } from "@holdfast/sdk";
import { type Command, Option } from "commander";
import { command } from "../command.ts";
import { type Act, advanceClock, callControl, localRunOf, playOn } from "../controls.ts";
import { CommandError, EXIT } from "../exit.ts";
import { type Common, eventLine, openContext } from "../output.ts";
import type { LocalRun } from "../profiles.ts";
import { parseCount } from "./lists.ts";

const AMOUNT = "5000000";
const HOUR_SECONDS = 3_600;
const POLL_MS = 300;
const TIMEOUT_SECONDS = 60;

/** An order of one's own on the local chain, and the acts that lead to an event of it. */
class Scene {
  readonly #client: Holdfast;
  readonly #local: LocalRun;
  readonly #endsAt: number;
  #intent: PaymentIntent | null = null;

  constructor(client: Holdfast, local: LocalRun, timeoutMs: number) {
    this.#client = client;
    this.#local = local;
    this.#endsAt = performance.now() + timeoutMs;
  }

  async create(): Promise<void> {
    const { recipient, asset } = this.#local;
    const merchantReference = `trigger-${randomBytes(6).toString("hex")}`;
    const terms: NewPaymentIntent = {
      recipient,
      asset,
      amount: AMOUNT,
      protectionPeriod: "oneHour",
      merchantReference,
    };
    this.#intent = await this.#client.paymentIntents.create(terms);
  }

  get intent(): PaymentIntent {
    if (this.#intent === null) throw new Error("The scene has no intent yet.");
    return this.#intent;
  }

  /** Acts on chain, then waits for the event that it leads to. */
  async act(act: Act, until: string): Promise<string> {
    this.#intent = await this.#client.paymentIntents.retrieve(this.intent.id);
    const { signature } = await playOn(this.#local, this.intent, act);
    await this.event(until);
    return signature;
  }

  /** Says a word in the dispute of the payment, as the shop. */
  async answer(): Promise<void> {
    const { data } = await this.event("dispute.opened");
    await this.#client.disputes.sendStatement((data.object as { readonly id: string }).id, { text: "Sent on Monday." });
  }
  cancel = () => this.#client.paymentIntents.cancel(this.intent.id);
  advance = (seconds: number) => advanceClock(this.#local, seconds);
  async drop(signature: string): Promise<void> {
    const dropped = await callControl<object | null>(this.#local, "/drop", { signature });
    if (dropped === null || Object.values(dropped).every((one) => one === null))
      throw new CommandError(
        "The payment was final before it could be dropped: the local chain needs votes (LOCAL_CHAIN).",
        EXIT.refused,
      );
  }

  /** Waits for the newest event of this type about the intent and its payments. */
  async event(type: string): Promise<AnyEvent> {
    for (;;) {
      const [found] = await this.#client.events
        .list({ intent: this.intent.id, type: type as never, limit: 1 })
        .toArray({ limit: 1 });
      if (found !== undefined) return found;
      if (performance.now() > this.#endsAt)
        throw new CommandError(`${type} of ${this.intent.id} has not come in time.`, EXIT.late);
      await sleep(POLL_MS);
    }
  }
}

const paid = async (scene: Scene): Promise<string> => {
  await scene.create();
  return scene.act({ action: "pay" }, "payment_intent.paid");
};
const disputed = async (scene: Scene): Promise<void> => {
  await paid(scene);
  await scene.act({ action: "dispute" }, "payment.disputed");
};
const dayAfter = (scene: Scene) =>
  scene.advance(Math.ceil((Date.parse(scene.intent.expiresAt) - Date.parse(scene.intent.createdAt)) / 1_000) + 60);

/** The types that no way leads to, with the reason. */
const REASONS = {
  "webhook_endpoint.disabled": "five deliveries in a row have to be abandoned, each after three days.",
  "events.restored": "only a restore of the database from a copy makes it.",
  "webhook.test": "an endpoint gets it alone: npm run admin -- webhook test <endpoint id>, or the dashboard.",
} as const satisfies Partial<Record<Event["type"] | TestEvent["type"], string>>;

/** The way to each event. A type that is new in the SDK needs one, or a reason. */
const WAYS: Readonly<Record<Exclude<Event["type"], keyof typeof REASONS>, (scene: Scene) => Promise<unknown>>> = {
  "payment_intent.created": (scene) => scene.create(),
  "payment_intent.paid": paid,
  "payment_intent.paid_late": async (scene) => {
    await scene.create();
    await scene.cancel();
    await scene.act({ action: "pay" }, "payment_intent.paid_late");
  },
  "payment_intent.duplicate_payment": async (scene) => {
    await paid(scene);
    await scene.act({ action: "pay", again: true }, "payment_intent.duplicate_payment");
  },
  "payment_intent.payment_mismatch": async (scene) => {
    await scene.create();
    await scene.act({ action: "pay", amount: "1" }, "payment_intent.payment_mismatch");
  },
  "payment_intent.expired": async (scene) => {
    await scene.create();
    await dayAfter(scene);
  },
  "payment_intent.canceled": async (scene) => {
    await scene.create();
    await scene.cancel();
  },
  "payment.protected": paid,
  "payment.disputed": disputed,
  "payment.released": async (scene) => {
    await paid(scene);
    await scene.act({ action: "release" }, "payment.released");
  },
  "payment.refunded": async (scene) => {
    await paid(scene);
    await scene.act({ action: "refund" }, "payment.refunded");
  },
  "payment.partially_refunded": async (scene) => {
    await paid(scene);
    await scene.act({ action: "refund", total: "1000000" }, "payment.partially_refunded");
  },
  "payment.decided": async (scene) => {
    await disputed(scene);
    await scene.act({ action: "resolve_split", total: "1000000", decideOnly: true }, "payment.decided");
  },
  "dispute.opened": disputed,
  "dispute.updated": async (scene) => {
    await disputed(scene);
    await scene.answer();
  },
  "dispute.decided": async (scene) => {
    await disputed(scene);
    await scene.act({ action: "resolve_split", total: "1000000", decideOnly: true }, "dispute.decided");
  },
  "dispute.closed": async (scene) => {
    await disputed(scene);
    await scene.act({ action: "release" }, "dispute.closed");
  },
  "payment.settleable": async (scene) => {
    await paid(scene);
    await scene.advance(HOUR_SECONDS + 60);
  },
  // The service gives a payment up once the chain is final 300 slots past it: two to three minutes.
  "payment.reverted": async (scene) => {
    await scene.drop(await paid(scene));
  },
};

const isIn = <Table extends object>(table: Table, name: PropertyKey): name is keyof Table => Object.hasOwn(table, name);

export function addTrigger(program: Command): void {
  command(
    program,
    "trigger <type>",
    "Make an event happen on a local chain: create an order, pay it, and go on until the event is there.",
    "holdfast trigger payment.disputed",
  )
    .addOption(new Option("--timeout <seconds>", "the longest wait").argParser(parseCount).default(TIMEOUT_SECONDS))
    .addHelpText("after", `\nTypes: ${Object.keys(WAYS).join(", ")}`)
    .action(async (type: string, { timeout, ...common }: Common & { readonly timeout: number }) => {
      if (isIn(REASONS, type)) throw new CommandError(`${type} cannot be triggered: ${REASONS[type]}`, EXIT.refused);
      if (!isIn(WAYS, type))
        throw new CommandError(`There is no event type ${type}. Types: ${Object.keys(WAYS).join(", ")}`, EXIT.usage);
      const { client, instance, print } = openContext(common);
      const scene = new Scene(client, localRunOf(instance), timeout * 1_000);
      await WAYS[type](scene);
      print(await scene.event(type), eventLine);
    });
}
