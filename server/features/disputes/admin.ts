import { ADDRESS, whole } from "../../domain/values.ts";
import { type AdminAnswer, AdminError, adminVerb, ENVIRONMENT, maybe, option, positional } from "../../edge/admin.ts";
import type { Database, Db } from "../../store/database.ts";
import { readWithTexts } from "./actions.ts";
import { findDisputeOf } from "./buyerQueries.ts";
import type { Dispute } from "./dispute.ts";
import { findWaits } from "./fragments.ts";
import { listForArbiter, saveWaits } from "./queries.ts";
import { WAITS_BOUNDS, type Waits } from "./waits.ts";

const SHOWN = 100;
export const PAYMENT = positional(ADDRESS, "payment");
const days = (name: keyof Waits) => maybe(option(whole(...WAITS_BOUNDS[name]), "n"));

export const disputeVerbs = [
  adminVerb({
    words: "dispute list",
    takes: { environment: ENVIRONMENT },
    does: `Lists the first ${SHOWN} disputes that wait for the arbiter, by the time at which they are due.`,
    run: async ({ database, environment }) => {
      const disputes = await listForArbiter(database, environment, SHOWN);
      const lines = disputes.map(
        ({ payment, businessId, merchantReference, decideBy, resolveBy }) =>
          `${payment}  ${businessId}  ${merchantReference}  decide by ${(decideBy ?? resolveBy).toISOString()}`,
      );
      const data = disputes.map(summarize);
      return { result: { object: "list", data }, text: lines.length === 0 ? "No disputes wait." : lines.join("\n") };
    },
  }),
  adminVerb({
    words: "dispute show",
    takes: { payment: PAYMENT },
    does: "Shows what both sides of a dispute said and offered, for its arbiter.",
    run: ({ database, payment }) => show(database, payment),
  }),
  /** §4.18.12. */
  adminVerb({
    words: "dispute waits",
    takes: {
      environment: ENVIRONMENT,
      answerDays: days("answerDays"),
      decideDays: days("decideDays"),
      agreementDays: days("agreementDays"),
    },
    does: "Shows the waits of disputes, or sets those that are named. A dispute keeps those it began with.",
    run: async ({ database, environment, answerDays, decideDays, agreementDays }) => {
      const named = Object.entries({ answerDays, decideDays, agreementDays }).filter(([, wanted]) => wanted !== null);
      const waits: Waits = { ...(await findWaits(database, environment)), ...Object.fromEntries(named) };
      if (named.length > 0) await saveWaits(database, environment, waits);
      return {
        result: { object: "dispute_waits", environment, ...waits },
        text: `answer-days     ${waits.answerDays}\ndecide-days     ${waits.decideDays}\nagreement-days  ${waits.agreementDays}`,
      };
    },
  }),
];

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

/** The dispute of the payment that a command names. */
export async function requireDisputeOf(db: Db, address: string): Promise<Dispute> {
  const dispute = await findDisputeOf(db, address);
  if (dispute === null) throw new AdminError(`There is no dispute of a payment at ${address} here.`);
  return dispute;
}

async function show(database: Database, address: string): Promise<AdminAnswer> {
  const dispute = await requireDisputeOf(database, address);
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
