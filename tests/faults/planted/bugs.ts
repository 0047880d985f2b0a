import {
  askedTwice,
  canceled,
  expired,
  forked,
  ignorant,
  jumped,
  obstructed,
  racing,
  type Scenario,
  swept,
  undisputed,
} from "./scenarios.ts";

/** A mistake that would go unnoticed on a good day: its place, the scenario that shows it, and the promise that it breaks. */
export interface Bug {
  readonly what: string;
  /** The file, the text that stands there exactly once, and the mistake that replaces it. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** The mistake in the schema. */
  readonly schema?: string;
  readonly scenario: Scenario;
  readonly breaks: string;
}

const RECORDING = "server/features/recording";

export const BUGS: readonly Bug[] = [
  {
    what: "the feed takes the first page for the whole history, and nothing looks back",
    edits: [
      [
        `${RECORDING}/sweep/lookBack.ts`,
        "cursor.pageBefore !== null) return",
        "cursor.pageBefore !== undefined) return",
      ],
      [`${RECORDING}/sweep/feed.ts`, "const PAGE_MAX = 1_000;", "const PAGE_MAX = 3;"],
      [
        `${RECORDING}/sweep/feed.ts`,
        "if (fresh.length === PAGE_MAX) {",
        "if (fresh.length === PAGE_MAX && cursor.signature === 'never') {",
      ],
    ],
    scenario: swept,
    breaks: "vaults",
  },
  {
    what: "a transaction counts as read before what it did is recorded, and the power fails in between",
    edits: [
      [
        `${RECORDING}/sweep/sweep.ts`,
        'failpoint("sweep.after_read");',
        `await markProcessed(database, chain.environment, landed.map(({ signature, listedSlot }) => ({ signature, slot: listedSlot })));
    const power = globalThis as { failed?: boolean };
    if (!power.failed) {
      power.failed = true;
      throw new DatabaseUnavailableError("the power failed");
    }`,
      ],
    ],
    scenario: swept,
    breaks: "vaults",
  },
  {
    what: "the intent is read without its row lock",
    edits: [["server/features/intents/fragments.ts", " for update) i`);", ") i`);"]],
    scenario: racing,
    breaks: "changes",
  },
  {
    what: "the event of a revert is written in a transaction of its own",
    edits: [
      [
        `${RECORDING}/finality/applyReversal.ts`,
        "const events = reversal.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));",
        "const events: [] = [];",
      ],
      [
        `${RECORDING}/finality/applyReversal.ts`,
        'import { decideReversal, pauseDispute } from "./reversal.ts";',
        `import { decideReversal, pauseDispute } from "./reversal.ts";
import { recordEvents } from "../../webhooks/fragments.ts";
import { sql } from "../../../store/sql.ts";`,
      ],
      [
        `${RECORDING}/finality/applyReversal.ts`,
        "if (locked !== null) await applyReversal(db, locked, checkoutUrl);",
        `if (locked === null) return;
    await applyReversal(db, locked, checkoutUrl);
    const { tenant, state, payment, now } = locked;
    const known = { referenceTaken: false, expiredEventSent: false };
    const { pendingEvents } = decideReversal(state, payment, known, now, checkoutUrl);
    const events = pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
    await database.rows(sql\`with \${recordEvents(events)} select sequence from recorded_events\`);`,
      ],
    ],
    scenario: forked,
    breaks: "changes",
  },
  {
    what: "a dispute that a fork took goes on",
    edits: [[`${RECORDING}/decide/followDispute.ts`, '= status === "paused" ? [] : [{ kind: "reverted" }];', "= [];"]],
    scenario: undisputed,
    breaks: "disputes",
  },
  {
    what: "nothing in the database keeps two open intents apart",
    edits: [
      [
        "server/features/intents/createIntent.ts",
        "      on conflict (business_id, environment, merchant_reference) where holds_reference do nothing\n",
        "",
      ],
      [
        "server/features/intents/createIntent.ts",
        "where key_state = 'free' and is_reference_free",
        "where key_state = 'free'",
      ],
    ],
    schema: "drop index intents_open_reference",
    scenario: askedTwice,
    breaks: "references",
  },
  {
    what: "sequences are counted from the events that are there, not from the locked counter",
    edits: [
      [
        "server/features/events/fragments.ts",
        `insert into event_counters as c (business_id, environment, last_sequence) \${counts}`,
        `select c.business_id, c.environment, c.events + (
          select coalesce(max(e.sequence), 0) from events e where e.business_id = c.business_id) as last, null::timestamptz as restored_at
        from (\${counts}) as c (business_id, environment, events)`,
      ],
      [
        "server/features/events/fragments.ts",
        `on conflict (business_id, environment) do update set last_sequence = c.last_sequence + excluded.last_sequence
      returning business_id, environment, last_sequence as last, restored_at`,
        "",
      ],
    ],
    scenario: racing,
    breaks: "sequences",
  },
  {
    what: "lateness is decided from what was known before the intent was canceled",
    edits: [
      [
        `${RECORDING}/decide/decision.ts`,
        "lateReason: lateReason(intent, primary, payment.createdAt, now),",
        "lateReason: lateReason({ ...intent, canceledAt: null }, primary, payment.createdAt, now),",
      ],
    ],
    scenario: canceled,
    breaks: "changes",
  },
  {
    what: "the youngest duplicate is promoted, not the oldest",
    edits: [[`${RECORDING}/finality/reversal.ts`, "state.payments.find((other)", "state.payments.findLast((other)"]],
    scenario: forked,
    breaks: "primaries",
  },
  {
    what: "one node's word is enough to give a payment up",
    edits: [
      [
        `${RECORDING}/finality/finalize.ts`,
        "if (!contradicts(account, payment)) return;\n  if (status !== null) await dropSuspicion(database, chain.environment, payment.id);\n  else if",
        "if",
      ],
      [
        `${RECORDING}/finality/finalize.ts`,
        "else if (account === null) await revertPayment(ctx, chain.environment, payment);",
        "else await revertPayment(ctx, chain.environment, payment);\n  if (isSuspected || account === null) return;",
      ],
    ],
    scenario: ignorant,
    breaks: "vaults",
  },
  {
    what: "a step that happened between two checks is not announced",
    edits: [
      [
        `${RECORDING}/decide/steps.ts`,
        "    events.add({ type, transition, payment: current, changedAt, object });",
        '    if (type !== "payment.disputed") events.add({ type, transition, payment: current, changedAt, object });',
      ],
    ],
    scenario: jumped,
    breaks: "changes",
  },
  {
    what: "the status changes and the event is forgotten",
    edits: [["server/features/intents/expiry.ts", "recordEvents(events,", "recordEvents([],"]],
    scenario: expired,
    breaks: "changes",
  },
  {
    what: "a payment that somebody disputes at the last moment holds up all that are due after it",
    edits: [["server/features/settlement/settleable.ts", "    else changed.push(payment.id);", "    else break;"]],
    scenario: obstructed,
    breaks: "parts",
  },
];
