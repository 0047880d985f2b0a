import { Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { type Parameter, parameter } from "../../edge/http/parameters.ts";
import { choice } from "../../edge/http/schemas.ts";
import { SEQUENCE, WAIT_SECONDS_MAX } from "./event.ts";
import { EVENT_GROUPS, EVENT_TYPES, EVENT_TYPES_ASKED_MAX, type EventType, groupOf } from "./eventTypes.ts";

/** The requested types, with those of requested groups. Empty means all. */
export const typeParameter: Parameter<readonly EventType[]> = {
  schema: Type.Array(choice([...EVENT_TYPES, ...EVENT_GROUPS]), { maxItems: EVENT_TYPES_ASKED_MAX }),
  description: "Only events of these types, or of these groups such as `payment.*`. May be given several times.",
  example: "payment.protected",
  repeatable: true,
  parse: (given, name) => {
    for (const type of given)
      if (!EVENT_GROUPS.includes(type) && !EVENT_TYPES.some((known) => known === type))
        throw invalid(
          name,
          `Expected an event type such as payment.protected, or a group: ${EVENT_GROUPS.join(", ")}.`,
        );
    if (given.length > EVENT_TYPES_ASKED_MAX) throw invalid(name, `At most ${EVENT_TYPES_ASKED_MAX} types.`);
    return EVENT_TYPES.filter((type) => given.includes(type) || given.includes(groupOf(type)));
  },
};

const sequence = parameter(
  SEQUENCE,
  "The `limit` events just above this sequence, newest first within the page; 0 to begin. Not together with `starting_after` or `ending_before`.",
  { example: "0" },
);
export const afterSequenceParameter: Parameter<string | null> = {
  ...sequence,
  parse: (given, name, query) => {
    const text = sequence.parse(given, name, query);
    if (text !== null && (query.has("starting_after") || query.has("ending_before")))
      throw invalid(name, "Give after_sequence, starting_after or ending_before, not two of them.");
    return text;
  },
};

/** In seconds. */
export const waitParameter: Parameter<number> = {
  schema: Type.Integer({ minimum: 0, maximum: WAIT_SECONDS_MAX, default: 0 }),
  description: "Seconds to wait for newer events. Needs `after_sequence` or `ending_before`.",
  parse: ([text], name, query) => {
    if (text === undefined) return 0;
    const seconds = /^(?:0|[1-9][0-9]?)$/.test(text) ? Number(text) : Number.NaN;
    if (!(seconds <= WAIT_SECONDS_MAX)) throw invalid(name, `Expected whole seconds from 0 to ${WAIT_SECONDS_MAX}.`);
    if (seconds > 0 && !query.has("after_sequence") && !query.has("ending_before"))
      throw invalid(name, "To wait, say what for: give after_sequence or ending_before.");
    return seconds;
  },
};
