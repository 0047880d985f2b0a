import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { addApp } from "../testing/app.ts";
import { base32, readBase32, stepAt, stepsOfCode, totpCode } from "./totp.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

test("§13.1.4 the codes are those of RFC 6238, appendix B", () => {
  const keys = { sha1: 20, sha256: 32, sha512: 64 } as const;
  const vectors = [
    [59, "94287082", "46119246", "90693936"],
    [1_111_111_109, "07081804", "68084774", "25091201"],
    [1_111_111_111, "14050471", "67062674", "99943326"],
    [1_234_567_890, "89005924", "91819424", "93441116"],
    [2_000_000_000, "69279037", "90698825", "38618901"],
    [20_000_000_000, "65353130", "77737706", "47863826"],
  ] as const;
  for (const [seconds, ...codes] of vectors)
    Object.entries(keys).forEach(([algorithm, length], index) => {
      const secret = Buffer.from("1234567890".repeat(7).slice(0, length));
      const step = stepAt(new Date(seconds * 1_000));
      assert.equal(totpCode(secret, step, { digits: 8, algorithm }), codes[index]);
    });
});

test("§13.1.4 a code counts one step early or late, and base32 comes back as it was", () => {
  const secret = base32(Buffer.from("12345678901234567890"));
  assert.equal(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  assert.equal(readBase32(secret).toString(), "12345678901234567890");
  // 081804 is the code of the step that begins at 1,111,111,080 seconds.
  const at = (seconds: number) => stepsOfCode(secret, "081804", new Date((1_111_111_080 + seconds) * 1_000));
  const steps = [-31, -30, 0, 29, 30, 59, 60].map((seconds) => at(seconds).length);
  assert.deepEqual(steps, [0, 1, 1, 1, 1, 1, 0]);
});

const addUserWithApp = async (email: string) => {
  const id = await staff.addUser(email);
  const browser = await staff.signIn(email);
  return { id, browser, ...(await addApp(browser)) };
};

const begin = async (email: string): Promise<{ browser: Browser; ticket: string }> => {
  const browser = staff.browser();
  const answer = await browser.post("/sign-in", { email, password: PASSWORD });
  assert.deepEqual(
    [answer.status, answer.json.status, answer.headers["set-cookie"]],
    [200, "second_factor", undefined],
  );
  return { browser, ticket: answer.json.ticket };
};

test("§13.1.4 with an app a password alone signs nobody in, and a code works once", async () => {
  const { code } = await addUserWithApp("app@shop.example");
  const [one, other] = [await begin("app@shop.example"), await begin("app@shop.example")];
  assert.equal((await one.browser.get("/account")).status, 401);
  const wrong = await one.browser.post("/sign-in/code", { ticket: one.ticket, code: "000000" });
  assert.equal(wrong.status, 401);
  const present = code(0);
  const answers = await Promise.all(
    [one, other].map(({ browser, ticket }) => browser.post("/sign-in/code", { ticket, code: present })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  const [late] = [one, other].filter((_, index) => answers[index]!.status === 401);
  const early = await late!.browser.post("/sign-in/code", { ticket: late!.ticket, code: code(1) });
  assert.equal(early.status, 200, "the next code is another one");
  const used = await late!.browser.post("/sign-in/code", { ticket: late!.ticket, code: code(1) });
  assert.equal(used.status, 401, "a ticket works once");
});

test("§13.1.4 each of the ten backup codes works once, however it is typed", async () => {
  const { id, backupCodes } = await addUserWithApp("backup@shop.example");
  assert.equal(new Set(backupCodes).size, 10);
  const [code] = backupCodes;
  const attempts = [await begin("backup@shop.example"), await begin("backup@shop.example")];
  const answers = await Promise.all(
    attempts.map(({ browser, ticket }, index) =>
      browser.post("/sign-in/code", { ticket, code: index === 0 ? code : code!.toLowerCase().replaceAll("-", " ") }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  const { browser } = attempts[answers.findIndex(({ status }) => status === 200)]!;
  assert.equal((await browser.get("/account")).json.signIn.backupCodesLeft, 9);
  assert.equal((await browser.post("/backup-codes")).json.codes.length, 10);
  const old = await begin("backup@shop.example");
  const answer = await old.browser.post("/sign-in/code", { ticket: old.ticket, code: backupCodes[1] });
  assert.equal(answer.status, 401);
  const stored = await staff.database.rows<{ all: string }>(
    sql`select row_to_json(u)::text || coalesce((select string_agg(row_to_json(b)::text, '') from backup_codes b), '') as all from users u where id = ${id}`,
  );
  assert.ok(!stored[0]!.all.includes(backupCodes[2]!));
});

test("§13.3.3 a reset by mail leaves the app in place, and ends tickets", async () => {
  const { code } = await addUserWithApp("mailbox@shop.example");
  const { browser, ticket } = await begin("mailbox@shop.example");
  await staff.browser().post("/password-resets", { email: "mailbox@shop.example" });
  const link = await staff.awaitLink("mailbox@shop.example");
  const set = await staff.browser().post("/password-resets/complete", { link, password: PASSWORD });
  assert.equal(set.status, 200);
  assert.equal((await browser.post("/sign-in/code", { ticket, code: code(0) })).status, 401);
  await begin("mailbox@shop.example");
});

test("§13.4.2 a proof by password needs a code too; an app is added and removed with a recent proof alone", async () => {
  const { browser, code } = await addUserWithApp("proof@shop.example");
  assert.equal((await browser.post("/authenticator-app")).json.error.reason, "second_factor_already");
  await staff.age();
  assert.equal((await browser.send("DELETE", "/authenticator-app")).json.error.code, "proof_required");
  assert.equal((await browser.post("/proof", { password: PASSWORD })).status, 401);
  assert.equal((await browser.post("/proof", { password: PASSWORD, code: code(0) })).status, 200);
  assert.equal((await browser.send("DELETE", "/authenticator-app")).status, 200);
  await staff.signIn("proof@shop.example");
});

test("a secret of an app is sealed for its user: another user's row cannot borrow it", async () => {
  const { id, secret } = await addUserWithApp("sealed@shop.example");
  const row = await staff.database.row<{ sealed: string }>(
    sql`select totp_secret as sealed from users where id = ${id}`,
  );
  assert.ok(!row!.sealed.includes(secret));
  const other = await staff.addUser("borrower@shop.example");
  assert.throws(() => staff.ctx.sealing!.open(`totp ${other}`, row!.sealed));
  assert.equal(staff.ctx.sealing!.open(`totp ${id}`, row!.sealed), secret);
});
