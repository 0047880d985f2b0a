import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { aPng, PLACE, pngChunk } from "../../lib/pictures/testing/pictures.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

test("§13.5 a profile is changed field by field, with its audit entry; all wrong ones are named at once, and a stale proof refused", async () => {
  const owner = await staff.addUser("ada@shop.example");
  const business = await staff.addBusiness("Shop", { [owner]: "owner" });
  const browser = await staff.signIn("ada@shop.example");
  const path = `/businesses/${business}/profile`;
  const change = (body: unknown) => browser.send("PATCH", path, body);
  const policy = "Rückgabe: 30 days.\r\nUnused.";
  const first = (await change({ name: "New shop", refundPolicy: policy, returnUrl: "https://Shop.example" })).json;
  assert.deepEqual(first, {
    object: "business_profile",
    id: business,
    name: "New shop",
    domain: null,
    supportContact: null,
    refundPolicy: policy,
    refundPolicyHash: createHash("sha256").update(policy).digest("hex"),
    returnUrl: "https://shop.example/",
    intentLifetimeMinutes: null,
    reportingCurrency: null,
    timeZone: null,
    locale: null,
    color: null,
    logo: null,
    emailName: null,
    emailLine: null,
    emailReplyTo: null,
  });
  const next = {
    ...{ supportContact: "help@shop.example", returnUrl: null, intentLifetimeMinutes: 15 },
    ...{ reportingCurrency: "EUR", timeZone: "Europe/Berlin" },
    ...{ emailName: "Roastery", emailLine: "Thank you.", emailReplyTo: "help@shop.example" },
  };
  const second = { ...first, ...next };
  assert.deepEqual((await change(next)).json, second);

  for (const [field, wrong] of [
    ["name", null],
    ["name", ""],
    ["name", "Shop\u202e"],
    ["name", "PayPal verified domain"],
    ["name", "paypal.com"],
    ["supportContact", "javascript:alert(1)"],
    ["supportContact", 1],
    ["refundPolicy", " "],
    ["returnUrl", "http://shop.example/"],
    ["returnUrl", "https://{intentId}.example/"],
    ["intentLifetimeMinutes", 14],
    ["intentLifetimeMinutes", "15"],
    ["intentLifetimeMinutes", 15.5],
    ["intentLifetimeMinutes", 10_081],
    ["reportingCurrency", "EURO"],
    ["reportingCurrency", "XYZ"],
    ["timeZone", "Mars/Base"],
    ["timeZone", "+01:00"],
    ["emailName", "x".repeat(41)],
    ["emailName", "paypal.com"],
    ["emailLine", "Log in at https://evil.example"],
    ["emailLine", "See evil.com"],
    ["emailLine", "one\r\nBcc: two"],
    ["emailReplyTo", "a@shop.example\r\nBcc: b@shop.example"],
    ["color", "green"],
    ["color", "#808080"],
    ["logo", "not base64"],
    ["logo", Buffer.from("<svg/>").toString("base64")],
    ["logo", aPng(1_001, 1_000).toString("base64")],
    ["domain", "shop.example"],
  ] as const) {
    const { status, json } = await change({ supportContact: "other@shop.example", [field]: wrong });
    assert.deepEqual([status, json.error.code, json.error.param], [400, "invalid_request", field], String(wrong));
  }
  const { error } = (await change({ timeZone: "Mars/Base", supportContact: "x", color: "#808080", nothing: 1 })).json;
  assert.equal(error.param, "supportContact");
  assert.deepEqual(
    error.others.map(({ param }: { param: string }) => param),
    ["timeZone", "color", "nothing"],
  );
  assert.match(error.others[0].message, /a time zone such as/);
  await staff.age();
  assert.equal((await change({ name: "Stolen shop" })).json.error.code, "proof_required");

  assert.deepEqual((await browser.get(path)).json, second);
  const { data } = (await browser.get(`/businesses/${business}/audit`)).json;
  assert.deepEqual(
    data.map(({ action, details }: { action: string; details: unknown }) => [action, details]),
    [
      ["business.changed", next],
      [
        "business.changed",
        { name: "New shop", returnUrl: "https://shop.example/", refundPolicyHash: first.refundPolicyHash },
      ],
    ],
  );
});

test("§2.3.7 a logo is kept without its metadata, and served by its hash from our own addresses as a picture alone", async () => {
  const owner = await staff.addUser("logo@shop.example");
  const business = await staff.addBusiness("Logo shop", { [owner]: "owner" });
  const browser = await staff.signIn("logo@shop.example");
  const change = (body: unknown) => browser.send("PATCH", `/businesses/${business}/profile`, body);
  const [plain, secret] = [aPng(), pngChunk("tEXt", Buffer.from(PLACE))];
  const sent = Buffer.concat([plain.subarray(0, 33), secret, plain.subarray(33)]);
  const { json } = await change({ logo: sent.toString("base64"), color: "#5B3A8C" });
  assert.deepEqual([json.logo, json.color], [createHash("sha256").update(plain).digest("hex"), "#5b3a8c"]);
  for (const path of ["/pay/logos", "/staff/v1/logos"]) {
    const answer = await fetch(`${staff.url}${path}/${json.logo}`);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), plain);
    const headers = [
      "content-type",
      "x-content-type-options",
      "cross-origin-resource-policy",
      "cache-control",
    ] as const;
    assert.deepEqual(
      headers.map((name) => answer.headers.get(name)),
      ["image/png", "nosniff", "same-origin", "public, max-age=31536000, immutable"],
    );
    assert.match(answer.headers.get("content-security-policy")!, /^default-src 'none'/);
  }
  assert.match((await change({ color: "#808080" })).json.error.message, /white has a contrast of 3\.9, dark 4\.2/);
  assert.match((await change({ logo: aPng(1_001, 1_000).toString("base64") })).json.error.message, /1 megapixel/);
  assert.match((await change({ logo: Buffer.alloc(100_001).toString("base64") })).json.error.message, /100 kB/);
  assert.equal((await change({ logo: null })).json.logo, null);
  for (const hash of [json.logo, "..%2Fetc", "x"])
    assert.equal((await fetch(`${staff.url}/pay/logos/${hash}`)).status, 404);
});

test("§2.3.6 a new business's name is held to the same rules, in one spelling, and the answer names the field", async () => {
  await staff.addUser("operator@shop.example", { isOperator: true });
  const browser = await staff.signIn("operator@shop.example");
  const { status, json } = await browser.post("/businesses", { name: "PayPal ✓" });
  assert.deepEqual([status, json.error.code, json.error.param], [400, "invalid_request", "name"]);
  assert.match(json.error.message, /tick/);
  assert.equal((await browser.post("/businesses", { name: "Cafe\u0301" })).json.name, "Café");
});

test("§13.5.7 a business names the environments that are set up, and the program and the operator account of each", async () => {
  const business = await staff.addBusiness("Chains", { [await staff.addUser("grace@shop.example")]: "read_only" });
  const browser = await staff.signIn("grace@shop.example");
  await staff.database.rows(sql`delete from chains where environment = 'live'`);
  const { environments, programs } = (await browser.get(`/businesses/${business}`)).json;
  assert.deepEqual(environments, ["test"]);
  assert.deepEqual(programs, { test: { programId: "program", operator: "operator" }, live: null });
});
