import { isAddress } from "../../domain/addresses.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, parseChoice, TEXT } from "../../edge/admin.ts";
import { readWithTexts } from "./actions.ts";
import { findDisputeOf } from "./buyerQueries.ts";
import type { Dispute } from "./dispute.ts";
import { findWaits } from "./fragments.ts";
import { listForArbiter, saveWaits } from "./queries.ts";
import { WAITS_BOUNDS, type Waits } from "./waits.ts";

const SHOWN = 100;

export const disputeVerbs: readonly AdminVerb[] = [
  {
    usage: "dispute list [--environment test|live]",
    does: `Lists the first ${SHOWN} disputes that wait for the arbiter, by the time at which they are due.`,
    options: { environment: TEXT },
    run: list,
  },
  {
    usage: "dispute show <payment>",
    does: "Shows what both sides of a dispute said and offered, for its arbiter.",
    run: show,
  },
  {
    usage: "dispute waits [--environment test|live] [--answer-days <n>] [--decide-days <n>] [--agreement-days <n>]",
    does: "Shows the waits of disputes, or sets those that are named. A dispute keeps those it began with.",
    options: { environment: TEXT, "answer-days": TEXT, "decide-days": TEXT, "agreement-days": TEXT },
    run: setWaits,
  },
];

const WAIT_OPTIONS = { answerDays: "answer-days", decideDays: "decide-days", agreementDays: "agreement-days" } as const;
const WAIT_NAMES = ["answerDays", "decideDays", "agreementDays"] as const;

/** §4.18.12. */
async function setWaits({ database, options }: AdminCall): Promise<AdminAnswer> {
  const environment = parseChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  const given = WAIT_NAMES.filter((name) => options[WAIT_OPTIONS[name]] !== undefined).map(
    (name) => [name, parseDays(name, options[WAIT_OPTIONS[name]])] as const,
  );
  const waits: Waits = { ...(await findWaits(database, environment)), ...Object.fromEntries(given) };
  if (given.length > 0) await saveWaits(database, environment, waits);
  return {
    result: { object: "dispute_waits", environment, ...waits },
    text: WAIT_NAMES.map((name) => `${WAIT_OPTIONS[name].padEnd(15)} ${waits[name]}`).join("\n"),
  };
}

function parseDays(name: keyof Waits, given: unknown): number {
  const [min, max] = WAITS_BOUNDS[name];
  const days = typeof given === "string" && /^\d{1,2}$/.test(given) ? Number(given) : Number.NaN;
  if (days >= min && days <= max) return days;
  throw new AdminError(`Enter --${WAIT_OPTIONS[name]} as a whole number from ${min} to ${max}.`);
}

async function list({ database, options }: AdminCall): Promise<AdminAnswer> {
  const environment = parseChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  const disputes = await listForArbiter(database, environment, SHOWN);
  const lines = disputes.map(
    ({ payment, businessId, merchantReference, decideBy, resolveBy }) =>
      `${payment}  ${businessId}  ${merchantReference}  decide by ${(decideBy ?? resolveBy).toISOString()}`,
  );
  const data = disputes.map(summarize);
  return { result: { object: "list", data }, text: lines.length === 0 ? "No disputes wait." : lines.join("\n") };
}

const summarize = ({ id, payment, businessId, merchantReference, status, decideBy, resolveBy }: Dispute) => ({
  object: "dispute",
  ...{ id, payment, business: businessId, merchantReference, status, decideBy, resolveBy },
});

interface Shown {
  readonly status: string;
  readonly turn: string;
  readonly reason: string;
  readonly requestedTotal: string | null;
  readonly statements: readonly { readonly by: string; readonly text: string; readonly createdAt: string }[];
  readonly offers: readonly {
    readonly by: string;
    readonly total: string;
    readonly text: string | null;
    readonly status: string;
    readonly createdAt: string;
  }[];
}

async function show({ database, positionals: [address] }: AdminCall): Promise<AdminAnswer> {
  if (address === undefined || !isAddress(address)) throw new AdminError("Name the payment: dispute show <payment>.");
  const dispute = await findDisputeOf(database, address);
  if (dispute === null) throw new AdminError(`There is no dispute of a payment at ${address} here.`);
  const { businessId, merchantReference, amount, openedAt } = dispute;
  const shown = JSON.parse(await readWithTexts(database, dispute, new Date(), "")) as Shown;
  const said = [
    ...shown.statements.map(({ by, text, createdAt }) => ({ createdAt, text: `${by} wrote:\n${indented(text)}` })),
    ...shown.offers.map(({ by, total, text, status, createdAt }) => ({
      createdAt,
      text: `${by} offered ${total} to the buyer (${status})${text === null ? "" : `:\n${indented(text)}`}`,
    })),
  ].sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
  const head = [
    `${merchantReference} of ${businessId}, ${amount} in smallest units, ${shown.status}, turn: ${shown.turn}`,
    `Opened ${openedAt.toISOString()}: ${shown.reason}; the buyer wants ${shown.requestedTotal ?? "what was not said"} in all`,
  ];
  const text = [...head, ...said.map((one) => `\n${one.createdAt}  ${one.text}`)].join("\n");
  return { result: shown, text };
}

/** A text of a side: each line is marked, and controls are shown by their codes, so that no text passes for the command's own. */
const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  | ${line.replace(/\p{C}/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)}`)
    .join("\n");
