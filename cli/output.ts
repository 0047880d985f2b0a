import { styleText } from "node:util";
import { type AnyEvent, Holdfast, type Payment, type PaymentIntent } from "@holdfast/sdk";
import { findInstance, type Instance } from "./profiles.ts";

/** The options that every command has. */
export interface Common {
  readonly profile?: string;
  readonly json?: boolean;
}

/** The surroundings of a command. */
export interface Context {
  readonly instance: Instance;
  readonly client: Holdfast;
  /** Prints an object: with `--json` as one line, else as words. */
  readonly print: <Value extends object>(value: Value, words: (value: Value) => string) => void;
  /** Says something to a person; never on standard output with `--json`. */
  readonly say: (text: string) => void;
}

export function openContext({ profile, json }: Common): Context {
  const instance = findInstance(profile);
  const client = new Holdfast({ apiKey: instance.apiKey, baseUrl: instance.url });
  return { instance, client, ...outputOf(json) };
}

export const outputOf = (json = false): Pick<Context, "print" | "say"> => ({
  print: (value, words) => process.stdout.write(`${json ? JSON.stringify(value) : words(value)}\n`),
  say: (text) => void (json ? process.stderr : process.stdout).write(`${text}\n`),
});

const TONES = { ok: "green", warn: "yellow", fail: "red" } as const;
/** Colour, only on a terminal that wants it. */
export const tone = (kind: keyof typeof TONES, text: string): string =>
  styleText(TONES[kind], text, { stream: process.stdout });

/** Lines of two columns. */
export const facts = (rows: readonly (readonly [string, string | null])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value ?? "–"}`).join("\n");
};

export const intentLine = ({ id, status, amount, merchantReference, createdAt }: PaymentIntent): string =>
  `${id}  ${status.padEnd(16)}  ${createdAt}  ${amount.padStart(12)}  ${merchantReference}`;
export const intentFacts = (intent: PaymentIntent): string =>
  facts([
    ["id", intent.id],
    ["status", intent.status],
    ["reference", intent.merchantReference],
    ["amount", intent.amount],
    ["asset", intent.asset],
    // An older service has no prices.
    ["price", intent.price ? `${intent.price.amount} ${intent.price.currency}` : null],
    ["rate", intent.quote ? `${intent.quote.rate} (${intent.quote.source})` : null],
    ["recipient", intent.recipient],
    ["protection", intent.protectionPeriod],
    ["expires", intent.expiresAt],
    ["payment", intent.payment === null ? null : `${intent.payment.id} (${intent.payment.status})`],
    ["checkout", intent.checkoutUrl],
  ]);

export const paymentLine = ({ id, status, role, amount, intent }: Payment): string =>
  `${id.padEnd(44)}  ${status.padEnd(9)}  ${role.padEnd(9)}  ${amount.padStart(12)}  ${intent}`;
export const paymentFacts = (payment: Payment): string =>
  facts([
    ["id", payment.id],
    ["status", payment.status],
    ["role", payment.role],
    ["intent", payment.intent],
    ["amount", payment.amount],
    ["released", payment.amountReleased],
    ["refunded", payment.amountRefunded],
    ["outcome", payment.outcome],
    ["deadline", payment.protectionDeadline],
    ["signature", payment.signature],
  ]);

export const eventLine = ({ id, sequence, type, occurredAt, data }: AnyEvent): string => {
  const about = (data.object as { readonly id?: string }).id ?? "";
  return `${sequence.padStart(6)}  ${occurredAt}  ${type.padEnd(28)}  ${about}  ${id}`;
};
