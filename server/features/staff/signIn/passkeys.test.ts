import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { Authenticator, bytes, type Forgery, list, map, text } from "../testing/authenticator.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

const challenge = async (browser: Browser, path: string) => {
  const answer = await browser.post(`${path}/challenge`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.publicKey;
};

async function addPasskey(browser: Browser, forgery: Forgery = {}) {
  const authenticator = new Authenticator(staff.origin);
  const credential = authenticator.create(await challenge(browser, "/passkeys"), forgery);
  return { authenticator, answer: await browser.post("/passkeys", { name: "Laptop", credential }) };
}

async function signIn(authenticator: Authenticator, forgery: Forgery = {}) {
  const browser = staff.browser();
  const credential = authenticator.get(await challenge(browser, "/sign-in/passkey"), forgery);
  return { browser, credential, answer: await browser.post("/sign-in/passkey", { credential }) };
}

test("§13.1.1 a passkey is added, signs in without a name, and is removed", async () => {
  await staff.addUser("kim@shop.example");
  const kim = await staff.signIn("kim@shop.example");
  const { authenticator, answer } = await addPasskey(kim);
  assert.equal(answer.status, 201, answer.text);
  const { browser, answer: signedIn, credential } = await signIn(authenticator);
  assert.equal(signedIn.status, 200, signedIn.text);
  assert.equal((await browser.get("/account")).json.user.email, "kim@shop.example");
  assert.equal((await browser.get("/sessions")).json.data[0].method, "passkey");
  const replayed = await staff.browser().post("/sign-in/passkey", { credential });
  assert.equal(replayed.status, 401, "a challenge is answered once");
  assert.equal((await kim.send("DELETE", `/passkeys/${answer.json.id}`)).status, 200);
  assert.equal((await signIn(authenticator)).answer.status, 401);
});

test("§13.1.1 a passkey that another site, host or user was asked by signs nobody in", async () => {
  await staff.addUser("forged@shop.example");
  const browser = await staff.signIn("forged@shop.example");
  const other = await staff.addUser("other@shop.example");
  const { authenticator } = await addPasskey(browser);
  const forgeries: Record<string, Forgery> = {
    origin: { origin: "https://evil.example" },
    subdomain: { origin: "https://evil.dash.shop.example" },
    host: { rpId: "shop.example" },
    "no check of the user": { userVerified: false },
    "another user": { userHandle: Buffer.from(other).toString("base64url") },
  };
  for (const [what, forgery] of Object.entries(forgeries))
    assert.equal((await signIn(authenticator, forgery)).answer.status, 401, what);
  const stranger = new Authenticator(staff.origin);
  stranger.create({ ...(await challenge(browser, "/passkeys")) });
  assert.equal((await signIn(stranger)).answer.status, 401, "an unknown passkey");
  const { credential: earlier } = await signIn(authenticator);
  const again = authenticator.get(await challenge(staff.browser(), "/sign-in/passkey"));
  const { signature } = earlier.response;
  const answer = await staff.browser().post("/sign-in/passkey", {
    credential: { ...again, response: { ...again.response, signature } },
  });
  assert.equal(answer.status, 401, "a signature of something else");
  assert.equal((await signIn(authenticator)).answer.status, 200);
});

test("§13.1.5 a counter that does not grow is refused; one that stays 0 is not", async () => {
  await staff.addUser("counter@shop.example");
  const browser = await staff.signIn("counter@shop.example");
  const { authenticator } = await addPasskey(browser);
  assert.equal((await signIn(authenticator, { counter: 40 })).answer.status, 200);
  for (const counter of [40, 39, 0]) assert.equal((await signIn(authenticator, { counter })).answer.status, 401);
  assert.equal((await signIn(authenticator, { counter: 41 })).answer.status, 200);
  const { authenticator: counting } = await addPasskey(browser, { counter: 0 });
  for (let use = 0; use < 2; use++) assert.equal((await signIn(counting, { counter: 0 })).answer.status, 200);
});

test("§13.1.5 an attestation that names certificates is refused unread, since to check one fetches what it names", async () => {
  await staff.addUser("attested@shop.example");
  const browser = await staff.signIn("attested@shop.example");
  const withCertificate = map([[text("x5c"), list([bytes(Buffer.from("a certificate"))])]]);
  for (const format of ["packed", "fido-u2f", "apple", "android-key", "tpm", "android-safetynet"]) {
    const { answer } = await addPasskey(browser, { format, attestationStatement: withCertificate });
    assert.equal(answer.json.error.reason, "passkey_invalid", format);
  }
  const { answer } = await addPasskey(browser, { userVerified: false });
  assert.equal(answer.json.error.reason, "passkey_invalid");
});

test("§13.4.2 a challenge is for one user and one purpose: nobody adds a passkey or proves by another's", async () => {
  await staff.addUser("one@shop.example");
  await staff.addUser("two@shop.example");
  const [one, two] = [await staff.signIn("one@shop.example"), await staff.signIn("two@shop.example")];
  const stolen = new Authenticator(staff.origin);
  const credential = stolen.create(await challenge(one, "/passkeys"));
  const added = await two.post("/passkeys", { name: "Stolen", credential });
  assert.equal(added.json.error.reason, "passkey_invalid");

  const { authenticator } = await addPasskey(one);
  const proof = async (browser: Browser, path: string) => {
    const options = await challenge(path === "/proof/passkey" ? browser : staff.browser(), path);
    return browser.post("/proof/passkey", { credential: authenticator.get(options) });
  };
  await staff.age();
  assert.equal((await proof(two, "/proof/passkey")).status, 401, "another user's passkey");
  assert.equal((await proof(one, "/sign-in/passkey")).status, 401, "a challenge of another purpose");
  assert.equal((await one.get("/account")).json.session.isFresh, false);
  const before = one.cookie;
  assert.equal((await proof(one, "/proof/passkey")).status, 200);
  assert.notEqual(one.cookie, before);
  assert.equal((await one.get("/account")).json.session.isFresh, true);
  await staff.age();
  assert.equal((await one.post("/passkeys/challenge")).json.error.code, "proof_required");
});

test("a user has at most ten passkeys, also when several are added at once", async () => {
  const userId = await staff.addUser("many@shop.example");
  const browser = await staff.signIn("many@shop.example");
  const added = await Promise.all(Array.from({ length: 12 }, () => addPasskey(browser)));
  assert.deepEqual(added.map(({ answer }) => answer.status).sort(), [
    ...Array<number>(10).fill(201),
    ...Array<number>(2).fill(409),
  ]);
  assert.equal((await staff.database.rows(sql`select 1 from passkeys where user_id = ${userId}`)).length, 10);
});
