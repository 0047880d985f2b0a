import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import { insertBusiness } from "../businesses/queries.ts";
import { insertKey, listKeys, replaceKey } from "./queries.ts";

let opened: OpenTestDatabase;
before(async () => {
  opened = await openTestDatabase("", { connectionsMax: 10 });
});
after(() => opened?.[Symbol.asyncDispose]());

const newBusiness = async (): Promise<string> => (await insertBusiness(opened.database, "Test shop")).id;
const together = <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, work));

test("§5.5 of twenty keys issued at once to a business with four, one is; each environment has its own five", async () => {
  const business = await newBusiness();
  const issue = () => insertKey(opened.database, business, "test");
  for (const issued of await together(4, issue)) assert.notEqual(issued, null);
  const tries = await together(20, issue);
  assert.equal(tries.filter((issued) => issued !== null).length, 1);
  assert.equal((await listKeys(opened.database, business)).length, 5);
  assert.notEqual(await insertKey(opened.database, business, "live"), null);
});

test("§5.5 of twelve keys issued at once to a new business, five are", async () => {
  const business = await newBusiness();
  const tries = await together(12, () => insertKey(opened.database, business, "test"));
  assert.equal(tries.filter((issued) => issued !== null).length, 5);
});

test("§5.4 of twenty rolls of one key at once, one makes a successor", async () => {
  const business = await newBusiness();
  const issued = await insertKey(opened.database, business, "test");
  const rolls = await together(20, () => replaceKey(opened.database, business, issued!.key.id, "24h"));
  assert.equal(rolls.filter((rolled) => rolled !== null).length, 1);
});
