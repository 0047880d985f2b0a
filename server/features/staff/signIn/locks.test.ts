import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { eventually } from "../../../../tests/harness/wait.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { purgeStaff } from "../actions.ts";
import { addApp } from "../testing/app.ts";
import { ACCOUNT_LIMIT, GUESS_LIMIT } from "../tries.ts";
import { signInFigure } from "./outcomes.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

const WRONG = "wrong password here";
const THIEF = "198.51.100.66";
const statusesOf = (answers: readonly { readonly status: number }[]): number[] =>
  answers.map(({ status }) => status).sort();

/** Signs in with a password from a network. */
const guess = (browser: Browser, email: string, password: string, address: string) =>
  browser.send("POST", "/sign-in", { email, password }, browser.from(address));
const strangersGuess = (email: string, password = WRONG, address = THIEF) =>
  guess(staff.browser(), email, password, address);
const guessTenTimes = (email: string) =>
  Promise.all(Array.from({ length: GUESS_LIMIT.max }, () => strangersGuess(email)));

/** Makes the counts as if all tries of an account from all networks were used up. */
const useUpAccount = () =>
  staff.database.rows(sql`update sign_in_tries set used = ${ACCOUNT_LIMIT.max} where subject like 'account %'`);

test("§13.4.5 the eleventh password of a network in 15 minutes is refused, also the right one, known account or not", async () => {
  await staff.addUser("guessed@shop.example");
  for (const email of ["guessed@shop.example", "unknown-guessed@shop.example"]) {
    assert.equal((await strangersGuess(email)).status, 401);
    await staff.database.rows(sql`update sign_in_tries set used = ${GUESS_LIMIT.max - 3} where subject like 'guess %'`);
    const statuses = statusesOf(await Promise.all(Array.from({ length: 7 }, () => strangersGuess(email))));
    assert.deepEqual(statuses, [401, 401, 401, 429, 429, 429, 429]);
    const right = await strangersGuess(email.toUpperCase(), PASSWORD);
    assert.equal(right.status, 429);
    assert.ok(Number(right.headers["retry-after"]) > 600);
  }
  await staff.database.rows(sql`update sign_in_tries set window_ends_at = now() - interval '1 second'`);
  assert.equal((await strangersGuess("guessed@shop.example", PASSWORD)).status, 200);
});

test("§13.4.5 ten wrong passwords from one network lock nobody on another, and no proof in a session", async () => {
  await staff.addUser("owner@shop.example");
  const owner = await staff.signIn("owner@shop.example");
  assert.deepEqual(statusesOf(await guessTenTimes("owner@shop.example")), Array(10).fill(401));
  assert.equal((await strangersGuess("owner@shop.example")).status, 429);
  assert.equal((await strangersGuess("owner@shop.example", PASSWORD, "203.0.113.5")).status, 200);
  assert.equal((await owner.post("/proof", { password: PASSWORD })).status, 200);
  assert.equal((await owner.post("/proof", { password: PASSWORD, code: null })).status, 200);
});

test("§13.4.5 a hundred wrong passwords from many networks leave the owner's own browser and session open", async () => {
  await staff.addUser("botnet@shop.example");
  const owner = await staff.signIn("botnet@shop.example");
  await strangersGuess("botnet@shop.example");
  await useUpAccount();
  assert.equal((await strangersGuess("botnet@shop.example", PASSWORD, "203.0.113.6")).status, 429);
  assert.equal((await owner.post("/proof", { password: PASSWORD })).status, 200);
  await owner.post("/sign-out");
  assert.equal((await guess(owner, "botnet@shop.example", PASSWORD, "203.0.113.7")).status, 200);
  // It has its own tries, with the same limit.
  for (let count = 0; count < GUESS_LIMIT.max; count++)
    assert.equal((await guess(owner, "botnet@shop.example", WRONG, "203.0.113.7")).status, 401);
  assert.equal((await guess(owner, "botnet@shop.example", PASSWORD, "203.0.113.8")).status, 429);
});

test("§13.4.5 refused tries of one network use up none of the account's, and a right one gives its own back", async () => {
  await staff.addUser("counted@shop.example");
  const used = async () => {
    const rows = await staff.database.rows<{ used: number }>(
      sql`select used from sign_in_tries where subject like 'account %'`,
    );
    return rows.reduce((sum, one) => sum + one.used, 0);
  };
  const before = await used();
  await guessTenTimes("counted@shop.example");
  for (let count = 0; count < 5; count++) await strangersGuess("counted@shop.example");
  assert.equal((await used()) - before, 10);
  assert.equal((await strangersGuess("counted@shop.example", PASSWORD, "203.0.113.9")).status, 200);
  assert.equal((await used()) - before, 10);
});

test("§13.1.10 a browser is known to its own accounts alone, by a secret that changes with each sign-in", async () => {
  const userId = await staff.addUser("known@shop.example");
  await staff.addUser("second@shop.example");
  const browser = await staff.signIn("known@shop.example");
  assert.match(browser.known!, /^__Host-holdfast_browser=[\w-]{43}$/);
  const before = browser.known;
  const copy = staff.browser();
  copy.known = before;
  await strangersGuess("second@shop.example");
  await useUpAccount();
  assert.equal((await guess(copy, "second@shop.example", PASSWORD, THIEF)).status, 429, "of another account");
  await staff.database.rows(sql`update sign_in_tries set used = 0`);
  assert.equal((await browser.post("/sign-in", { email: "second@shop.example", password: PASSWORD })).status, 200);
  assert.notEqual(browser.known, before);
  await strangersGuess("known@shop.example");
  await useUpAccount();
  assert.equal((await guess(browser, "known@shop.example", PASSWORD, THIEF)).status, 200, "both accounts know it");
  assert.equal((await guess(copy, "known@shop.example", PASSWORD, THIEF)).status, 429, "a copy of the secret before");
  const [row] = await staff.database.rows<{ all: string }>(
    sql`select string_agg(row_to_json(b)::text, '') as all from known_browsers b where user_id = ${userId}`,
  );
  assert.ok(!row!.all.includes(browser.known!.split("=")[1]!));
  await staff.database.rows(sql`update known_browsers set last_used_at = now() - interval '181 days'`);
  await purgeStaff(staff.database);
  assert.deepEqual(await staff.database.rows(sql`select 1 from known_browsers`), []);
});

test("§13.1.10 the account keeps the twenty browsers used last, and a new password forgets the others", async () => {
  const userId = await staff.addUser("many@shop.example");
  const known = () => staff.database.rows(sql`select 1 from known_browsers where user_id = ${userId}`);
  for (let count = 0; count < 21; count++) await staff.signIn("many@shop.example");
  assert.equal((await known()).length, 20);
  const browser = await staff.signIn("many@shop.example");
  assert.equal(
    (await browser.post("/account/password", { password: "another horse battery", current: PASSWORD })).status,
    200,
  );
  assert.equal((await known()).length, 1);
});

test("§13.3.3 who set a password by a link signs in with that browser while others go on to guess", async () => {
  await staff.addUser("freed@shop.example");
  const browser = staff.browser();
  await browser.post("/password-resets", { email: "freed@shop.example" });
  const link = await staff.awaitLink("freed@shop.example");
  const set = await browser.post("/password-resets/complete", { link, password: "another horse battery" });
  assert.equal(set.status, 200, set.text);
  assert.equal((await browser.get("/account")).status, 401, "it signs nobody in");
  await strangersGuess("freed@shop.example");
  await useUpAccount();
  assert.equal((await guess(browser, "freed@shop.example", "another horse battery", THIEF)).status, 200);
});

async function addUserWithApp(email: string) {
  const id = await staff.addUser(email);
  const browser = await staff.signIn(email);
  return { id, browser, ...(await addApp(browser)) };
}

/** A browser that sent the right password, from a network. */
async function begin(email: string, { browser = staff.browser(), address = THIEF } = {}) {
  const answer = await guess(browser, email, PASSWORD, address);
  assert.equal(answer.json.status, "second_factor", answer.text);
  const give = (code: string | undefined) =>
    browser.send("POST", "/sign-in/code", { ticket: answer.json.ticket, code }, browser.from(address));
  return { browser, give };
}

test("§13.4.5 the eleventh code in an hour is refused with any ticket; backup codes and known browsers stay open", async () => {
  const { browser, code, backupCodes } = await addUserWithApp("codes@shop.example");
  const thief = await begin("codes@shop.example");
  const wrong = await Promise.all(Array.from({ length: 12 }, () => thief.give("000000")));
  assert.deepEqual(statusesOf(wrong), [...Array<number>(10).fill(401), 429, 429]);
  const elsewhere = await begin("codes@shop.example", { address: "203.0.113.10" });
  assert.equal((await elsewhere.give(code(0))).status, 429);
  const wrongBackups = await Promise.all(Array.from({ length: 12 }, () => thief.give("AAAA-AAAA-AAAA-AAAA")));
  assert.deepEqual(statusesOf(wrongBackups), [...Array<number>(10).fill(401), 429, 429]);
  assert.equal((await elsewhere.give(backupCodes[0])).status, 200, "backup codes count apart, by network");
  await staff.age();
  assert.equal((await browser.post("/proof", { password: PASSWORD, code: code(0) })).status, 200);
  const known = await begin("codes@shop.example", { browser });
  assert.equal((await known.give(code(1))).status, 200);
});

test("§13.4.5 who uses up the tries of a network keeps no known browser of that network out", async () => {
  const { browser, code } = await addUserWithApp("shared@shop.example");
  const network = "198.51.100.99";
  await staff.database.rows(sql`
    insert into sign_in_tries (subject, window_ends_at, used) values (${`address ${network}`}, now() + interval '1 minute', 301)`);
  assert.equal((await strangersGuess("shared@shop.example", PASSWORD, network)).status, 429);
  const known = await begin("shared@shop.example", { browser, address: network });
  assert.equal((await known.give(code(0))).status, 200);
});

test("§13.4.5 who shares a user's browser begins no count of theirs again by a sign-in of their own", async () => {
  const { browser } = await addUserWithApp("lent@shop.example");
  await staff.addUser("borrower@shop.example");
  const signInAsBorrower = async () =>
    assert.equal((await browser.post("/sign-in", { email: "borrower@shop.example", password: PASSWORD })).status, 200);
  const known = await begin("lent@shop.example", { browser });
  for (let count = 0; count < 10; count++) assert.equal((await known.give("000000")).status, 401);
  await signInAsBorrower();
  assert.equal((await known.give("000000")).status, 429, "codes");
  for (let count = 0; count < GUESS_LIMIT.max; count++)
    assert.equal((await guess(browser, "lent@shop.example", WRONG, THIEF)).status, 401);
  await signInAsBorrower();
  assert.equal((await guess(browser, "lent@shop.example", WRONG, THIEF)).status, 429, "passwords");
});

test("§13.4.5 right codes are forgotten: a user signs in as often as they like", async () => {
  const { backupCodes, code, id } = await addUserWithApp("often@shop.example");
  const again = async (right: string | undefined) => (await begin("often@shop.example")).give(right);
  for (const one of backupCodes) assert.equal((await again(one)).status, 200);
  assert.equal((await again(code(0))).status, 200);
  const counts = await staff.database.rows(
    sql`select subject from sign_in_tries where subject ~ '^(backup-)?codes?' and subject like ${`%${id}%`} and used > 0`,
  );
  assert.deepEqual(counts, []);
});

test("§13.4.7 after thirty wrong codes in a day a browser that is not known needs a new password", async () => {
  const { id, browser, code } = await addUserWithApp("exposed@shop.example");
  const thief = await begin("exposed@shop.example");
  assert.equal((await thief.give("000000")).status, 401);
  await staff.database.rows(
    sql`update sign_in_tries set used = 30 where subject = ${`codes-of-day ${id}`} and used = 1`,
  );
  const refused = await thief.give("000000");
  assert.equal(refused.json.error.reason, "password_exposed", refused.text);
  assert.equal((await thief.give(code(0))).status, 401, "its ticket is over");
  const again = await strangersGuess("exposed@shop.example", PASSWORD);
  assert.equal(again.json.error.reason, "password_exposed");
  assert.equal((await strangersGuess("exposed@shop.example")).status, 401, "a wrong password learns nothing");
  await staff.age();
  assert.equal((await browser.post("/proof", { password: PASSWORD, code: code(0) })).status, 200);
  const known = await begin("exposed@shop.example", { browser });
  assert.equal((await known.give(code(1))).status, 200);
  const log = await staff.database.rows<{ action: string }>(
    sql`select action from user_log where user_id = ${id} and action = 'password_exposed'`,
  );
  assert.equal(log.length, 1);

  await staff.browser().post("/password-resets", { email: "exposed@shop.example" });
  const link = await staff.awaitLink("exposed@shop.example");
  await staff.browser().post("/password-resets/complete", { link, password: "another horse battery" });
  const after = await strangersGuess("exposed@shop.example", "another horse battery");
  assert.equal(after.json.status, "second_factor");
});

test("§13.4.7 thirty wrong codes of a known browser end that it is known", async () => {
  const { browser, id } = await addUserWithApp("borrowed@shop.example");
  const known = await begin("borrowed@shop.example", { browser });
  assert.equal((await known.give("000000")).status, 401);
  await staff.database.rows(sql`update sign_in_tries set used = 30 where subject like 'codes-of-day %' and used = 1`);
  assert.equal((await known.give("000000")).json.error.reason, "password_exposed");
  assert.deepEqual(await staff.database.rows(sql`select 1 from known_browsers where user_id = ${id}`), []);
  const again = await guess(browser, "borrowed@shop.example", PASSWORD, THIEF);
  assert.equal(again.json.error.reason, "password_exposed");
});

test("§13.1.11 a lock is one line of the log without an e-mail address, and an entry, three an hour at most", async () => {
  const id = await staff.addUser("noted@shop.example");
  const network = "198.51.100.77";
  staff.lines.length = 0;
  for (const email of ["noted@shop.example", "nobody-noted@shop.example"])
    for (let count = 0; count < GUESS_LIMIT.max + 3; count++) await strangersGuess(email, WRONG, network);
  await eventually("both locks are recorded", () => staff.lines.length >= 2);
  const line = (whose: string) =>
    `Sign-in: too many tries (guess) for ${whose}, the last from ${network}; refused for 15 minutes.`;
  assert.deepEqual(staff.lines, [line(id), line("an address that has no user")]);
  const entries = () =>
    staff.database.rows<{ details: string }>(
      sql`select details from user_log where user_id = ${id} and action = 'tries_used_up'`,
    );
  const entry = await eventually("an entry", async () => (await entries())[0]);
  assert.deepEqual(JSON.parse(entry.details), { network, limit: "guess" });
  for (let other = 1; other <= 4; other++)
    for (let count = 0; count <= GUESS_LIMIT.max; count++)
      await strangersGuess("noted@shop.example", WRONG, `192.0.2.${other}`);
  await eventually("all locks are recorded", () => staff.lines.length === 6);
  const counted = () =>
    staff.database.has(sql`
    select true from sign_in_tries where subject = ${`lock-entry ${id}`} and used = 5`);
  await eventually("all are counted", counted);
  assert.equal((await entries()).length, 3);
});

test("§13.1.11 tries are a figure by step and outcome", async () => {
  const read = async () =>
    new Map((await signInFigure.read()).map(({ labels: { step, outcome }, value }) => [`${step} ${outcome}`, value]));
  const before = await read();
  const { browser, code } = await addUserWithApp("figures@shop.example");
  await strangersGuess("figures@shop.example");
  const second = await begin("figures@shop.example");
  await second.give("000000");
  await second.give(code(0));
  await browser.post("/proof", { password: WRONG });
  await browser.post("/proof/passkey", {
    credential: { id: "AQ", rawId: "AQ", type: "public-key", response: {}, clientExtensionResults: {} },
  });
  await useUpAccount();
  await strangersGuess("figures@shop.example", PASSWORD, "203.0.113.11");
  const after = await read();
  const grown = [...after].flatMap(([key, value]) =>
    value === before.get(key) ? [] : [[key, value - before.get(key)!] as const],
  );
  assert.deepEqual(Object.fromEntries(grown), {
    "password right": 2,
    "password wrong": 1,
    "password refused": 1,
    "code right": 1,
    "code wrong": 1,
    "proof wrong": 1,
  });
});
