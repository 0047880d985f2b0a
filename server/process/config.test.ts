import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, readConfig } from "./config.ts";
import { openChain } from "./openChain.ts";
import { settingWarnings } from "./settingWarnings.ts";

const ADDRESS = "So11111111111111111111111111111111111111112";
const TEST_CHAIN = { TEST_RPC_URLS: "http://127.0.0.1:8899", TEST_PROGRAM_ID: ADDRESS, TEST_OPERATOR: ADDRESS };

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split("\n");
  }
}

test("half the settings of a chain are reported, and the local chain does not replace it", () => {
  assert.deepEqual(problemsOf({ TEST_PROGRAM_ID: ADDRESS, TEST_RPC_URL: "http://127.0.0.1:8899" }), [
    "TEST_PROGRAM_ID is set without TEST_RPC_URLS. Set both, or neither.",
  ]);
  for (const companion of ["WS_URLS", "OPERATOR", "KEEPER_KEY_FILE"])
    assert.deepEqual(problemsOf({ ...TEST_CHAIN, [`LIVE_${companion}`]: "anything" }), [
      `LIVE_${companion} is set without LIVE_RPC_URLS. Set both, or neither.`,
    ]);
  assert.deepEqual(problemsOf({ TEST_RPC_URLS: "http://127.0.0.1:8899" }), [
    "TEST_PROGRAM_ID is needed with the RPC URLs.",
    "TEST_OPERATOR is needed with the RPC URLs.",
  ]);
  assert.deepEqual(problemsOf(TEST_CHAIN), []);
  assert.deepEqual(readConfig({}).chains, []);
});

test("nothing public starts a demo: without a chain a public address or a database of one's own is refused", () => {
  assert.deepEqual(problemsOf({ HOST: "0.0.0.0", CHECKOUT_URL: "https://pay.example.com" }), [
    "TEST_RPC_URLS or LIVE_RPC_URLS is needed where CHECKOUT_URL is https and HOST is not this machine alone: without one the service plays a demo. LOCAL=on allows the demo.",
  ]);
  for (const [name, value] of [
    ["API_URL", "https://pay.example.com/api/v1"],
    ["DASHBOARD_URL", "https://dash.example.com/dashboard"],
    ["HOST", "::"],
    ["HOST", "127.example.com"],
    ["DATABASE_URL", "postgresql://holdfast@db.internal/holdfast"],
  ] as const) {
    assert.match(problemsOf({ [name]: value }).join(), new RegExp(`RPC_URLS is needed where ${name}`));
    assert.deepEqual(problemsOf({ [name]: value, LOCAL: "on" }), []);
    assert.deepEqual(problemsOf({ [name]: value, ...TEST_CHAIN }), []);
  }
  for (const HOST of ["127.0.0.1", "::1", "localhost"]) assert.deepEqual(problemsOf({ HOST }), []);
});

test("an error about an address does not repeat its password or key", () => {
  assert.deepEqual(
    problemsOf({
      ...TEST_CHAIN,
      DATABASE_URL: "mysql://shop:hunter2@db.example.com/shop",
      TEST_RPC_URLS: "rpc.example.com/?api-key=hunter2",
    }),
    [
      "DATABASE_URL must be an address that starts with postgres:// or postgresql://.",
      "TEST_RPC_URLS must be an address that starts with http:// or https://.",
    ],
  );
});

test("HOLD takes the parts it knows, and nothing else passes for one", () => {
  assert.deepEqual([...readConfig({}).held], []);
  assert.deepEqual([...readConfig({ HOLD: "keeper, webhooks" }).held], ["webhooks", "keeper"]);
  assert.deepEqual(problemsOf({ HOLD: "webhook" }), [
    'HOLD takes webhooks, keeper, or several of them between commas; not "webhook".',
  ]);
});

test("who runs the site has a name, and perhaps an https page", () => {
  assert.equal(readConfig({}).siteOperator, null);
  const given = { OPERATOR_NAME: "Fernweh Payments", OPERATOR_URL: "https://fernweh.example/imprint" };
  assert.deepEqual(readConfig(given).siteOperator, {
    name: "Fernweh Payments",
    url: "https://fernweh.example/imprint",
  });
  assert.deepEqual(problemsOf({ OPERATOR_URL: "https://fernweh.example" }), [
    "OPERATOR_URL is set without OPERATOR_NAME: a link needs a name.",
  ]);
  for (const url of ["http://fernweh.example", "javascript:alert(1)", "fernweh.example"])
    assert.match(
      problemsOf({ ...given, OPERATOR_URL: url }).join(),
      /OPERATOR_URL must be an address that starts with https/,
    );
});

test("the arbiter's name and domain belong to a chain, and have a form", () => {
  const [chain] = readConfig({
    ...TEST_CHAIN,
    TEST_ARBITER_NAME: "Schlichtung Nord",
    TEST_ARBITER_DOMAIN: "nord.example",
  }).chains;
  assert.deepEqual(chain?.arbiterLabel, { name: "Schlichtung Nord", domain: "nord.example" });
  assert.deepEqual(readConfig(TEST_CHAIN).chains[0]?.arbiterLabel, { name: null, domain: null });
  for (const name of [" Nord", "Nord ", "a\nb", "x".repeat(101)])
    assert.match(
      problemsOf({ ...TEST_CHAIN, TEST_ARBITER_NAME: name }).join(),
      /TEST_ARBITER_NAME must be a name of 1 to 100/,
    );
  for (const domain of ["https://nord.example", "nord", "Nord.example", "nord.example/", "-nord.example", "1.2.3.4"])
    assert.match(
      problemsOf({ ...TEST_CHAIN, TEST_ARBITER_DOMAIN: domain }).join(),
      /TEST_ARBITER_DOMAIN must be a domain/,
    );
  assert.match(problemsOf({ LIVE_ARBITER_NAME: "x" }).join(), /LIVE_ARBITER_NAME is set without LIVE_RPC_URLS/);
});

test("what a setting confirms is a list of addresses, of hashes, or that an authority was given up", () => {
  const hash = "ab".repeat(32);
  const [chain] = readConfig({
    ...TEST_CHAIN,
    TEST_ARBITER: `${ADDRESS}, 11111111111111111111111111111111`,
    TEST_UPGRADE_AUTHORITY: "none",
    TEST_PROGRAM_HASH: hash,
  }).chains;
  assert.deepEqual(chain?.confirmed, {
    arbiters: new Set([ADDRESS, "11111111111111111111111111111111"]),
    upgradeAuthorities: new Set(["none"]),
    programHashes: new Set([hash]),
  });
  for (const [name, wrong] of [
    ["TEST_ARBITER", "none"],
    ["TEST_UPGRADE_AUTHORITY", "None"],
    ["TEST_PROGRAM_HASH", hash.toUpperCase()],
    ["TEST_PROGRAM_HASH", hash.slice(1)],
  ] as const)
    assert.match(problemsOf({ ...TEST_CHAIN, [name]: wrong }).join(), new RegExp(`^${name} must be`));
  for (const name of ["LIVE_ARBITER", "LIVE_UPGRADE_AUTHORITY", "LIVE_PROGRAM_HASH"])
    assert.match(problemsOf({ [name]: ADDRESS }).join(), new RegExp(`${name} is set without LIVE_RPC_URLS`));
});

test("§13.4.8 the start warns where buyers come from outside and staff cannot sign in there", () => {
  const outside = { API_URL: "https://pay.example.com/api/v1", CHECKOUT_URL: "https://pay.example.com" };
  const warningsOf = (env: Record<string, string>) =>
    settingWarnings(readConfig({ ...TEST_CHAIN, CLIENT_ADDRESS_HEADER: "X-Forwarded-For", ...env }));
  for (const url of [outside, { CHECKOUT_URL: "http://192.0.2.7:3000" }]) {
    const [warning, ...more] = warningsOf(url);
    assert.match(
      String(warning),
      /^DASHBOARD_URL is not set to a public address .* http:\/\/localhost:3000\/dashboard /,
    );
    assert.deepEqual(more, []);
  }
  assert.deepEqual(warningsOf({ ...outside, DASHBOARD_URL: "https://pay.example.com/dashboard" }), []);
  for (const local of [{}, { CHECKOUT_URL: "http://127.0.0.1:3000", API_URL: "http://shop.localhost:3000/api/v1" }])
    assert.deepEqual(warningsOf(local), []);
  const shared = settingWarnings(
    readConfig({ ...TEST_CHAIN, ...outside, DASHBOARD_URL: "https://pay.example.com/dashboard" }),
  );
  assert.match(shared.join(), /^CLIENT_ADDRESS_HEADER is not set/);
});

test("§13.1.7 the dashboard is at a name by https, or on localhost; letters need both their settings", () => {
  for (const url of ["https://dash.example.com", "http://localhost:3000/dashboard", "http://dash.localhost:3000"])
    assert.deepEqual(problemsOf({ ...TEST_CHAIN, DASHBOARD_URL: url }), []);
  for (const url of [
    "http://dash.example.com",
    "http://127.0.0.1:3000",
    "https://203.0.113.7",
    "https://[::1]",
    "dash",
  ])
    assert.equal(problemsOf({ ...TEST_CHAIN, DASHBOARD_URL: url }).length, 1, url);
  const SMTP_URL = "smtp://user:hunter2@mail.example.com";
  const problems = [...problemsOf({ SMTP_URL }), ...problemsOf({ MAIL_FROM: "a@b.example" })];
  assert.equal(problems.length, 2);
  assert.ok(!problems.join().includes("hunter2"));
  assert.deepEqual(readConfig({ SMTP_URL, MAIL_FROM: "a@b.example" }).mail, { smtpUrl: SMTP_URL, from: "a@b.example" });
});

test("a mint that is no address is reported", () => {
  assert.deepEqual(problemsOf({ ALLOWED_MINTS: `${ADDRESS}, usdc` }), [
    'ALLOWED_MINTS must be Solana addresses; "usdc" is none.',
  ]);
  assert.deepEqual([...readConfig({ ALLOWED_MINTS: ` ${ADDRESS},` }).allowedMints], [ADDRESS]);
});

test("amounts from which a second node is asked are pairs, and need a second node", () => {
  const two = { ...TEST_CHAIN, TEST_RPC_URLS: "https://one.example,https://two.example" };
  const read = (text: string) => readConfig({ ...two, TEST_SECOND_NODE_FROM: text }).chains[0]!.secondNodeFrom;
  assert.deepEqual(
    [...read(`${ADDRESS}=1000, *=1`)],
    [
      [ADDRESS, 1_000n],
      ["*", 1n],
    ],
  );
  for (const wrong of ["1000", `${ADDRESS}=0`, "usdc=5", `${ADDRESS}=1.5`])
    assert.deepEqual(problemsOf({ ...two, TEST_SECOND_NODE_FROM: wrong }), [
      `TEST_SECOND_NODE_FROM must be mint=amount pairs, or *=amount, not "${wrong}".`,
    ]);
  assert.deepEqual(problemsOf({ ...TEST_CHAIN, TEST_SECOND_NODE_FROM: "*=1" }), [
    "TEST_SECOND_NODE_FROM needs two RPC URLs at least.",
  ]);
});

test("a key file of the keeper that holds no key is named and never quoted", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-keeper-"));
  try {
    const keeperKeyFile = join(folder, "keeper.json");
    const [settings] = readConfig({ ...TEST_CHAIN, TEST_KEEPER_KEY_FILE: keeperKeyFile }).chains;
    const open = () => openChain(settings!, () => undefined);
    await assert.rejects(open, { message: `The keeper's key file ${keeperKeyFile} cannot be read (ENOENT).` });
    for (const text of ["hunter2", "[1, 2, 3]", JSON.stringify(Array.from({ length: 64 }, () => 256))]) {
      await writeFile(keeperKeyFile, text);
      await assert.rejects(open, { message: `The keeper's key file ${keeperKeyFile} is no JSON array of 64 bytes.` });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
