import { askedTwice, canceled, expired, forked, ignorant, jumped, racing, type Story, swept } from "./stories.ts";

/** A mistake that would pass unnoticed on a good day: where it is made, when it shows, and which promise it breaks. */
export interface Bug {
  readonly what: string;
  /** File, what stands there (exactly once), and what the mistake puts in its place. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  readonly story: Story;
  readonly breaks: string;
}

const BINDING = "server/features/binding";

export const BUGS: readonly Bug[] = [
  {
    what: "the feed takes the first page for the whole history",
    edits: [
      [`${BINDING}/feed.ts`, "const PAGE_MAX = 1_000;", "const PAGE_MAX = 3;"],
      [`${BINDING}/feed.ts`, "if (more) {", "if (more && cursor.signature === 'never') {"],
    ],
    story: swept,
    breaks: "I13",
  },
  {
    what: "a transaction counts as read before what it did is recorded, and the power fails in between",
    edits: [
      [
        `${BINDING}/sweep.ts`,
        'failpoint("sweep.after_read");',
        `await markRead(database, chain.environment, landed.map((transaction) => transaction.signature));
    const power = globalThis as { failed?: boolean };
    if (!power.failed) {
      power.failed = true;
      throw new ChainUnavailable("the power failed");
    }`,
      ],
    ],
    story: swept,
    breaks: "I13",
  },
  {
    what: "the intent is read without its row lock",
    edits: [["server/features/intents/fragments.ts", "\n    for update`);", "`);"]],
    story: racing,
    breaks: "I3",
  },
  {
    what: "the event of a revert is written in a transaction of its own",
    edits: [
      [
        `${BINDING}/revert.ts`,
        "    reversal.happenings.map((happening) => draftEvent(owner, happening, now)),",
        "    [],",
      ],
      [
        `${BINDING}/revert.ts`,
        "if (held !== null) await giveUp(db, held, checkoutUrl);",
        `if (held === null) return;
    await giveUp(db, held, checkoutUrl);
    const { owner, story, payment, now } = held;
    const known = { referenceTaken: false, expiryTold: false };
    const { happenings } = decideReversal(story, payment, known, now, checkoutUrl);
    const events = happenings.map((happening) => draftEvent(owner, happening, now));
    await database.rows(sql\`with \${recordEvents(events)} select sequence from told\`);`,
      ],
    ],
    story: forked,
    breaks: "I3",
  },
  {
    what: "nothing in the database keeps two open intents apart",
    edits: [
      [
        "server/store/migrations/0001_intents.sql",
        "create unique index intents_open_reference",
        "create index intents_open_reference",
      ],
      [
        "server/features/intents/queries.ts",
        "      on conflict (business_id, environment, merchant_reference) where open do nothing\n",
        "",
      ],
    ],
    story: askedTwice,
    breaks: "I10",
  },
  {
    what: "sequences are counted from the events that are there, not from the locked counter",
    edits: [
      [
        "server/features/events/fragments.ts",
        `insert into event_counters as c (business_id, environment, last_sequence) \${counts}`,
        `select c.business_id, c.environment, c.events + (
          select coalesce(max(e.sequence), 0) from events e where e.business_id = c.business_id) as last
        from (\${counts}) as c (business_id, environment, events)`,
      ],
      [
        "server/features/events/fragments.ts",
        `on conflict (business_id, environment) do update set last_sequence = c.last_sequence + excluded.last_sequence
      returning business_id, environment, last_sequence as last`,
        "",
      ],
    ],
    story: racing,
    breaks: "I12",
  },
  {
    what: "lateness is decided from what was known before the intent was canceled",
    edits: [
      [
        `${BINDING}/binding.ts`,
        "lateReason: lateReason(intent, primary, payment.createdAt, now),",
        "lateReason: lateReason({ ...intent, canceledAt: null }, primary, payment.createdAt, now),",
      ],
    ],
    story: canceled,
    breaks: "I3",
  },
  {
    what: "the youngest duplicate is promoted, not the oldest",
    edits: [[`${BINDING}/reverting.ts`, "story.payments.find((other)", "story.payments.findLast((other)"]],
    story: forked,
    breaks: "I8",
  },
  {
    what: "one node's word is enough to give a payment up",
    edits: [
      [`${BINDING}/recheck.ts`, "if (!isOtherwise(payment, account) || standing !== null) return;", ""],
      [
        `${BINDING}/recheck.ts`,
        "else if (!isPayment(account)) await revertPayment(deps, chain.environment, payment);",
        "else await revertPayment(deps, chain.environment, payment);\n  if (second || account === null) return;",
      ],
    ],
    story: ignorant,
    breaks: "I13",
  },
  {
    what: "a step that nobody saw happen is not told",
    edits: [
      [
        `${BINDING}/binding.ts`,
        '    step("payment.disputed", { status: "disputed", disputedAt }, disputedAt);',
        '    current = { ...current, status: "disputed", disputedAt };',
      ],
    ],
    story: jumped,
    breaks: "I3",
  },
  {
    what: "the status changes and the event is forgotten",
    edits: [["server/features/intents/expiry.ts", "recordEvents([event]", "recordEvents([]"]],
    story: expired,
    breaks: "I3",
  },
];
