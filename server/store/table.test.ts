import assert from "node:assert/strict";
import { test } from "node:test";
import { digits, named, nullable, rowReader, slot, table, text, time, word } from "../lib/columns.ts";
import { relation, sql } from "./sql.ts";
import type { PackedRow } from "./table.ts";
import {
  assignments,
  columnNames,
  columnTypes,
  columnValues,
  insertion,
  jsonReader,
  jsonRow,
  packedRows,
  rowMaker,
  selected,
} from "./table.ts";
import { openTestDatabase } from "./testing.ts";

const COLUMNS = {
  tenantId: word(),
  id: named("address", word()),
  amount: digits("numeric"),
  freeText: text(),
  state: nullable(word()),
  createdAt: time(),
  endedAt: nullable(time()),
};
const TENANT = "tenant_a";
const ROWS = [
  {
    tenantId: TENANT,
    id: "one",
    amount: "18446744073709551615",
    freeText: ` two blanks and "quotes" `,
    state: "open",
    createdAt: new Date("2026-11-20T10:00:00.123Z"),
    endedAt: new Date("1970-01-01T00:00:00Z"),
  },
  {
    tenantId: TENANT,
    id: "two",
    amount: "1",
    freeText: "",
    state: null,
    createdAt: new Date("2026-11-20T10:00:00Z"),
    endedAt: null,
  },
];

test("rows written by a column list are read the same as rows, packed and as JSON, in a batch and alone", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  await database.rows(sql`
    create temporary table things (tenant_id text, address text, amount numeric, free_text text, state text,
      created_at timestamptz, ended_at timestamptz)`);
  const given = relation("a", columnTypes(COLUMNS));
  const names = columnNames(COLUMNS);
  await database.rows(sql`
    insert into things (${names}) select ${names} from ${given(ROWS.map(rowMaker(COLUMNS)))}`);
  const read = async (): Promise<void> => {
    const plain = await database.rows<Record<string, unknown>>(sql`select * from things order by address`);
    assert.deepEqual(plain.map(rowReader(COLUMNS)), ROWS);
    const packed = packedRows(COLUMNS, ["tenantId"]);
    const words = await database.rows<PackedRow>(sql`select ${packed.select("t")} from things t order by address`);
    assert.deepEqual(
      words.map((row) => packed.read(row, { tenantId: TENANT })),
      ROWS,
    );
    const json = await database.rows<{ thing: Record<string, unknown> }>(
      sql`select ${jsonRow("t", COLUMNS)} as thing from things t order by address`,
    );
    assert.deepEqual(
      json.map(({ thing }) => jsonReader(COLUMNS)(thing)),
      ROWS,
    );
  };
  await read();
  await database.rows(sql`delete from things where address = 'two'`);
  await database.rows(sql`insert into things (${names}) select ${columnValues(COLUMNS)(ROWS[1]!)}`);
  await database.rows(sql`update things set ${assignments(COLUMNS)(ROWS[0]!)} where address = 'one'`);
  await read();
});

test("rows inserted by a table's declaration come back as their fields", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  await database.rows(sql`
    create temporary table things (tenant_id text, address text, amount numeric, free_text text, state text,
      created_at timestamptz, ended_at timestamptz, seen_slot bigint)`);
  const THINGS = table("things", { ...COLUMNS, seenSlot: nullable(slot()) });
  const [first, second] = [
    { ...ROWS[0]!, seenSlot: 9_007_199_254_740_991 },
    { ...ROWS[1]!, seenSlot: null },
  ];
  const insert = insertion(THINGS);
  const columns = selected(THINGS.columns, "t");
  assert.deepEqual(await database.rows(sql`${insert([first, second])} returning ${columns}`), [first, second]);
  await database.rows(sql`delete from things`);
  assert.deepEqual(await database.rows(sql`${insert([second])} returning ${columns}`), [second]);
  assert.deepEqual(await database.rows(sql`select ${columns} from things t`), [second]);
});
