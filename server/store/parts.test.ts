import assert from "node:assert/strict";
import { test } from "node:test";
import { integer, named, other, time, word } from "../lib/columns.ts";
import { choose, fact, type Keys, needed, part, rowPart, rowsPart } from "./parts.ts";
import { piece, sql } from "./sql.ts";
import { openTestDatabase } from "./testing.ts";

const NONE = sql`null`;
const KEYS: Keys = {
  ...{ environment: NONE, businessId: NONE, asset: NONE, termsHash: NONE },
  intentId: sql`i.id`,
  payment: NONE,
};
const COLUMNS = { number: integer(), hash: other<Buffer>("bytea"), at: time() };
const NOTES = piece(
  "(values (2, 'one', '\\x0aff'::bytea, timestamptz '2026-11-20 10:00:00.123Z'), (1, 'one', '\\x', 'epoch')) n (number, intent, hash, at)",
);
const ofIntent = ({ intentId }: Keys) => sql`${NOTES} where n.intent = ${intentId}`;

test("a reader returns exactly the chosen parts, read as columns are, and leaves out rows without a needed one", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const last = rowPart(COLUMNS, "n", (keys) => sql`${ofIntent(keys)} and n.number = 2`);
  const chosen = choose(
    {
      id: fact(named("intent_id", word()), ({ intentId }) => intentId),
      last,
      // Its own relation has the name of the row's.
      twin: part<number>(
        ({ intentId }) =>
          sql`(select count(*)::integer from unnest(array['one', 'three']) i (id) where i.id = ${intentId})`,
      ),
      all: rowsPart(COLUMNS, "n", { from: ofIntent, order: sql`n.number` }),
    },
    KEYS,
  );
  const of = (one: Pick<typeof chosen, "columns" | "keys">) => sql`
    select i.id${one.columns} from unnest(array['one', 'two']) with ordinality i (id, ordinal) ${one.keys} order by i.ordinal`;
  const first = { number: 1, hash: Buffer.alloc(0), at: new Date(0) };
  const second = { number: 2, hash: Buffer.from("0aff", "hex"), at: new Date("2026-11-20T10:00:00.123Z") };
  const rows = (await opened.database.rows<Record<string, unknown>>(of(chosen))).map(chosen.read);
  assert.deepEqual(rows, [
    { id: "one", last: second, twin: 1, all: [first, second] },
    { id: "two", last: null, twin: 0, all: [] },
  ]);
  // @ts-expect-error: a part that was not chosen is not there.
  assert.equal(rows[0]!.token, undefined);

  const strict = choose({ last: needed(last) }, KEYS);
  const found = (await opened.database.rows<Record<string, unknown>>(of(strict))).map(strict.read);
  assert.deepEqual([found[0]!.last.number, found[1]], [2, null]);
});
