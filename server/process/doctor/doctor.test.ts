import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { newWallet, readWallet } from "@holdfast/devnet/wallets.ts";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import pg from "pg";
import { createAuthority } from "../../../tests/harness/certificates.ts";
import { anAccount, anAddress, operator, programId } from "../../chain/solana/testing/chain.ts";
import { aDeployment, anOperatorAccount, showDeployment } from "../../chain/solana/testing/deployment.ts";
import { type FakeNode, rpcError, startFakeNode } from "../../chain/solana/testing/fakeNode.ts";
import { rotateReceiptKey } from "../../features/receipts/actions.ts";
import { CLIENT_SECRET, startProvider } from "../../features/staff/testing/provider.ts";
import { newKeyRing, readKeyRing, sealingOf, showKeyRing } from "../../features/webhooks/sending/secret.ts";
import { DatabaseProxy } from "../../store/databaseProxy.ts";
import { sql } from "../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import { examine } from "./doctor.ts";
import type { Finding } from "./finding.ts";

const SLOT = 400_000;
const HASH = "72b08d9f0b4a4ba0a5ab3a4b4ce5f0a4d0d0f2f7bb0d3a0a4f0c8a0d1a5b2c3d";
const DAY_MS = 86_400_000;

let folder: string;
let opened: OpenTestDatabase;
let nodes: readonly [FakeNode, FakeNode];
let proxy: Server;
/** The status that the proxy answers for the dashboard's host, and for /metrics. */
const served = { dashboard: 200, metrics: 404 };
const authority = createAuthority();

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-doctor-"));
  opened = await openTestDatabase();
  nodes = [await startFakeNode(), await startFakeNode()];
  nodes.forEach(makeHealthy);
  const until = new Date(Date.now() + 60 * DAY_MS);
  const good = authority.issue(["pay.shop-demo.com", "dash.shop-demo.com"], { notAfter: until });
  proxy = createServer(good, (request, response) => {
    const statuses: Readonly<Record<string, number>> = {
      "/api/v1/me": 401,
      "/.well-known/holdfast.json": 200,
      "/dashboard/sign-in": served.dashboard,
      "/metrics": served.metrics,
    };
    response.writeHead(statuses[request.url!] ?? 404).end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  for (const name of ["keeper", "sponsor"]) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify([...newWallet().secret]), { mode: 0o600 });
  }
  await writeFile(join(folder, "keys.json"), JSON.stringify(showKeyRing(newKeyRing())), { mode: 0o600 });
  await writeFile(join(folder, "backup"), "");
});
beforeEach(() => nodes.forEach(makeHealthy));
after(async () => {
  for (const node of nodes ?? []) await node[Symbol.asyncDispose]();
  proxy?.close();
  await opened?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The deployment; of one address alone, a wallet with a SOL. */
const shown = (fields = {}) => {
  const show = showDeployment({ ...aDeployment(fields), slot: SLOT });
  return (params: readonly unknown[]) =>
    (params[0] as readonly unknown[]).length === 1
      ? {
          context: { slot: SLOT },
          value: [{ ...anAccount(new Uint8Array(0), SYSTEM_PROGRAM_ID), lamports: 1_000_000_000 }],
        }
      : show(params);
};

function makeHealthy(node: FakeNode): void {
  const inContext = (value: unknown) => ({ context: { slot: SLOT }, value });
  node.fail(null);
  node.answer("getGenesisHash", () => "devnet");
  node.answer("getIdentity", () => null);
  node.answer("getSlot", () => SLOT);
  node.answer("getBlockTime", () => Math.floor(Date.now() / 1_000));
  node.answer("getFirstAvailableBlock", () => 0);
  node.answer("getVersion", () => ({ "solana-core": "4.4.0" }));
  node.answer("getAgGenesisCert", () => ({ block: { slot: 300_000, blockId: new Array(32).fill(7) } }));
  node.answer("getRecentPerformanceSamples", () => [
    { numSlots: 281, samplePeriodSecs: 60 },
    { numSlots: 283, samplePeriodSecs: 60 },
  ]);
  node.answer("getEpochInfo", () => ({ absoluteSlot: SLOT + 2, blockHeight: 390_002 }));
  node.answer("getMinimumBalanceForRentExemption", () => 128 * 5_080);
  node.answer("getProgramAccounts", () => inContext([]));
  node.answer("getMultipleAccounts", shown());
  node.answer("getBalance", () => inContext(1_000_000_000));
  node.answer("getLatestBlockhash", () => inContext({ blockhash: anAddress(9), lastValidBlockHeight: 390_150 }));
  node.answer("simulateTransaction", () =>
    inContext({ err: null, logs: [], preBalances: [1_000_000_000], postBalances: [999_995_000] }),
  );
}

const chain = (members: object = {}) => ({
  rpcUrls: nodes.map(({ url }) => url),
  programId,
  operator,
  programHash: [HASH_OF_FAKE],
  keeper: { keyFile: join(folder, "keeper.json") },
  sponsor: { keyFiles: [join(folder, "sponsor.json")], amountsMin: { [anAddress(4)]: "5000000" } },
  ...members,
});
/** SHA-256 of the file that `aDeployment` shows, without zeros at its end. */
const HASH_OF_FAKE = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81";

interface Case {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly chain?: object;
  readonly freeBytes?: number;
  readonly aheadMs?: number;
  /** Those of the database's host. */
  readonly addresses?: readonly string[];
}

/** Examines a deployment on which all is well, but for what the case plants. */
async function examineWith({ env = {}, chain: members = {}, freeBytes = 2 ** 36, aheadMs = 0, addresses = [] }: Case) {
  const { port } = proxy.address() as AddressInfo;
  const findings = await examine({
    env: {
      DATABASE_URL: opened.url,
      DATA_DIR: folder,
      API_URL: `https://pay.shop-demo.com:${port}/api/v1`,
      CHECKOUT_URL: `https://pay.shop-demo.com:${port}`,
      DASHBOARD_URL: `https://dash.shop-demo.com:${port}/dashboard`,
      CLIENT_ADDRESS_HEADER: "X-Forwarded-For",
      WEBHOOK_KEYS_FILE: join(folder, "keys.json"),
      BACKUP_FILE: join(folder, "backup"),
      TEST_CHAIN: JSON.stringify(chain(members)),
      ...env,
    },
    now: () => new Date(Date.now() - aheadMs),
    readFree: async () => ({ freeBytes, bytes: 2 ** 37 }),
    reach: {
      ca: authority.ca,
      lookup: (name, options, done) =>
        name.endsWith("shop-demo.com")
          ? options.all === true
            ? done(null, [{ address: "127.0.0.1", family: 4 }])
            : done(null, "127.0.0.1", 4)
          : done(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), ""),
    },
    resolve: async () => addresses.map((address) => ({ address, family: 4 })),
  });
  return findings;
}

/** The findings that are not ok, but for those of a test's own database: its user may do everything. */
const wrongOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(
    ({ level, message }) => level !== "ok" && !/superuser|synchronous_commit|fsync|full_page_writes/.test(message),
  );

type Expected = readonly [level: Finding["level"], check: RegExp, message: RegExp];

/** Expects one finding for each fault that is planted, and no other. */
async function expectEach(planted: Case, ...expected: readonly Expected[]): Promise<void> {
  const wrong = wrongOf(await examineWith(planted));
  const text = JSON.stringify(wrong, null, 1);
  for (const [level, check, message] of expected)
    assert.equal(
      wrong.filter((one) => one.level === level && check.test(one.check) && message.test(one.message)).length,
      1,
      `${message} of ${text}`,
    );
  assert.equal(wrong.length, expected.length, text);
  for (const { remedy } of wrong) assert.ok(remedy);
}

const expectOne = (planted: Case, ...expected: Expected): Promise<void> => expectEach(planted, expected);

test("a deployment on which all is well has no failure and no warning", async () => {
  assert.deepEqual(wrongOf(await examineWith({})), []);
});

test("wrong settings are each named, and nothing else is tried", async () => {
  const findings = await examineWith({ env: { PORT: "x", MAIL_FROM: "a@example.com" } });
  assert.deepEqual(
    findings.map(({ check, level }) => [check, level]),
    [
      ["settings", "fail"],
      ["settings", "fail"],
    ],
  );
});

test("planted faults of the machine are found, each as the one line that is not ok", async () => {
  await expectEach(
    { env: { CLIENT_ADDRESS_HEADER: undefined, BACKUP_FILE: undefined }, freeBytes: 2 ** 28, aheadMs: 65_000 },
    ["warn", /^settings$/, /share the limits of one/],
    ["warn", /^backups$/, /Nothing says/],
    ["fail", /^disk$/, /0\.3 GiB of 128\.0 are free/],
    ["fail", /^clock$/, /6\d\.\d s ahead/],
  );
  await expectEach(
    { env: { HOLD: "keeper", BACKUP_FILE: join(folder, "none") } },
    ["warn", /^settings$/, /switches off keeper/],
    ["fail", /^backups$/, /is missing/],
  );
  const old = new Date(Date.now() - 2 * DAY_MS);
  await utimes(join(folder, "backup"), old, old);
  await chmod(join(folder, "keeper.json"), 0o644);
  await expectEach({}, ["fail", /^backups$/, /48\.0 hours ago/], ["warn", /^secret files$/, /keeper\.json/]);
  await utimes(join(folder, "backup"), new Date(), new Date());
  await chmod(join(folder, "keeper.json"), 0o600);
  await writeFile(join(folder, "token"), "a-token-that-is-long\n", { mode: 0o644 });
  await chmod(join(folder, "token"), 0o644);
  await expectOne({ env: { METRICS_TOKEN_FILE: join(folder, "token") } }, "warn", /^secret files$/, /token/);
  const screening = { url: "https://screen.example.com", tokenFile: join(folder, "token"), silence: "allow" };
  await expectOne({ env: { SCREENING: JSON.stringify(screening) } }, "warn", /^secret files$/, /token/);
  await rm(join(folder, "token"));
});

test("planted faults of the database are found", async () => {
  const away = await examineWith({ env: { DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" } });
  assert.match(wrongOf(away).find(({ check }) => check === "database")!.message, /cannot be reached/);
  await opened.database.rows(sql`insert into migrations (name, hash) values ('9999_later.sql', 'x')`);
  await expectOne({}, "fail", /^schema$/, /9999_later\.sql, which this version does not know/);
  await opened.database.rows(sql`delete from migrations where name = '9999_later.sql'`);
  const client = new pg.Client(opened.url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>("select quote_ident(current_database()) as name");
  const alter = (words: string) => client.query(`alter database ${rows[0]!.name} ${words}`);
  await alter("connection limit 20");
  await expectOne({}, "fail", /^database$/, /allows 20 connections/);
  await alter("connection limit -1");
  const unsafe = async () =>
    (await examineWith({})).filter(({ message }) => message.startsWith("synchronous_commit is off")).length;
  await alter("set synchronous_commit to on");
  assert.equal(await unsafe(), 0);
  await alter("set synchronous_commit to off");
  assert.equal(await unsafe(), 1);
  await alter("reset synchronous_commit");
  await client.end();
  await using empty = await createEmptyDatabase();
  const before = (await examineWith({ env: { DATABASE_URL: empty.url } })).filter(
    ({ check }) => check === "schema" || check === "webhook keys",
  );
  assert.deepEqual(
    before.map(({ level }) => level),
    ["ok", "ok"],
    "an empty database is no fault",
  );
  await expectOne(
    { env: { WEBHOOK_KEYS_FILE: join(folder, "none.json") } },
    "fail",
    /^webhook keys$/,
    /cannot be read/,
  );
  const ring = readKeyRing(await readFile(join(folder, "keys.json"), "utf8"));
  await rotateReceiptKey(opened.database, sealingOf(ring));
  await expectEach({});
  await writeFile(join(folder, "other.json"), JSON.stringify(showKeyRing(newKeyRing())), { mode: 0o600 });
  await expectOne(
    { env: { WEBHOOK_KEYS_FILE: join(folder, "other.json") } },
    "fail",
    /^webhook keys$/,
    /other keys of the same number: version 1/,
  );
});

test("planted faults of nodes are found", async () => {
  const [one, two] = nodes;
  two.fail({ kind: "http", status: 503 });
  await expectOne({}, "fail", /node 1$/, /does not answer/);
  makeHealthy(two);
  two.answer("getSlot", () => SLOT - 1_000);
  one.answer("getProgramAccounts", () => rpcError(-32601));
  await expectEach({}, ["warn", /node 1$/, /1000 slots behind/], ["warn", /node 0$/, /does not list/]);
  [one, two].forEach(makeHealthy);
  two.answer("getGenesisHash", () => "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d");
  await expectOne({}, "fail", /node 1$/, /point at Solana mainnet/);
  makeHealthy(two);
  one.answer("getFirstAvailableBlock", () => SLOT - 10);
  two.answer("simulateTransaction", () => ({ context: { slot: SLOT }, value: { err: null, logs: [] } }));
  await expectEach({}, ["warn", /node 0$/, /keeps 0\.0 hours of history/], ["warn", /node 1$/, /show no balances/]);
  [one, two].forEach(makeHealthy);
  await expectOne({ chain: { rpcUrls: [one.url] } }, "warn", /^TEST_CHAIN$/, /one node only/);
  for (const node of nodes) node.answer("getIdentity", () => ({ identity: anAddress(8) }));
  await expectOne({}, "warn", /node 1$/, /it is node 0 under another address/);
});

test("the network is shown by what the nodes say of it, and nodes that lack something are found", async () => {
  const [one, two] = nodes;
  const network = async () => (await examineWith({})).find(({ check }) => check === "TEST_CHAIN network");
  assert.deepEqual(await network(), {
    ...{ check: "TEST_CHAIN network", level: "ok", remedy: null },
    message:
      "It has run Alpenglow since slot 300000. A slot takes 213 ms. A blockhash lives for 150 blocks, 31 s or longer. A byte of an account costs 5080 lamports: a payment binds 0.0037 SOL.",
  });
  for (const node of nodes) node.answer("getAgGenesisCert", () => null);
  for (const node of nodes) node.answer("getRecentPerformanceSamples", () => []);
  assert.match((await network())!.message, /^It runs TowerBFT\. A blockhash lives for 150 blocks\. /);
  makeHealthy(one);
  await expectOne({}, "warn", /network$/, /^One node says that it runs Alpenglow/);
  for (const node of nodes) node.answer("getAgGenesisCert", () => rpcError(-32601));
  await expectOne({}, "warn", /network$/, /^No node says if it runs Alpenglow/);
  makeHealthy(one);
  await expectEach({});
  let asked = 0;
  one.answer("getVersion", () => ({ "solana-core": asked++ % 2 === 0 ? "4.4.0" : "4.3.2" }));
  two.answer("simulateTransaction", ([wire]) =>
    Buffer.from(wire as string, "base64")[0] === 0x81
      ? rpcError(-32602)
      : { context: { slot: SLOT }, value: { err: null, logs: [], preBalances: [1], postBalances: [0] } },
  );
  await expectEach(
    {},
    ["warn", /node 0$/, /several versions answer at its address: 4\.3\.2, 4\.4\.0/],
    [...(["warn", /node 1$/, /takes no transactions of version 1/] as const)],
  );
});

test("planted faults of program, operator account, keeper and sponsor are found", async () => {
  await expectOne({ chain: { programHash: [HASH] } }, "fail", /program$/, /until a setting names the program's file/);
  await expectEach(
    { chain: { programHash: [], keeper: null } },
    ["warn", /program$/, /not that of this release/],
    ["warn", /keeper$/, /No keeper/],
  );
  await expectOne({ chain: { arbiter: [anAddress(77)] } }, "fail", /program$/, /until a setting names the arbiter/);
  const none = { keyFile: join(folder, "none.json") };
  await expectOne({ chain: { keeper: none } }, "fail", /wallets$/, /keeper's key file .* cannot be read/);
  const same = { keyFiles: [join(folder, "keeper.json")], amountsMin: { [anAddress(4)]: "1" } };
  await expectOne({ chain: { sponsor: same } }, "fail", /wallets$/, /keeper/);
  for (const node of nodes) node.answer("getBalance", () => ({ context: { slot: SLOT }, value: 0 }));
  await expectOne({ chain: { sponsor: null } }, "fail", /keeper$/, /holds 0\.0000 SOL/);
  nodes.forEach(makeHealthy);
  const gone = shown({ operator: null });
  for (const node of nodes) node.answer("getMultipleAccounts", gone);
  await expectOne({}, "fail", /program$/, /is not an operator account/);
  nodes.forEach(makeHealthy);
});

test("§17 twenty-one mistakes of operators are each found", async () => {
  const { port } = proxy.address() as AddressInfo;
  const [one, two] = nodes;
  const old = new Date(Date.now() - 3 * DAY_MS);
  const keeper = readWallet(join(folder, "keeper.json")).address;
  const atAuthority = shown({ operator: anOperatorAccount(keeper) });
  const both = (method: string, answer: Parameters<FakeNode["answer"]>[1]) => () => {
    for (const node of nodes) node.answer(method, answer);
  };
  const alterDatabase = async (words: string) => {
    const client = new pg.Client(opened.url);
    await client.connect();
    const { rows } = await client.query<{ name: string }>("select quote_ident(current_database()) as name");
    await client.query(`alter database ${rows[0]!.name} ${words}`);
    await client.end();
  };
  const storeSecret = async () => {
    const ring = readKeyRing(await readFile(join(folder, "keys.json"), "utf8"));
    await rotateReceiptKey(opened.database, sealingOf(ring));
    await writeFile(join(folder, "lost.json"), JSON.stringify(showKeyRing(newKeyRing())), { mode: 0o600 });
  };
  const nothing = () => undefined;
  await writeFile(join(folder, "open.json"), await readFile(join(folder, "sponsor.json")));
  await chmod(join(folder, "open.json"), 0o644);
  await writeFile(join(folder, "old"), "");
  await utimes(join(folder, "old"), old, old);
  const mistakes: readonly (readonly [planted: Case, found: RegExp, make?: () => unknown])[] = [
    [{ env: { CLIENT_ADDRESS_HEADER: undefined } }, /^CLIENT_ADDRESS_HEADER is not set/],
    [{ env: { HOLD: "keeper" } }, /^HOLD switches off/],
    // Of every test's own PostgreSQL.
    [{}, /^fsync is off/],
    [{}, /^synchronous_commit is off/, () => alterDatabase("set synchronous_commit to off")],
    [{ env: { API_URL: `http://pay.shop-demo.com:${port}/api/v1` } }, /is not encrypted/],
    [{ chain: { keeper: { keyFile: join(folder, "open.json") }, sponsor: null } }, /^Every user .* may read .*open/],
    [{ env: { BACKUP_FILE: join(folder, "old") } }, /72\.0 hours ago/],
    [{ env: { BACKUP_FILE: undefined } }, /^Nothing says when the last backup/],
    [{ chain: { arbiter: [anAddress(77)] } }, /until a setting names the arbiter/],
    [{}, /holds 0\.0000 SOL/, both("getBalance", () => ({ context: { slot: SLOT }, value: 0 }))],
    [{ freeBytes: 2 ** 28 }, /0\.3 GiB .* are free/],
    [{ env: { API_URL: "https://pay.nowhere.com/api/v1" } }, /does not resolve/],
    [{ env: { WEBHOOK_KEYS_FILE: join(folder, "lost.json") } }, /other keys of the same number/, storeSecret],
    [{}, /^The key of the keeper, .* is the authority of the operator/, both("getMultipleAccounts", atAuthority)],
    [{ env: { DASHBOARD_URL: `https://pay.shop-demo.com:${port}/dashboard` } }, /have one host/],
    [{ env: { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "a@example.com" } }, /^The mail server .* cannot be used/],
    [{ chain: { wsUrls: ["ws://127.0.0.1:9"] } }, /^Address 0 takes no subscription/],
    [{ chain: { rpcUrls: [one.url, one.url.replace("127.0.0.1", "localhost")] } }, /it is node 0 under another/],
    [{ env: { HOST: "0.0.0.0" } }, /^HOST is 0\.0\.0\.0/],
    [{ env: { METRICS_TOKEN: "x" } }, /^METRICS_TOKEN is shorter/],
    [{ env: { WEBHOOK_DEV_HOSTS: '{"a.example": "127.0.0.1:1"}' } }, /^WEBHOOK_DEV_HOSTS for development/],
  ];
  const missed: string[] = [];
  for (const [planted, found, make = nothing] of mistakes) {
    await make();
    const wrong = (await examineWith(planted)).filter(({ level }) => level !== "ok");
    if (!wrong.some(({ message }) => found.test(message)))
      missed.push(`${found} of ${wrong.map(({ message }) => message).join(" | ")}`);
    [one, two].forEach(makeHealthy);
  }
  await alterDatabase("reset synchronous_commit");
  assert.deepEqual(missed, []);
  assert.equal(mistakes.length, 21);
});

test("plain text to a database beyond this machine is found, and a certificate that ends soon", async (t) => {
  const plain = await DatabaseProxy.open(opened.url);
  t.after(() => plain.close());
  // An address of this machine that is none of loopback.
  const url = plain.url.replace("127.0.0.1", "0.0.0.0");
  await expectOne({ env: { DATABASE_URL: url } }, "warn", /^database$/, /0\.0\.0\.0 is not encrypted/);
  await expectEach({ env: { DATABASE_URL: `${url}?sslmode=disable` } });
  await expectEach({ env: { DATABASE_URL: plain.url } });
  await writeFile(join(folder, "ca.pem"), authority.ca);
  for (const [days, count] of [
    [5, 1],
    [25, 0],
  ] as const) {
    const certificate = authority.issue(["localhost"], { notAfter: new Date(Date.now() + (days + 0.5) * DAY_MS) });
    const secure = await DatabaseProxy.open(opened.url, certificate);
    t.after(() => secure.close());
    const way = `sslmode=require&sslrootcert=${join(folder, "ca.pem")}`;
    const found = wrongOf(
      await examineWith({ env: { DATABASE_URL: `${secure.url.replace("127.0.0.1", "localhost")}?${way}` } }),
    );
    assert.equal(found.length, count, JSON.stringify(found));
    if (count > 0) assert.match(found[0]!.message, /^Its certificate ends in 5 days/);
  }
});

test("an address of the database that may lead to a replica is found", async (t) => {
  const plain = await DatabaseProxy.open(opened.url);
  t.after(() => plain.close());
  const one = `${plain.url.replace("127.0.0.1", "0.0.0.0")}?sslmode=disable`;
  await expectEach({ env: { DATABASE_URL: one }, addresses: ["192.0.2.1"] });
  await expectOne(
    { env: { DATABASE_URL: one }, addresses: ["192.0.2.1", "192.0.2.2"] },
    ...(["warn", /^database$/, /0\.0\.0\.0 is 2 addresses: it may lead to a replica/] as const),
  );
  const two = plain.url.replace(/(127\.0\.0\.1:\d+)/, "$1,$1");
  await expectEach({ env: { DATABASE_URL: two } });
  await expectOne(
    { env: { DATABASE_URL: `${two}?target_session_attrs=any` } },
    ...(["warn", /^database$/, /any of several servers: it may lead to a replica/] as const),
  );
});

test("a company's provider is checked as far as it answers", async (t) => {
  const { port } = proxy.address() as AddressInfo;
  const provider = await startProvider(`https://dash.shop-demo.com:${port}/dashboard`);
  t.after(() => provider[Symbol.asyncDispose]());
  const { name, issuer, clientId, scopes } = provider.settings;
  const clientSecretFile = join(folder, "company-secret");
  await writeFile(clientSecretFile, `${CLIENT_SECRET}\n`, { mode: 0o600 });
  const members = { name, issuer, clientId, clientSecretFile, scopes };
  const withCompany = (changed: object = {}) => ({
    env: { COMPANY_SIGN_IN: JSON.stringify({ ...members, ...changed }) },
  });
  const findings = await examineWith(withCompany());
  assert.deepEqual(
    wrongOf(findings).map(({ message }) => message),
    [],
  );
  assert.deepEqual(
    findings.filter(({ check }) => check === "company sign-in").map(({ message }) => message.replace(/:\d+/g, "")),
    [
      "http://localhost describes itself as that.",
      "It knows the client and its secret.",
      "It returns browsers to https://dash.shop-demo.com/dashboard/sign-in/company",
    ],
  );
  const is = (level: Finding["level"], message: RegExp): Expected => [level, /^company sign-in$/, message];
  await expectOne(withCompany({ issuer: `${issuer}/` }), ...is("fail", /calls itself http/));
  await expectOne(withCompany({ issuer: `${issuer}/none` }), ...is("fail", /does not answer/));
  await expectEach(
    withCompany({ clientId: "another" }),
    is("fail", /refused this client or its token \(401\)/),
    is("warn", /does not return a browser/),
  );
  await writeFile(join(folder, "wrong-secret"), "another", { mode: 0o600 });
  await expectOne(
    withCompany({ clientSecretFile: join(folder, "wrong-secret") }),
    ...is("fail", /refused this client or its token \(401\)/),
  );
  await expectOne(
    withCompany({ clientSecretFile: join(folder, "no-secret") }),
    ...is("fail", /no-secret, cannot be read \(ENOENT\)/),
  );
  const nowhere = `biz_${"0".repeat(32)}`;
  await expectOne(withCompany({ groups: { team: { [nowhere]: "admin" } } }), ...is("warn", /is no business/));
  await expectOne(
    withCompany({ groups: { team: { [nowhere]: "owner" } } }),
    ...(["fail", /^settings$/, /groups in COMPANY_SIGN_IN must be an object/] as const),
  );
  await expectOne(
    withCompany({ parameters: { redirect_uri: "https://evil.example" } }),
    ...(["fail", /^settings$/, /parameters in COMPANY_SIGN_IN must be/] as const),
  );
  await expectOne(
    withCompany({ issuer: "http://id.shop-demo.com" }),
    ...(["fail", /^settings$/, /issuer in COMPANY_SIGN_IN must be an address/] as const),
  );
  const ahead = await examineWith({ ...withCompany(), aheadMs: 25_000 });
  assert.ok(ahead.some(({ level, message }) => level === "warn" && /^Its clock differs by 2\d s/.test(message)));
});

test("planted faults of addresses are found", async () => {
  const { port } = proxy.address() as AddressInfo;
  served.dashboard = 421;
  await expectEach(
    { env: { API_URL: "https://pay.nowhere.com/api/v1" } },
    ["fail", /^DASHBOARD_URL$/, /answers 421/],
    ["fail", /^API_URL$/, /does not resolve/],
  );
  served.dashboard = 502;
  // A name that only looks like an address of this machine.
  await expectEach(
    { env: { API_URL: "https://127.evil.com/api/v1" } },
    ["fail", /^DASHBOARD_URL$/, /answers 502/],
    ["fail", /^API_URL$/, /does not resolve/],
  );
  served.dashboard = 200;
  served.metrics = 200;
  const open = wrongOf(await examineWith({}));
  assert.equal(open.filter(({ message }) => message.endsWith("/metrics answers everybody.")).length, open.length);
  served.metrics = 404;
  const other = `https://www.shop-demo.com:${port}/api/v1`;
  await expectOne({ env: { API_URL: other } }, "fail", /^API_URL$/, /refuse the certificate/);
  await expectOne(
    { env: { API_URL: `http://pay.shop-demo.com:${port}/api/v1` } },
    "fail",
    /^API_URL$/,
    /not encrypted/,
  );
  await expectOne({ env: { API_URL: "http://localhost:3000/api/v1" } }, "warn", /^API_URL$/, /this machine alone/);
});
