import { BODY_EXAMPLE, exampleOf, TEST_EVENT_TEXT } from "../server/app/eventDocs/eventDocs.ts";
import { EVENT_EXAMPLES } from "../server/app/eventDocs/examples.ts";
import { ERRORS, type MerchantErrorCode } from "../server/domain/errors.ts";
import type { ErrorSection } from "../server/edge/http/errorDocs.ts";
import { MERCHANT_ERROR_DOCS } from "../server/edge/merchant/errorDocs.ts";
import { EVENT_TYPES, EVENTS, type EventBody, type EventType } from "../server/features/events/eventTypes.ts";

/** The parts of a page that are made from declarations, by the name in their markers. All else in the page is written by hand. */
export type Parts = Readonly<Record<string, () => string>>;

/** The text of a page with its parts made again. */
export function fillPage(text: string, parts: Parts): string {
  return Object.entries(parts).reduce((page, [name, make]) => {
    const [begin, end] = [`<!-- ${name}: made by npm run openapi -->`, `<!-- end of ${name} -->`];
    const [before, after] = [page.split(begin)[0]!, page.split(end)[1]];
    if (before === page || after === undefined) throw new Error(`The page has no part between ${begin} and ${end}.`);
    return `${before}${begin}\n\n${make()}\n\n${end}${after}`;
  }, text);
}

const code = (text: string): string => `\`${text}\``;
const json = (value: object, indent?: number): string => `\`\`\`json\n${JSON.stringify(value, null, indent)}\n\`\`\``;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const errors = Object.entries(MERCHANT_ERROR_DOCS) as [MerchantErrorCode, ErrorSection][];
const statusesOf = (name: MerchantErrorCode, { statuses = [] }: ErrorSection): string =>
  [ERRORS[name].status, ...statuses].join(", ");

export const ERROR_PARTS: Parts = {
  codes: () =>
    table(
      ["Status", "Code", `Stored under the ${code("Idempotency-Key")}`, "Send it again?"],
      errors.map(([name, docs]) => [
        statusesOf(name, docs),
        `[${name}](#${name})`,
        docs.stored ?? (ERRORS[name].storable ? "yes" : "no"),
        docs.again,
      ]),
    ),
  sections: () =>
    errors
      .map(([name, docs]) => {
        const examples = [docs.example, ...(docs.examples ?? [])].map((example) =>
          json({ error: { code: name, ...example } }),
        );
        return [
          `## ${name}`,
          `**${statusesOf(name, docs)}.** ${docs.meaning}`,
          ...(docs.more === undefined ? [] : [docs.more]),
          examples.join("\n"),
          `What to do: ${docs.advice}`,
        ].join("\n\n");
      })
      .join("\n\n"),
};

const anchorOf = (type: string): string => `[${type}](#${type.replace(".", "")})`;
const NOUNS: Readonly<Record<EventBody, string>> = {
  PaymentIntentEvent: "intent",
  PaymentMismatchEvent: "intent",
  PaymentEvent: "payment",
  DisputeEvent: "dispute",
  WebhookEndpointEvent: "endpoint",
  SequenceGapEvent: "gap",
};
const GROUPS: readonly (readonly [title: string, prefix: string])[] = [
  ["Intents", "payment_intent."],
  ["Payments", "payment."],
  ["Disputes", "dispute."],
  ["Webhook endpoints", "webhook_endpoint."],
  ["After a restore", "events."],
];
const sectionOf = (type: EventType): string => {
  const { text, more } = EVENTS[type];
  const example = exampleOf(type);
  const shown = { type, ...(type === "events.restored" ? { sequence: example.sequence } : {}), data: example.data };
  const [lead, rest] = more.split("\n\nWhat to do:\n\n");
  const todo = rest === undefined ? [] : [`What to do:\n\n${rest}`];
  return [`### ${type}`, `${text} ${lead}`, json(shown, 2), ...todo].join("\n\n");
};

export const EVENT_PARTS: Parts = {
  body: () => json(BODY_EXAMPLE, 2),
  types: () =>
    table(
      ["Type", "When", code("data.object")],
      [
        ...EVENT_TYPES.map((type) => {
          const { text, body } = EVENTS[type];
          return [anchorOf(type), text.replace(/(?<=[.:]) .*/s, "").replace(/[.:]$/, ""), NOUNS[body]];
        }),
        [anchorOf("webhook.test"), "You asked for it", "–"],
      ],
    ),
  sections: () =>
    [
      ...GROUPS.flatMap(([title, prefix]) => [
        `## ${title}`,
        ...EVENT_TYPES.filter((type) => type.startsWith(prefix)).map(sectionOf),
      ]),
      "### webhook.test",
      TEST_EVENT_TEXT,
      json(EVENT_EXAMPLES.TestEvent, 2),
    ].join("\n\n"),
};
