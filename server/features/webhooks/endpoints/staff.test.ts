import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import type { Endpoint } from "../webhook.ts";
import { describeState } from "./describeState.ts";

let staff: StaffServer;
let business: string;
const browsers = new Map<string, Browser>();
const ROLES = ["owner", "admin", "developer", "read_only"] as const;
before(async () => {
  staff = await startStaffServer();
  const members = await Promise.all(
    ROLES.map(async (role) => [await staff.addUser(`${role}@shop.com`), role] as const),
  );
  business = await staff.addBusiness("hooks", Object.fromEntries(members));
  for (const role of ROLES) browsers.set(role, await staff.signIn(`${role}@shop.com`));
});
after(() => staff?.[Symbol.asyncDispose]());

const path = (environment = "test") => `/businesses/${business}/${environment}/endpoints`;
const as = (role: (typeof ROLES)[number]): Browser => browsers.get(role)!;
const add = async (body: object = { url: "https://shop.com/hooks?token=private" }) =>
  (await as("developer").post(path(), body)).json;

test("§13.8.1 all but read-only members add, change, roll, disable, enable and delete; everyone reads; each act is in the audit log", async () => {
  const added = await add();
  assert.match(added.secret, /^whsec_/);
  assert.deepEqual([added.status, added.eventTypes], ["enabled", ["*"]]);
  const one = `${path()}/${added.id}`;
  for (const [method, url, body] of [
    ["POST", path(), { url: "https://shop.com/" }],
    ["POST", `${path()}/check`, { url: "https://shop.com/" }],
    ["PATCH", one, { url: "https://evil.com/" }],
    ["POST", `${one}/roll`, { grace: "1h" }],
    ["POST", `${one}/test`],
    ["POST", `${one}/disable`],
    ["POST", `${one}/enable`],
    ["DELETE", one],
  ] as const)
    assert.equal((await as("read_only").send(method, url, body)).json.error.code, "forbidden", `${method} ${url}`);
  assert.equal((await as("read_only").get(one)).json.url, "https://shop.com/hooks?token=private");

  const changed = (await as("admin").send("PATCH", one, { eventTypes: ["payment.protected"] })).json;
  assert.deepEqual([changed.eventTypes, changed.url], [["payment.protected"], "https://shop.com/hooks?token=private"]);
  const rolled = (await as("owner").post(`${one}/roll`, { grace: "24h" })).json;
  assert.notEqual(rolled.secret, added.secret);
  assert.notEqual(rolled.previousSecretUntil, null);
  const disabled = (await as("developer").post(`${one}/disable`)).json;
  assert.match(disabled.state, /^Disabled by a person since 2.*Enabling it sends what is held/);
  assert.equal((await as("developer").post(`${one}/enable`)).json.status, "enabled");
  const listed = await as("read_only").get(path());
  assert.equal(listed.json.data.length, 1);
  assert.equal((await as("admin").send("DELETE", one)).json.object, "done");
  assert.equal((await as("admin").get(one)).status, 404);

  const audit = await as("owner").get(`/businesses/${business}/audit`);
  assert.deepEqual(
    audit.json.data.map((entry: { action: string }) => entry.action),
    ["deleted", "enabled", "disabled", "secret_rolled", "changed", "added"].map((word) => `endpoint.${word}`),
  );
  for (const text of [listed.text, audit.text, disabled.state, JSON.stringify(changed)])
    for (const secret of [added.secret, rolled.secret]) assert.ok(!text.includes(secret), "a secret is shown once");
  assert.ok(!audit.text.includes("private"), "the log keeps no query of a URL");
});

test("§13.8.1 secrets and where events go need a recent proof; disabling what misbehaves does not", async () => {
  const { id } = await add();
  const one = `${path()}/${id}`;
  await staff.age();
  for (const [method, url, body] of [
    ["POST", path(), { url: "https://shop.com/" }],
    ["PATCH", one, { url: "https://evil.com/" }],
    ["POST", `${one}/roll`, { grace: "1h" }],
    ["DELETE", one, undefined],
  ] as const)
    assert.equal((await as("owner").send(method, url, body)).json.error.code, "proof_required", `${method} ${url}`);
  assert.equal((await as("owner").post(`${one}/disable`)).status, 200);
  await staff.database.rows(sql`update sessions set proven_at = now()`);
});

test("§13.13.4 a user has thirty checks and tests in a minute", async () => {
  const { id } = await add();
  const user = await staff.addUser("restless@shop.com");
  await staff.database.rows(
    sql`insert into members (business_id, user_id, role, created_at) values (${business}, ${user}, 'developer', now())`,
  );
  const browser = await staff.signIn("restless@shop.com");
  for (let looks = 1; looks <= 29; looks++) staff.ctx.countLook(user);
  const check = () => browser.post(`${path()}/check`, { url: "https://shop.com/" });
  assert.deepEqual([(await check()).status, (await check()).status], [200, 429]);
  assert.equal((await browser.post(`${path()}/${id}/test`)).json.error.code, "rate_limited");
});

test("§6.1.5 a URL is checked as it will be at every delivery; what DNS says is a warning", async () => {
  const check = async (url: string) => (await as("developer").post(`${path()}/check`, { url })).json;
  assert.deepEqual(await check("https://SHOP.com:443/hooks"), {
    object: "endpoint_url_check",
    url: "https://shop.com/hooks",
    problem: null,
    warning: null,
  });
  assert.match((await check("http://shop.com/")).problem, /https/);
  assert.match((await check("https://203.0.113.7/")).problem, /not an IP address/);
  const refused = (await as("developer").post(path(), { url: "https://127.0.0.1/" })).json;
  assert.equal(refused.error.param, "url");
  const types = (await as("developer").post(path(), { url: "https://shop.com/", eventTypes: ["payment.*"] })).json;
  assert.equal(types.error.param, "eventTypes");
});

test("§6.7 the state in words says since when, why, what is held and what enabling does", () => {
  const well = {
    status: "enabled",
    disabledAt: null,
    abandonedInARow: 0,
    failingSince: null,
    lastError: null,
  } as const;
  const endpoint = { id: "we_1", ...well } as unknown as Endpoint;
  const held = { endpointId: "we_1", pending: 0, oldestAt: null };
  assert.equal(describeState(endpoint, held), "Enabled. No delivery waits to be sent.");
  assert.equal(
    describeState({ ...endpoint, abandonedInARow: 4 }, { ...held, pending: 12 }),
    "Enabled. 12 deliveries wait to be sent. 4 of the last deliveries were abandoned; 5 in a row disable the endpoint.",
  );
  const disabledAt = new Date("2026-11-20T09:00:00.000Z");
  assert.equal(
    describeState({ ...endpoint, status: "failing", disabledAt, abandonedInARow: 5 }, { ...held, pending: 1_000 }),
    "Failing since 2026-11-20T09:00:00.000Z: 5 deliveries in a row were abandoned after all their attempts. 1000 or more deliveries are held, and new events are held as they come. Enabling it sends what is held, each from the attempt it had reached, and sets the count of abandoned deliveries to 0.",
  );
});
