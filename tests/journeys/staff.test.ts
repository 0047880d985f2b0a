import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { admin } from "../harness/admin.ts";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import { DocumentCheck } from "../harness/document.ts";
import { exchange } from "../harness/http.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";

const MINUTE_MS = 60_000;

let service: RunningService;
let second: ApiProcess;
let ready: { dashboardUrl: string; dashboardLogin: { email: string; password: string } };
before(async () => {
  service = await sharedService();
  ready = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
  second = await startApiProcess(service, { DASHBOARD_URL: ready.dashboardUrl });
});
after(async () => {
  await second?.kill("SIGTERM");
  await service?.remove();
});

const browserAt = (port = service.port): Browser =>
  new Browser(`http://localhost:${port}`, new URL(ready.dashboardUrl).origin);

const askWithKey = async (key: string, method = "GET", path = "/me"): Promise<number> =>
  (await exchange(method, `${service.apiUrl}${path}`, { headers: [["Authorization", `Bearer ${key}`]] })).status;

async function signIn(login: { email: string; password: string }, port = service.port): Promise<Browser> {
  const browser = browserAt(port);
  const answer = await browser.post("/sign-in", login);
  assert.equal(answer.status, 200, answer.text);
  return browser;
}

/** A user of the deployment, by the operator's link. */
async function addUser(email: string) {
  const { link } = await admin(service, "user", "add", email);
  const [address, secret] = link.split("#link=");
  assert.equal(address, `${ready.dashboardUrl}/password`);
  const login = { email, password: "correct horse battery" };
  const set = await browserAt().post("/password-resets/complete", { link: secret, password: login.password });
  assert.equal(set.status, 200, set.text);
  return login;
}

test("§10.1 every list and page of an environment without a chain answers a member", async () => {
  const browser = await signIn(ready.dashboardLogin);
  const { paths } = (await browser.get("/openapi.json")).json;
  const inTenant = Object.entries(paths as Record<string, object>).filter(
    ([path, operations]) => /^\/businesses\/\{business\}\/\{environment\}\/[\w/-]+$/.test(path) && "get" in operations,
  );
  assert.ok(inTenant.length > 10, `${inTenant.length} operations`);
  for (const [path] of inTenant) {
    const answer = await browser.get(path.replace("{business}", service.business).replace("{environment}", "live"));
    assert.ok(answer.status < 500, `${path}: ${answer.status} ${answer.text}`);
  }
});

test("§13.7 the demo user adds a business; a key works, is rolled, is revoked and 401 at once", async () => {
  const browser = await signIn(ready.dashboardLogin);
  assert.match(browser.cookie!, /^holdfast_session=/, "by http on localhost the cookie has no prefix");
  const { businesses } = (await browser.get("/account")).json;
  assert.deepEqual(
    businesses.find((one: { id: string }) => one.id === service.business),
    { id: service.business, name: "Demo shop", role: "owner" },
  );
  const { id } = (await browser.post("/businesses", { name: "Second shop" })).json;
  const keys = `/businesses/${id}/test/keys`;
  const issued = (await browser.post(keys, { name: "Server" })).json;
  const issuedAt = Date.now();
  assert.equal(await askWithKey(issued.secret), 200);
  const used = (await browser.get(keys)).json.data[0];
  assert.ok(Date.parse(used.lastUsedAt) >= issuedAt - MINUTE_MS, "it is kept to the minute");
  const rolled = (await browser.post(`${keys}/${issued.id}/roll`, { grace: "1h" })).json;
  assert.deepEqual([await askWithKey(issued.secret), await askWithKey(rolled.secret)], [200, 200]);
  assert.equal((await browser.post(`${keys}/${rolled.id}/revoke`)).json.state, "revoked");
  assert.deepEqual([await askWithKey(issued.secret), await askWithKey(rolled.secret)], [401, 401]);
  const reader = (await browser.post(keys, { name: "Reports", scope: "read" })).json;
  const still = (await browser.post(`${keys}/${reader.id}/roll`, { grace: "1h" })).json;
  for (const { secret } of [reader, still]) {
    assert.equal(await askWithKey(secret), 200);
    assert.equal(await askWithKey(secret, "POST", "/payment-intents"), 403);
  }
  const live = await browser.post(`/businesses/${id}/live/keys`, { name: "Server" });
  assert.equal(live.json.error.reason, "chain_not_configured");
});

test("§13.6 what is done at the command line is in the audit log beside what users do", async () => {
  const login = await addUser("auditor@shop.example");
  const { id } = await admin(service, "business", "add", "Audited shop");
  await admin(service, "member", "add", id, login.email, "--role", "admin");
  const key = await admin(service, "key", "add", id, "--name", "By hand");
  await admin(service, "key", "revoke", key.id);
  const browser = await signIn(login);
  await browser.post(`/businesses/${id}/invitations`, { email: "guest@shop.example", role: "read_only" });
  const { data } = (await browser.get(`/businesses/${id}/audit`)).json;
  assert.deepEqual(
    data.map((entry: { action: string; actor: { id: string } }) => [entry.action, entry.actor.id === "cli"]),
    [
      ["invitation.link_made", false],
      ["invitation.made", false],
      ["key.revoked", true],
      ["key.issued", true],
      ["member.added", true],
      ["business.added", true],
    ],
  );
  const listed = await admin(service, "audit", "list", id);
  assert.equal(listed.data.length, 6);
  assert.equal((await browser.post("/businesses", { name: "Mine" })).status, 403);

  // Without mail the operator hands the invitation's link out.
  const { link } = await admin(service, "member", "invitation-link", id, "guest@shop.example");
  const guest = browserAt();
  const invitation = link.split("#invitation=")[1];
  const joined = await guest.post("/sign-up/invitation", {
    invitation,
    name: "Guest",
    password: "correct horse battery",
  });
  assert.equal(joined.status, 200, joined.text);
  assert.equal((await guest.get(`/businesses/${id}`)).json.role, "read_only");
});

test("§13.9 a failed create is found by its Request-Id, with what was sent but no metadata and no key", async () => {
  const login = await addUser("finder@shop.example");
  const { id } = await admin(service, "business", "add", "Asking shop");
  for (const business of [id, service.business]) await admin(service, "member", "add", business, login.email);
  const browser = await signIn(login);
  const { secret, id: key } = (await browser.post(`/businesses/${id}/test/keys`, { name: "Server" })).json;
  const body = JSON.stringify({ amount: "-1", metadata: { buyer: "private" }, merchantReference: "order-9" });
  const headers = [
    ["Authorization", `Bearer ${secret}`],
    ["Content-Type", "application/json"],
  ] as const;
  const failed = await exchange("POST", `${service.apiUrl}/payment-intents`, { headers, body });
  assert.equal(failed.status, 400);
  const path = `/businesses/${id}/test/requests`;
  const requestId = String(failed.headers["request-id"]);
  const found = await eventually("the request is written", async () => {
    const answer = await browser.get(`${path}/${requestId}`);
    return answer.status === 200 && answer;
  });
  const { key: usedKey, method, status, errorCode, body: kept } = found.json;
  assert.deepEqual([usedKey, method, status, errorCode], [key, "POST", 400, failed.json.error.code]);
  assert.deepEqual(JSON.parse(kept), { amount: "-1", merchantReference: "order-9" });
  for (const text of [secret, "private"]) assert.ok(!found.text.includes(text));
  const { data } = (await browser.get(`${path}?error_code=${errorCode}`)).json;
  assert.deepEqual(
    data.map((one: { id: string }) => one.id),
    [requestId],
  );
  assert.equal((await browser.get(`/businesses/${service.business}/test/requests/${requestId}`)).status, 404);
});

test("§13.4.5 two processes count one account's passwords together: ten tries are made, not one more", async () => {
  const login = await addUser("target@shop.example");
  const wrong = { ...login, password: "wrong password here" };
  const ports = [service.port, second.service.port];
  const guesses = Array.from({ length: 16 }, (_, index) => browserAt(ports[index % 2]).post("/sign-in", wrong));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), ...Array<number>(6).fill(429)]);
  for (const port of ports) assert.equal((await browserAt(port).post("/sign-in", login)).status, 429);
  // The operator's link lifts it.
  const { link } = await admin(service, "user", "reset-link", login.email);
  const password = "another horse battery";
  await browserAt().post("/password-resets/complete", { link: link.split("#link=")[1], password });
  await signIn({ email: login.email, password }, second.service.port);
});

test("§13.1.8 a session that is ended in one process is over in the other with its next request", async () => {
  const login = await addUser("roaming@shop.example");
  const [here, there] = [await signIn(login), await signIn(login, second.service.port)];
  const elsewhere = browserAt(second.service.port);
  elsewhere.cookie = here.cookie;
  assert.equal((await elsewhere.get("/account")).status, 200);
  const { data } = (await there.get("/sessions")).json;
  const other = data.find((one: { isCurrent: boolean }) => !one.isCurrent);
  assert.equal((await there.send("DELETE", `/sessions/${other.id}`)).status, 200);
  assert.deepEqual([(await here.get("/account")).status, (await elsewhere.get("/account")).status], [401, 401]);
  await admin(service, "user", "sign-out", login.email);
  assert.equal((await there.get("/account")).status, 401);
});

test("the staff API's document is valid OpenAPI, and its answers are as it says", async () => {
  const served = await exchange("GET", `http://localhost:${service.port}/staff/v1/openapi.json`);
  const document = JSON.parse(served.text);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
  const check = new DocumentCheck(document);
  const login = await addUser("reader@shop.example");
  const browser = await signIn(login);
  const { id } = await admin(service, "business", "add", "Documented shop");
  await admin(service, "member", "add", id, login.email);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await browser.send(method, path, body);
    check.check(method, path, answer);
    return answer;
  };
  const shop = `/businesses/${id}`;
  for (const path of [
    "/account",
    "/sessions",
    "/passkeys",
    shop,
    `${shop}/profile`,
    `${shop}/members`,
    `${shop}/invitations`,
  ])
    assert.equal((await ask("GET", path)).status, 200);
  await ask("PATCH", `${shop}/profile`, { refundPolicy: "30 days.", supportContact: "help@shop.example" });
  const key = (await ask("POST", `${shop}/test/keys`, { name: "Server" })).json;
  await ask("POST", `${shop}/test/keys/${key.id}/roll`, { grace: "none" });
  await ask("GET", `${shop}/test/keys`);
  await ask("POST", `${shop}/invitations`, { email: "new@shop.example", role: "developer" });
  await ask("GET", `${shop}/audit?limit=1`);
  await ask("POST", "/passkeys/challenge");
  await ask("POST", "/proof", login);
  await ask("POST", "/proof", { password: login.password });
  await ask("POST", "/authenticator-app");
  await ask("POST", "/authenticator-app/confirm", { code: "000000" });
  await ask("POST", "/backup-codes");
  await ask("POST", "/sign-in", { email: "nobody@shop.example", password: "wrong password here" });
  await ask("POST", "/password-resets", { email: "nobody@shop.example" });
  await ask("DELETE", "/sessions/ses_none");
  await ask("GET", "/operator/businesses");
  await ask("POST", "/sign-out");
  await ask("GET", "/account");
});
