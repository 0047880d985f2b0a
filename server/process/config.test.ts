import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, readConfig } from "./config.ts";
import { openChain } from "./openChain.ts";
import { settingWarnings } from "./settingWarnings.ts";

const ADDRESS = "So11111111111111111111111111111111111111112";
const CHAIN = { rpcUrls: "http://127.0.0.1:8899", programId: ADDRESS, operator: ADDRESS };
const chain = (members: object = {}) => ({ TEST_CHAIN: JSON.stringify({ ...CHAIN, ...members }) });
const TEST_CHAIN = chain();
const readChain = (members: object) => readConfig(chain(members)).chains[0]!;

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
  assert.deepEqual(problemsOf({ TEST_CHAIN: "{}", HOST: "0.0.0.0" }), [
    "rpcUrls in TEST_CHAIN is needed.",
    "programId in TEST_CHAIN is needed.",
    "operator in TEST_CHAIN is needed.",
  ]);
  assert.deepEqual(problemsOf(chain({ rpcUrls: [], keeper: {}, sponsor: { keyFiles: [], amountsMin: {} } })), [
    "rpcUrls in TEST_CHAIN must have 1 at least.",
    "keeper.keyFile in TEST_CHAIN is needed.",
    "sponsor.keyFiles in TEST_CHAIN must have 1 at least.",
  ]);
  assert.deepEqual(problemsOf(chain({ sponsor: { keyFiles: "sponsor.json", amountsMin: {} } })), [
    "sponsor.amountsMin in TEST_CHAIN must name the tokens that are sponsored.",
  ]);
  assert.deepEqual(problemsOf(TEST_CHAIN), []);
  assert.deepEqual(readConfig({}).chains, []);
});

test("a chain is JSON or the path of a file that holds it, and no error repeats what it holds", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-chain-"));
  try {
    const path = join(folder, "live.json");
    assert.deepEqual(problemsOf({ LIVE_CHAIN: path }), [
      `LIVE_CHAIN names a file, ${path}, that cannot be read (ENOENT).`,
    ]);
    const text = JSON.stringify({ ...CHAIN, keeper: { keyFile: "/etc/keeper.json" } }, null, 2);
    await writeFile(path, text);
    assert.deepEqual(readConfig({ LIVE_CHAIN: path }), readConfig({ LIVE_CHAIN: text }));
    const [live] = readConfig({ LIVE_CHAIN: path }).chains;
    assert.deepEqual(
      [live?.environment, live?.rpcUrls, live?.keeper?.concurrency],
      ["live", ["http://127.0.0.1:8899"], 16],
    );
    await writeFile(path, text.replace("8899", 'hunter2"'));
    const [problem, ...more] = problemsOf({ LIVE_CHAIN: path });
    assert.match(String(problem), /^LIVE_CHAIN names a file, .*live\.json, that is no JSON \(line 2 column \d+\)\.$/);
    assert.deepEqual(more, []);
    assert.deepEqual(problemsOf({ TEST_CHAIN: '{ "rpcUrls": hunter2' }), ["TEST_CHAIN holds a text that is no JSON."]);
    for (const [given, problem] of [
      ["https://node.example/?api-key=hunter2", "TEST_CHAIN holds a text that is no JSON."],
      ['["https://node.example/?api-key=hunter2"]', "TEST_CHAIN must be a JSON object."],
    ] as const)
      assert.deepEqual(problemsOf({ TEST_CHAIN: given }), [problem]);
    await writeFile(path, '["hunter2"]');
    assert.deepEqual(problemsOf({ LIVE_CHAIN: path }), ["LIVE_CHAIN must be a JSON object."]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a variable of before is refused with its present name, and so is a member that nothing has", () => {
  for (const [old, now] of [
    ["LIVE_KEEPER_KEY_FILE", "keeper.keyFile in LIVE_CHAIN"],
    ["TEST_RPC_URLS", "rpcUrls in TEST_CHAIN"],
    ["TEST_SPONSOR_AMOUNTS_MIN", "sponsor.amountsMin in TEST_CHAIN"],
    ["LOCAL_SLOT_MS", "slotMs in LOCAL_CHAIN"],
    ["REVERT_APART_MS", "revertApartMs in TEST_CHAIN and LIVE_CHAIN"],
  ] as const)
    assert.deepEqual(problemsOf({ ...TEST_CHAIN, [old]: "anything" }), [`${old} is now ${now}.`]);
  assert.deepEqual(problemsOf(chain({ keeperKeyFile: "a", rpcUrl: "b", keeper: { keyFile: "c", keyfiles: "d" } })), [
    "keeperKeyFile in TEST_CHAIN is unknown. Did you mean keeper.keyFile?",
    "rpcUrl in TEST_CHAIN is unknown. Did you mean rpcUrls?",
    "keeper.keyfiles in TEST_CHAIN is unknown. Did you mean keyFile?",
  ]);
});

test("each wrong value has a line, also inside a chain", () => {
  const problems = problemsOf({
    ...chain({
      wsUrls: ["ws://hunter2", "http://hunter2"],
      operator: 5,
      sweepMs: "60",
      keeper: { keyFile: "[1,2,3]", concurrency: 65 },
      sponsor: "on",
    }),
    PORT: "0",
    LOCAL_CHAIN: '{"slotMs":1}',
  });
  assert.deepEqual(problems, [
    "PORT must be a whole number from 1 to 65000, not 0.",
    "wsUrls in TEST_CHAIN must be an address that starts with ws:// or wss://.",
    "operator in TEST_CHAIN must be a Solana address, not 5.",
    'sweepMs in TEST_CHAIN must be a whole number from 20 to 60000, not "60".',
    "keeper.keyFile in TEST_CHAIN must be the path of a file.",
    "keeper.concurrency in TEST_CHAIN must be a whole number from 1 to 64, not 65.",
    "sponsor in TEST_CHAIN must be a JSON object.",
    "slotMs in LOCAL_CHAIN must be a whole number from 10 to 60000, not 1.",
  ]);
});

test("nothing public starts a demo: without a chain a public address or a database of one's own is refused", () => {
  assert.deepEqual(problemsOf({ HOST: "0.0.0.0", CHECKOUT_URL: "https://pay.example.com" }), [
    "TEST_CHAIN or LIVE_CHAIN is needed where CHECKOUT_URL is https and HOST is not this machine alone: without one the service plays a demo. LOCAL=on allows the demo.",
  ]);
  for (const [name, value] of [
    ["API_URL", "https://pay.example.com/api/v1"],
    ["DASHBOARD_URL", "https://dash.example.com/dashboard"],
    ["HOST", "::"],
    ["HOST", "127.example.com"],
    ["DATABASE_URL", "postgresql://holdfast@db.internal/holdfast"],
  ] as const) {
    assert.match(problemsOf({ [name]: value }).join(), new RegExp(`LIVE_CHAIN is needed where ${name}`));
    assert.deepEqual(problemsOf({ [name]: value, LOCAL: "on" }), []);
    assert.deepEqual(problemsOf({ [name]: value, ...TEST_CHAIN }), []);
  }
  for (const HOST of ["127.0.0.1", "::1", "localhost"]) assert.deepEqual(problemsOf({ HOST }), []);
});

test("an error about an address does not repeat its password or key", () => {
  assert.deepEqual(
    problemsOf({
      ...chain({ rpcUrls: "rpc.example.com/?api-key=hunter2" }),
      DATABASE_URL: "mysql://shop:hunter2@db.example.com/shop",
    }),
    [
      "DATABASE_URL must be an address that starts with postgres:// or postgresql://.",
      "rpcUrls in TEST_CHAIN must be an address that starts with http:// or https://.",
    ],
  );
});

test("HOLD takes the parts it knows, and nothing else passes for one", () => {
  assert.deepEqual([...readConfig({}).held], []);
  assert.deepEqual([...readConfig({ HOLD: "keeper, webhooks" }).held], ["keeper", "webhooks"]);
  assert.deepEqual(problemsOf({ HOLD: "webhook" }), ['HOLD must be one of webhooks, keeper, not "webhook".']);
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
  const { arbiterName, arbiterDomain } = readChain({ arbiterName: "Schlichtung Nord", arbiterDomain: "nord.example" });
  assert.deepEqual([arbiterName, arbiterDomain], ["Schlichtung Nord", "nord.example"]);
  const unnamed = readChain({});
  assert.deepEqual([unnamed.arbiterName, unnamed.arbiterDomain], [null, null]);
  for (const name of [" Nord", "Nord ", "a\nb", "x".repeat(101)])
    assert.match(
      problemsOf(chain({ arbiterName: name })).join(),
      /^arbiterName in TEST_CHAIN must be a name of 1 to 100/,
    );
  for (const domain of ["https://nord.example", "nord", "Nord.example", "nord.example/", "-nord.example", "1.2.3.4"])
    assert.match(problemsOf(chain({ arbiterDomain: domain })).join(), /^arbiterDomain in TEST_CHAIN must be a domain/);
});

test("what a setting confirms is a list of addresses, of hashes, or that an authority was given up", () => {
  const hash = "ab".repeat(32);
  const arbiter = [ADDRESS, "11111111111111111111111111111111"];
  const confirmed = readChain({ arbiter, upgradeAuthority: "none", programHash: [hash] });
  assert.deepEqual([confirmed.arbiter, confirmed.upgradeAuthority, confirmed.programHash], [arbiter, ["none"], [hash]]);
  for (const [name, wrong] of [
    ["arbiter", "none"],
    ["upgradeAuthority", "None"],
    ["programHash", hash.toUpperCase()],
    ["programHash", [hash.slice(1)]],
  ] as const)
    assert.match(problemsOf(chain({ [name]: wrong })).join(), new RegExp(`^${name} in TEST_CHAIN must be`));
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
  const staff = { ...outside, DASHBOARD_URL: "https://dash.example.com/dashboard" };
  assert.deepEqual(warningsOf(staff), []);
  for (const local of [{}, { CHECKOUT_URL: "http://127.0.0.1:3000", API_URL: "http://shop.localhost:3000/api/v1" }])
    assert.deepEqual(warningsOf(local), []);
  const shared = settingWarnings(readConfig({ ...TEST_CHAIN, ...staff }));
  assert.match(shared.join(), /^CLIENT_ADDRESS_HEADER is not set/);
  for (const [env, words] of [
    [{ DASHBOARD_URL: "https://pay.example.com/dashboard" }, /^DASHBOARD_URL and CHECKOUT_URL have one host/],
    [{ METRICS_TOKEN: "x" }, /^METRICS_TOKEN is shorter than 16/],
    [{ WEBHOOK_DEV_HOSTS: '{"a.example": "127.0.0.1:1"}' }, /^WEBHOOK_DEV_HOSTS for development/],
    [{ WEBHOOK_DEV_HOSTS: '{"a.example": "127.0.0.1:1"}', WEBHOOK_CA_FILE: "x" }, /^WEBHOOK_DEV_HOSTS and WEBHOOK_CA/],
  ] as const)
    assert.match(warningsOf({ ...staff, ...env }).join("\n"), new RegExp(`${words.source}[^\n]*$`));
});

test("§13.1.7 the dashboard is at a name by https, or on localhost; emails need both their settings", () => {
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

test("a credential of systemd is found in the folder of the unit, wherever a file may be named", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-credentials-"));
  try {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const keeper = { keyFile: "credentials:keeper.json" };
    write("chain.json", JSON.stringify({ ...JSON.parse(TEST_CHAIN.TEST_CHAIN), keeper }));
    write("smtp-url", "smtp://mail.example.com\n");
    const named = {
      ...{ TEST_CHAIN: "credentials:chain.json", WEBHOOK_KEYS_FILE: "credentials:keys.json" },
      ...{ SMTP_URL_FILE: "credentials:smtp-url", MAIL_FROM: "a@b.example" },
    };
    const config = readConfig({ ...named, CREDENTIALS_DIRECTORY: folder });
    assert.equal(config.chains[0]!.keeper!.keyFile, `${folder}/keeper.json`);
    assert.equal(config.webhooks.keysFile, `${folder}/keys.json`);
    assert.equal(config.mail.smtpUrl, "smtp://mail.example.com");
    const problems = problemsOf(named);
    for (const name of ["TEST_CHAIN", "WEBHOOK_KEYS_FILE", "SMTP_URL_FILE"])
      assert.ok(
        problems.some((one) => new RegExp(`^${name} names credentials:.*CREDENTIALS_DIRECTORY`).test(one)),
        name,
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a variable of before is refused by its name, also one that nothing replaces", () => {
  assert.match(
    problemsOf({ API_PROCESSES: "4" }).join(),
    /^API_PROCESSES is gone: start that many processes with ROLE=api/,
  );
  assert.match(problemsOf({ CELL_SERVERS: "x" }).join(), /^CELL_SERVERS is gone: /);
});

test("a password that is not encoded is named as the likely mistake, never quoted", () => {
  for (const [name, url] of [
    ["DATABASE_URL", "postgresql://shop:hunter2#x@db.example/shop"],
    ["SMTP_URL", "smtps://shop:hunter2/x@mail.example"],
  ] as const) {
    const problems = problemsOf({ [name]: url, MAIL_FROM: "a@b.example" }).join();
    assert.match(problems, new RegExp(`${name} seems to have a / \\? or # in its password: write them as %2F`));
    assert.ok(!problems.includes("hunter2"));
  }
});

test("a mint that is no address is reported", () => {
  assert.deepEqual(problemsOf({ ALLOWED_MINTS: `${ADDRESS}, usdc` }), [
    'ALLOWED_MINTS must be a Solana address, not "usdc".',
  ]);
  assert.deepEqual([...readConfig({ ALLOWED_MINTS: ` ${ADDRESS},` }).allowedMints], [ADDRESS]);
});

test("amounts from which a second node is asked belong to mints, and need a second node", () => {
  const two = (secondNodeFrom: unknown) => ({
    rpcUrls: ["https://one.example", "https://two.example"],
    secondNodeFrom,
  });
  assert.deepEqual(
    [...readChain(two({ [ADDRESS]: "1000", "*": 1 })).secondNodeFrom],
    [
      [ADDRESS, 1_000n],
      ["*", 1n],
    ],
  );
  for (const wrong of ["1000", { [ADDRESS]: "0" }, { usdc: 5 }, { [ADDRESS]: 1.5 }, { "*": 2 ** 53 }, ["*"]])
    assert.match(
      problemsOf(chain(two(wrong))).join(),
      /^secondNodeFrom in TEST_CHAIN must be an object with an amount for each mint/,
    );
  assert.match(
    problemsOf(chain({ sponsor: { keyFiles: ["a"], amountsMin: { "*": 1 } } })).join(),
    /^sponsor.amountsMin/,
  );
  assert.deepEqual(problemsOf(chain({ secondNodeFrom: { "*": 1 } })), [
    "secondNodeFrom in TEST_CHAIN needs two RPC nodes at least.",
  ]);
});

test("the examples of a chain in the documents are chains", async () => {
  for (const [page, count] of [
    ["settings.md", 2],
    ["how-to/set-up-the-chain.md", 1],
  ] as const) {
    const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), "utf8");
    const examples = [...text.matchAll(/^```json\n(\{\n {2}"rpcUrls"[\s\S]*?)^```/gm)].map(([, example]) => example!);
    assert.equal(examples.length, count, page);
    for (const LIVE_CHAIN of examples) assert.deepEqual(problemsOf({ LIVE_CHAIN }), []);
  }
});

test("a key file of the keeper that holds no key is named and never quoted", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-keeper-"));
  try {
    const keeperKeyFile = join(folder, "keeper.json");
    const settings = readChain({ keeper: { keyFile: keeperKeyFile } });
    const open = () => openChain(settings, () => undefined);
    await assert.rejects(open, { message: `The keeper's key file ${keeperKeyFile} cannot be read (ENOENT).` });
    for (const text of ["hunter2", "[1, 2, 3]", JSON.stringify(Array.from({ length: 64 }, () => 256))]) {
      await writeFile(keeperKeyFile, text);
      await assert.rejects(open, {
        message: `The keeper's key file ${keeperKeyFile} is not a JSON array of 64 bytes.`,
      });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("secrets may come from files: trimmed, instead of the variable, and never repeated by an error", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-secrets-"));
  try {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const url = "postgresql://holdfast:hunter2@db.internal/holdfast";
    const config = readConfig({
      LOCAL: "on",
      DATABASE_URL_FILE: file("url", `${url}\n`),
      METRICS_TOKEN_FILE: file("token", "a-token-of-some-length-123"),
    });
    assert.equal(config.databaseUrl, url);
    assert.equal(config.metricsToken, "a-token-of-some-length-123");
    const refused = (env: Readonly<Record<string, string>>): string => {
      try {
        readConfig({ LOCAL: "on", ...env });
      } catch (error) {
        return (error as Error).message;
      }
      return assert.fail("it was accepted");
    };
    const both = refused({ DATABASE_URL: url, DATABASE_URL_FILE: file("other", url) });
    assert.match(both, /^DATABASE_URL and DATABASE_URL_FILE are set/m);
    assert.match(refused({ SMTP_URL_FILE: join(folder, "none") }), /SMTP_URL_FILE names a file, .*ENOENT/);
    assert.match(refused({ METRICS_TOKEN_FILE: file("empty", "\n") }), /that is empty/);
    const wrong = refused({ DATABASE_URL_FILE: file("wrong", "http://holdfast:hunter2@db") });
    assert.match(wrong, /DATABASE_URL/);
    for (const message of [both, wrong]) assert.doesNotMatch(message, /hunter2/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
