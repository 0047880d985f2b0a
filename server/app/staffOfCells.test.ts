import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../tests/harness/staffBrowser.ts";
import { cellOfBusiness } from "../domain/ids.ts";
import { askArbiter } from "../features/disputes/actions.ts";
import { claimCase, handOver, readCase } from "../features/disputes/desk/actions.ts";
import { sendDeskLetters } from "../features/disputes/desk/letters.ts";
import type { Dispute } from "../features/disputes/dispute.ts";
import { actNow, insertDispute } from "../features/disputes/testing.ts";
import { DAY_MS } from "../features/disputes/waits.ts";
import { invite } from "../features/staff/members/actions.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../process/testing/staffServer.ts";
import type { Database } from "../store/database.ts";
import { sql } from "../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../store/testing.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";

/** Cell 1 lies in another database, which can be away. */
let opened: OpenTestDatabase;
let second: Database;
let isAway = false;
let staff: StaffServer;
let operator: Browser;
const ids: Record<string, string> = {};
before(async () => {
  opened = await openTestDatabase();
  const { database } = opened;
  const guard = <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) => {
    return async (...given: Given): Promise<Result> => {
      if (isAway) throw new DatabaseUnavailableError("It is away.", "away");
      return work(...given);
    };
  };
  const { rows, row, has, transaction } = database;
  second = {
    ...database,
    rows: guard(rows) as typeof rows,
    row: guard(row) as typeof row,
    has: guard(has),
    transaction: guard(transaction) as typeof transaction,
  };
  staff = await startStaffServer({ others: [second] });
  await second.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator)
    select e, e, 'program', 'operator' from unnest(array['test', 'live']) e`);
  for (const name of ["jo", "mara"]) ids[name] = await staff.addUser(`${name}@cells.example`);
  await staff.database.rows(sql`update users set is_arbiter = true`);
  ids.operator = await staff.addUser("operator@cells.example", { isOperator: true });
  operator = await staff.signIn("operator@cells.example");
});
after(async () => {
  await staff?.[Symbol.asyncDispose]();
  await opened?.[Symbol.asyncDispose]();
});

const away = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  isAway = true;
  try {
    return await work();
  } finally {
    isAway = false;
  }
};
/** What the routes of cell 1 have. */
const depsOfSecond = () => ({ ...staff.deps, database: second });
const addBusiness = async (name: string): Promise<string> => (await operator.post("/businesses", { name })).json.id;
const namesOf = async (path: string, list: (json: never) => readonly { name: string }[]) =>
  list((await operator.get(path)).json as never).map(({ name }) => name);
const ofAccount = ({ businesses }: { businesses: readonly { name: string }[] }) => businesses;
const ofList = ({ data }: { data: readonly { name: string }[] }) => data;

test("a new business goes to the emptiest cell, and its owner sees those of every cell that can be reached", async () => {
  const added: string[] = [];
  for (const name of ["Delta", "Alpha", "Charlie", "Bravo"]) added.push(await addBusiness(name));
  assert.deepEqual(added.map(cellOfBusiness), [0, 1, 0, 1]);
  assert.deepEqual(await namesOf("/account", ofAccount), ["Alpha", "Bravo", "Charlie", "Delta"]);
  assert.equal((await operator.get("/account/dispute-letters")).json.data.length, 4);
  const paged: string[] = [];
  for (let cursor = "", pages = 0; pages < 5; pages++) {
    const { data, hasMore } = (await operator.get(`/operator/businesses?limit=1${cursor}`)).json;
    paged.push(data[0].id);
    cursor = `&starting_after=${data[0].id}`;
    if (!hasMore) break;
  }
  assert.deepEqual(paged, added.toReversed());
  await away(async () => {
    assert.deepEqual(await namesOf("/account", ofAccount), ["Charlie", "Delta"]);
    assert.deepEqual(await namesOf("/operator/businesses?limit=100", ofList), ["Charlie", "Delta"]);
    assert.equal(cellOfBusiness(await addBusiness("Echo")), 0);
  });
  assert.equal(cellOfBusiness(await addBusiness("Foxtrot")), 1);
});

test("§13.5.4 an invitation is accepted in the cell of its business, by a user and by one who is made then", async () => {
  let business = await addBusiness("Guests");
  if (cellOfBusiness(business) === 0) business = await addBusiness("More guests");
  assert.equal(cellOfBusiness(business), 1);
  const actor = { kind: "user", userId: ids.operator!, email: "operator@cells.example", address: "192.0.2.1" } as const;
  const inviter = { businessId: business, userId: ids.operator!, name: "Op", actor } as unknown as Parameters<
    typeof invite
  >[1];
  const linkTo = async (email: string) => {
    await invite(depsOfSecond(), inviter, { email, role: "developer" });
    await staff.deps.outbox.drain();
    return staff.letters.at(-1)!.text.match(/#invitation=(\S+)/)![1]!;
  };
  const jo = await staff.signIn("jo@cells.example");
  const accepted = await jo.post("/invitations/accept", { invitation: await linkTo("jo@cells.example") });
  assert.deepEqual([accepted.status, accepted.json.businessId], [200, business], accepted.text);
  const invitation = await linkTo("new@cells.example");
  const read = await staff.browser().post("/invitations/read", { invitation });
  assert.deepEqual([read.status, read.json.hasUser], [200, false]);
  assert.equal(
    (await away(() => staff.browser().post("/sign-up/invitation", { invitation, name: "New", password: PASSWORD })))
      .status,
    503,
  );
  const signed = await staff.browser().post("/sign-up/invitation", { invitation, name: "New", password: PASSWORD });
  assert.equal(signed.status, 200, signed.text);
  const members = (database: Database) =>
    database.rows<{ role: string }>(sql`
      select role from members where business_id = ${business} order by created_at`);
  assert.deepEqual(
    (await members(second)).map(({ role }) => role),
    ["owner", "developer", "developer"],
  );
  assert.deepEqual(await members(staff.database), []);
  await staff.deps.outbox.drain();
  const owners = staff.letters.filter(({ subject }) => subject === "A member joined");
  assert.equal(owners.length, 2, "the owners of a business in another cell are told");
  await second.rows(sql`delete from members where user_id = ${ids.jo}`);
  await second.rows(sql`delete from former_members`);
});

/** A case of each cell that waits for the arbiter. */
async function newCases(agoMs = 1_000): Promise<readonly [Dispute, Dispute]> {
  const [first, other] = [await addBusiness("Case"), await addBusiness("Case")];
  const [inFirst, inSecond] = cellOfBusiness(first) === 0 ? [first, other] : [other, first];
  assert.deepEqual([cellOfBusiness(inFirst!), cellOfBusiness(inSecond!)], [0, 1]);
  const open = async (database: Database, businessId: string) => {
    const dispute = await insertDispute(database, { businessId, environment: "test" }, agoMs);
    if (agoMs > 14 * DAY_MS) return actNow(database, dispute, () => ({ happening: { kind: "clock" } }));
    for (const side of ["buyer", "merchant"] as const) await actNow(database, dispute, askArbiter(side));
    return dispute;
  };
  return [await open(staff.database, inFirst!), await open(second, inSecond!)];
}

test("§13.22.2 the queue has the cases of all cells in one order, and pages go on where they ended", async () => {
  const jo = await staff.signIn("jo@cells.example");
  const cases = [...(await newCases()), ...(await newCases())];
  await claimCase(depsOfSecond(), { userId: ids.jo! }, cases[1]!.id);
  // Both within one millisecond, and the other way round by their ids.
  const at = "2026-11-01 10:00:00.123";
  await second.rows(sql`update disputes set decide_by = ${`${at}1+00`} where id = ${cases[3]!.id}`);
  await staff.database.rows(sql`update disputes set decide_by = ${`${at}2+00`} where id = ${cases[2]!.id}`);
  const { data } = (await jo.get("/desk/disputes?limit=100")).json;
  const order = data.map(({ id }: { id: string }) => id);
  assert.equal(order.length, 4);
  assert.deepEqual(order.slice(0, 2), [cases[3]!.id, cases[2]!.id]);
  const paged: string[] = [];
  for (let cursor = "", pages = 0; pages < 5; pages++) {
    const page = (await jo.get(`/desk/disputes?limit=1${cursor}`)).json;
    paged.push(page.data[0].id);
    cursor = `&starting_after=${paged.at(-1)}`;
    if (!page.hasMore) break;
  }
  assert.deepEqual(paged, order);
  const held = (await jo.get("/desk/disputes?held=me")).json.data;
  assert.deepEqual(
    held.map(({ id, heldBy }: { id: string; heldBy: object }) => [id, heldBy]),
    [[cases[1]!.id, { id: ids.jo, name: "jo" }]],
  );
  const arbiters = (await jo.get("/desk/arbiters")).json.data;
  assert.deepEqual(
    arbiters.map(({ name, holds }: { name: string; holds: number }) => [name, holds]),
    [
      ["jo", 1],
      ["mara", 0],
    ],
  );
  const left = (await away(() => jo.get("/desk/disputes?limit=100"))).json.data;
  assert.equal(left.length, 2, "cases of the other cells are there meanwhile");
});

test("§13.22.4 a wallet of a business in another cell is a conflict of interest, and nobody decides before it is known", async () => {
  const [inFirst, inSecond] = await newCases(84 * DAY_MS);
  const mara = { userId: ids.mara! };
  const browser = await staff.signIn("mara@cells.example");
  const trade = await staff.addBusiness("trade", { [ids.mara!]: "read_only" });
  const { sender } = (await second.row<{ sender: string }>(sql`
    select sender from payments where address = ${inSecond.payment}`))!;
  await staff.database.rows(sql`
    insert into saved_recipients (business_id, environment, address, label, slot, added_at)
    values (${trade}, 'test', ${sender}, 'Wallet', 1, now())`);
  const deps = depsOfSecond();
  const isWallet = { code: "conflict_of_interest", details: { reason: "wallet" } };
  const refusal = async (work: Promise<unknown>) =>
    work.then(
      () => null,
      ({ code, details }: { code: string; details: object }) => ({ code, details }),
    );
  assert.deepEqual(await refusal(claimCase(deps, mara, inSecond.id)), isWallet);
  const shown = JSON.parse(await readCase(deps, mara, inSecond.id));
  assert.deepEqual([shown.conflict, shown.history], ["wallet", null]);
  const row = (await browser.get("/desk/disputes?limit=100")).json.data.find(
    ({ id }: { id: string }) => id === inSecond.id,
  );
  assert.equal(row.conflict, "wallet");
  await claimCase(deps, { userId: ids.jo! }, inSecond.id);
  assert.deepEqual(await refusal(handOver(deps, { userId: ids.jo! }, inSecond.id, ids.mara!)), isWallet);
  const readers: string[] = [];
  const send = async ({ to, text }: { to: string; text: string }) => {
    if (text.includes(inSecond.id)) readers.push(to);
  };
  await handOver(deps, { userId: ids.jo! }, inSecond.id, null);
  await sendDeskLetters({ ...deps, send });
  assert.deepEqual(readers, ["jo@cells.example"]);
  const claim = () => browser.post(`/desk/disputes/${inFirst.id}/claim`);
  assert.equal((await away(claim)).status, 503);
  assert.equal((await claim()).status, 200);
});
