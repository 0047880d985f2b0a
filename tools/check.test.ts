import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { file, integer, needed, object, setting } from "../server/process/setting.ts";
import { checkBlackBox } from "./checks/blackBox.ts";
import { checkChainTime } from "./checks/chainTime.ts";
import { checkCycles } from "./checks/cycles.ts";
import { checkDocuments, checkDoors } from "./checks/documents.ts";
import { listFiles } from "./checks/files.ts";
import { checkImports } from "./checks/importRules.ts";
import { readImports } from "./checks/imports.ts";
import { checkMigrations } from "./checks/migrations.ts";
import { checkDeclared, checkPins, checkTestPackages, isAllowed } from "./checks/packages.ts";
import { checkPaths, checkPlaces } from "./checks/paths.ts";
import { checkSections } from "./checks/sections.ts";
import { checkSettings, drawSettings } from "./checks/settings.ts";
import { checkTables, type SharedTables } from "./checks/tables.ts";
import { checkWallClock } from "./checks/wallClock.ts";
import { checkWhenToShip } from "./checks/whenToShip.ts";
import { checkWords } from "./checks/words.ts";
import { type Lockfile, missingEntries } from "./completeLockfile.ts";

/** Returns the problems that a check finds in a tree of exactly these files. */
function check(
  files: Record<string, string>,
  checker: (root: string, files: string[]) => string[] = checkImports,
): string[] {
  const root = mkdtempSync(join(tmpdir(), "holdfast-check-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return checker(root, listFiles(root));
  } finally {
    rmSync(root, { recursive: true });
  }
}

const PLANTED: readonly (readonly [module: string, text: string, why: RegExp])[] = [
  ["server/lib/clock.ts", 'import { ids } from "../domain/ids.ts";', /nothing calls upward/],
  ["server/lib/clock.ts", 'import router from "find-my-way";', /lib knows no product/],
  ["server/domain/money.ts", 'import { readFileSync } from "node:fs";', /pure: no I\/O/],
  ["server/domain/money.ts", 'import type { Db } from "../store/database.ts";', /nothing calls upward/],
  ["server/store/database.ts", 'import type { Chain } from "../chain/port.ts";', /nothing calls upward/],
  [
    "server/edge/merchant/api.ts",
    'import { cancel } from "../../features/intents/merchant.ts";',
    /nothing calls upward/,
  ],
  ["server/features/intents/intent.ts", 'import pg from "pg";', /pure: no I\/O/],
  ["server/features/intents/intent.ts", 'import { sql } from "../../store/sql.ts";', /pure: no I\/O/],
  ["server/features/intents/intent.ts", 'import { find } from "./queries.ts";', /no other than pure files/],
  ["server/features/intents/queries.ts", 'import { find } from "../payments/queries.ts";', /fragments\.ts may be used/],
  ["server/features/intents/queries.ts", 'export * from "../payments/merchant.ts";', /fragments\.ts may be used/],
  ["server/features/intents/queries.ts", 'import pg from "pg";', /talks to pg/],
  [
    "server/features/recording/sweep/sweep.ts",
    'import { reader } from "../../../chain/solana/reader.ts";',
    /join chain\/solana/,
  ],
  ["server/features/recording/sweep/sweep.ts", 'import { address } from "@solana/kit";', /seen through chain\/port/],
  [
    "server/features/recording/sweep/sweep.ts",
    'const { start } = await import("@holdfast/embedded-postgres/postgres.ts");',
    /join chain\/solana/,
  ],
  [
    "server/features/recording/sweep/sweep.ts",
    'import {\n  one,\n  two,\n} from "@holdfast/devnet/start.ts";',
    /only server\/process\/local/,
  ],
  ["server/features/recording/sweep/sweep.ts", "const part = await import(name);", /named literally/],
  ["server/main.ts", 'import { start } from "@holdfast/devnet/start.ts";', /only server\/process\/local/],
  ["server/main.ts", 'import { page } from "../web/page.ts";', /nothing calls upward/],
  ["server/main.ts", 'import "../tests/harness.ts";', /does not know tests/],
  [
    "server/main.ts",
    'import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";',
    /does not know tests/,
  ],
  [
    "server/features/keys/staff.ts",
    'import { inspectorRoutes } from "../../app/inspector/staff.ts";',
    /nothing calls upward/,
  ],
  ["devnet/play.ts", 'import { find } from "@holdfast/server/features/intents/queries.ts";', /nothing calls upward/],
  ["escrow-client/accounts.ts", 'import { terms } from "@holdfast/server/domain/terms.ts";', /nothing calls upward/],
  ["server/edge/http/body.ts", 'import { api } from "../merchant/api.ts";', /nothing calls upward/],
  ["web/x.tsx", 'import { find } from "@holdfast/server/features/keys/queries.ts";', /nothing calls upward/],
  ["web/dashboard/page.tsx", 'import { address } from "@solana/kit";', /seen through chain\/port/],
  ["sdk/client.ts", 'import { terms } from "../server/domain/terms.ts";', /nothing calls upward/],
  [
    "server/features/webhooks/sending/send.ts",
    'import type { Claim } from "../delivery/claims.ts";',
    /endpoints → delivery → sending/,
  ],
  ["server/features/keys/key.ts", 'import { LiteSVM } from "litesvm";', /local chain's alone/],
];

for (const [module, text, why] of PLANTED) {
  test(`a wrong import is found: ${module} · ${text.replaceAll("\n", " ")}`, () => {
    const problems = check({ "server/domain/ids.ts": "", [module]: `// planted\n${text}\n` });
    assert.equal(problems.length > 0, true, "nothing was found");
    assert.match(problems.join("\n"), why);
  });
}

test("the imports that the house allows pass", () => {
  const allowed = {
    "server/domain/terms.ts": 'import { x } from "../lib/clock.ts";',
    "server/features/intents/intent.ts":
      'import { terms } from "../../domain/terms.ts";\nimport type { Payment } from "../payments/payment.ts";',
    "server/features/intents/queries.ts":
      'import { a } from "../events/fragments.ts";\nimport { b } from "../payments/payment.ts";',
    "server/features/businesses/queries.ts": 'import { business } from "./business.ts";',
    "server/features/disputes/queries.ts": 'import { business } from "../businesses/business.ts";',
    "server/features/intents/intents.test.ts": 'import { anything } from "@holdfast/devnet/start.ts";',
    "server/main.ts":
      'import { a } from "@holdfast/embedded-postgres/postgres.ts";\nimport { b } from "./chain/solana/reader.ts";\nimport { c } from "./process/local/start.ts";',
    "server/process/local/start.ts": 'import { a } from "@holdfast/devnet/start.ts";',
    "web/dashboard/page.tsx": 'import { Button } from "../ui/button.tsx";',
  };
  assert.deepEqual(check(allowed), []);
});

test("a cycle between folders is found, by types and pages loaded later too; what goes one way passes", () => {
  const oneWay = {
    "web/app/main.ts": 'import { router } from "./router.ts";',
    "web/app/router.ts": 'const page = () => import("./pages/list.tsx");',
    "web/app/pages/list.tsx": 'import { row } from "../rows/row.tsx";\nimport { title } from "./title.ts";',
    "web/app/pages/title.ts": 'export { row } from "../rows/row.tsx";',
    "web/app/rows/row.tsx": "",
  };
  const cycles = (changed: Record<string, string>) => check({ ...oneWay, ...changed }, checkCycles(["web/app"]));
  assert.deepEqual(cycles({}), []);
  const twoFolders = cycles({ "web/app/rows/row.tsx": 'import type { Title } from "../pages/title.ts";' });
  assert.equal(twoFolders.length, 1);
  assert.match(twoFolders[0]!, /pages → rows → pages: .*rows\/row\.tsx imports web\/app\/pages\/title\.ts/);
  const throughRouter = cycles({ "web/app/rows/row.tsx": 'import { router } from "../router.ts";' });
  assert.match(throughRouter.join(), /pages → rows → router\.ts → pages/);
  assert.match(check(oneWay, checkCycles(["web/gone"])).join(), /saw no modules of web\/gone/);
  const inside = { ...oneWay, "web/app/pages/title.ts": 'import type { List } from "./list.tsx";' };
  assert.match(
    check(inside, checkCycles(["web"])).join(),
    /web\/app\/pages\/ has a cycle, list\.tsx → title\.ts → list\.tsx/,
  );
  const allowed = { folder: "web/app/pages", parts: ["list.tsx", "title.ts"], why: "one day" };
  assert.deepEqual(check(inside, checkCycles(["web"], [allowed])), []);
  assert.equal(
    check(inside, checkCycles(["web"], [{ ...allowed, parts: ["list.tsx"] }])).length,
    2,
    "only what is named",
  );
  assert.match(check(oneWay, checkCycles(["web"], [allowed])).join(), /has no cycle of list\.tsx, title\.ts any more/);
});

test("a statement that names another folder's table, or stands where none may, is found", () => {
  const piece = (text: string) => `\${sql\`${text}\`}`;
  const own = {
    "server/store/migrations/0001_all.sql": "create table intents (id text); create table events (id text);",
    "server/features/intents/queries.ts": `const quotes = /["'\`]+/; const events = sql\`select ${piece("id")} from intents i join ${piece("e")} on true\`; // from events`,
    "server/features/events/fragments.ts": "export const EVENTS_E = sql`events e`;",
    "server/features/events/event.ts": "const words = `select from intents`;",
    "server/features/intents/plans.test.ts": "const all = sql`select from events`;",
  };
  const tables = (changed: Record<string, string>, shared: readonly SharedTables[] = []) =>
    check({ ...own, ...changed }, checkTables(shared, new Set()));
  assert.deepEqual(tables({}), []);
  const queries = "server/features/intents/queries.ts";
  for (const [statement, table] of [
    ["sql`select from events`", "events"],
    ["sql`select from intents i, events e`", "events"],
    ["sql`with gone as (delete from events returning id) select from gone`", "events"],
    ["sql`update only events set id = ''`", "events"],
    [`sql\`select 1 ${piece("from intents i join events on true")}\``, "events"],
    ["sql`insert into event_counters (id) values (1)`", "event_counters"],
    [`sql\`select from ${piece("events")}\``, "events"],
    ["/[`]/.test(a) || sql`select from events`", "events"],
  ] as const)
    assert.match(
      tables({ [queries]: `run(${statement});` }).join(),
      new RegExp(`queries.ts names the table ${table} of`),
      statement,
    );
  assert.deepEqual(
    tables({ [queries]: "sql`with events as (select from intents) select from events`" }),
    [],
    "a name of its own",
  );
  const shared = { path: "server/features/intents/", tables: ["events"], why: "one statement" };
  assert.deepEqual(tables({ [queries]: "sql`select from events`" }, [shared]), []);
  assert.match(tables({}, [shared]).join(), /Nothing needs the exception "server\/features\/intents\/ events"/);
  assert.match(tables({ "server/features/events/merchant.ts": "sql`select 1`" }).join(), /merchant\.ts holds SQL/);
  assert.match(
    tables({ "server/store/migrations/0002_more.sql": "create table refunds (id text);" }).join(),
    /refunds belongs/,
  );
  assert.match(
    tables({ "server/store/migrations/0002_more.sql": "alter table events rename to refunds;" }).join(),
    /refunds belongs/,
  );
  assert.match(check({ "server/main.ts": "" }, checkTables([], new Set())).join(), /saw none/);
});

test("an interface or journey test that looks inside the service is found", () => {
  for (const [path, text] of [
    ["tests/interface/a.test.ts", 'import { sql } from "../../server/store/sql.ts";'],
    ["tests/interface/a.test.ts", 'import type { Intent } from "@holdfast/server/features/intents/intent.ts";'],
    ["tests/journeys/a.test.ts", 'import pg from "pg";'],
    ["tests/journeys/a.test.ts", 'import { SteppedService } from "../faults/steppedService.ts";'],
    ["tests/journeys/a.test.ts", 'import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";'],
    ["tests/journeys/a.test.ts", "const part = await import(name);"],
    ["tests/harness/merchant.ts", 'import { addKey } from "../../server/features/keys/queries.ts";'],
  ] as const)
    assert.match(check({ [path]: text }, checkBlackBox).join("\n"), /use HTTP and the admin CLI alone/, text);
  const allowed = {
    "tests/interface/a.test.ts":
      'import { test } from "node:test";\nimport fc from "fast-check";\nimport { PERIODS } from "@holdfast/escrow-client";\nimport { b } from "../harness/b.ts";',
    "tests/harness/b.ts":
      'import { payIntent } from "@holdfast/devnet/buyer.ts";\nimport { make } from "@holdfast/embedded-postgres/testing.ts";',
    "tests/faults/a.test.ts": 'import { sql } from "../../server/store/sql.ts";',
  };
  assert.deepEqual(check(allowed, checkBlackBox), []);
});

test("a tree without modules is a failure, not a success", () => {
  assert.deepEqual(check({ "README.md": "" }), ["The import check saw no modules of server/."]);
});

test("an import that only a comment mentions is none", () => {
  const text = '/* import("pg") */\n * import { a } from "pg";\n// import b from "pg";\nimport { c } from "./c.ts";';
  assert.deepEqual(
    readImports("server/a.ts", text).map((one) => one.to),
    ["server/c.ts"],
  );
});

test("a path that a document names must exist; a role's file may be anywhere, a run's file nowhere", () => {
  const readme =
    "`server/main.ts`, `queries.ts`, `features/*/queries.ts`, `docs/`, `DATA_DIR/ready.json`, `application/json`, `npm start`";
  const files = { "README.md": readme, "server/main.ts": "", "server/features/keys/queries.ts": "", "docs/a.md": "" };
  assert.deepEqual(check(files, checkPaths), []);
  assert.deepEqual(check({ "docs/a.md": "`server/gone.ts` and `lost/`", "server/main.ts": "" }, checkPaths), [
    "docs/a.md names `server/gone.ts`, which does not exist.",
    "docs/a.md names `lost/`, which does not exist.",
  ]);
});

test("a place in a document that code names and no heading has is found", () => {
  const files = {
    "docs/a.md": "# One\n",
    "deploy/rules.yml": "runbook: docs/a.md#one\n",
    "server/a.ts": '"docs/a.md"',
  };
  assert.deepEqual(check(files, checkPlaces), []);
  assert.deepEqual(check({ ...files, "deploy/rules.yml": "docs/a.md#two docs/b.md" }, checkPlaces), [
    "deploy/rules.yml names docs/a.md#two, which does not exist.",
    "deploy/rules.yml names docs/b.md, which does not exist.",
  ]);
});

test("a link or import in a document leads to a file, and to a heading of it", () => {
  const files = { "server/a.ts": "", "docs/b.md": "# One, two\n\n## `x.y` is_it\n", "docs/image.png": "" };
  const fine =
    '[a](server/a.ts) [b](docs/b.md#one-two) [c](docs/b.md#xy-is_it) [d](#here) [e](https://example.com)\n# Here\n<img src="docs/image.png">\n```ts\nimport { a } from "./server/a.ts";\n```\n';
  assert.deepEqual(check({ ...files, "README.md": fine }, checkPaths), []);
  const wrong =
    '[a](server/b.ts) [b](docs/b.md#three) [d](#there)\n<img src="docs/no.png">\n```ts\nimport { a } from "./server/b.ts";\n```\n';
  assert.deepEqual(check({ ...files, "README.md": wrong }, checkPaths), [
    "README.md imports server/b.ts, which does not exist.",
    "README.md links to server/b.ts, which does not exist.",
    "README.md links to docs/b.md#three, which does not exist.",
    "README.md links to #there, which does not exist.",
    "README.md links to docs/no.png, which does not exist.",
  ]);
});

test("work left undone, a machine's paths, a registry's name and a description without a noun are found with their line", () => {
  const text = [
    "const a = 1;",
    `// ${"TO" + "DO"} later`,
    `open("${"/wo" + "rk/main/x"}")`,
    `//${"registry" + ".npmjs.org"}/a`,
    `"${"descrip" + "tion"}": "What it is."`,
  ].join("\n");
  const found = check({ "server/a.ts": text, "server/b.ts": "https://example.com/home/page" }, checkWords);
  assert.deepEqual(
    found.map((line) => line.split(" ")[0]),
    ["server/a.ts:2:", "server/a.ts:3:", "server/a.ts:4:", "server/a.ts:5:"],
  );
});

test("§6.5.7 advice to ship without the whole condition is found in documents, code blocks and the API's texts", () => {
  const whole =
    'Fulfil on it when `environment` is yours, `payment.status` `protected`, `outcome` null, `refundTotal` "0", `overLimit` false, and no later event says otherwise; read the intent first.';
  const found = (text: string, path = "docs/events.md") =>
    check({ [path]: text }, checkWhenToShip).map((problem) => problem.replace(/ without .*: /, ": "));
  for (const fine of [whole, "Ship it ([when](#when-to-ship)).", "Ask them not to ship.", "# When to ship", "shipment"])
    assert.deepEqual(found(`${fine}\n`), [], fine);
  assert.deepEqual(found(`${whole}\n\n| paid | fulfil the order |\n`), [
    'docs/events.md:3: "fulfil": that `environment` is yours, `payment.status` is `protected`, `outcome` is null, `refundTotal` is "0", `overLimit` is false, that no later event of the payment says otherwise, to read the intent before shipping.',
  ]);
  for (const [left, missing] of [
    ["`environment` is yours, ", "that `environment` is yours"],
    ["`payment.status` `protected`", "`payment.status` is `protected`"],
    ["`outcome` null", "`outcome` is null"],
    ['`refundTotal` "0"', '`refundTotal` is "0"'],
    ["`overLimit` false", "`overLimit` is false"],
    ["no later event says otherwise", "that no later event of the payment says otherwise"],
    ["; read the intent first", "to read the intent before shipping"],
  ] as const)
    assert.deepEqual(found(whole.replace(left, "")), [`docs/events.md:1: "Fulfil": ${missing}.`]);
  const code = (line: string) => `\`\`\`js\n${line}\n\nif (isPaid) ship(order);\n\`\`\`\n`;
  assert.equal(found(code("")).length, 1);
  const guarded =
    'fetch(API + "/payment-intents/" + id); environment === "live" && payment.status === "protected" && outcome === null && refundTotal === "0" && !overLimit // no newer event';
  assert.deepEqual(found(code(guarded)), []);
  assert.deepEqual(found("if (shouldFulfill(event, { environment, others })) ship();\n", "examples/a.mjs"), []);
  assert.equal(found('if (event.type === "payment_intent.paid") ship();\n', "examples/a.mjs").length, 1);
  assert.equal(found('  text: "Fulfil the order on this one.",', "server/features/events/schema.ts").length, 1);
});

test("a limit that counts by the clock of the machine is found, and an exception that nothing needs", () => {
  const found = (path: string, text: string) => check({ [path]: text }, checkWallClock);
  for (const clock of ["Date.now()", "new Date().getTime()", "+new Date()"])
    assert.match(
      found("server/edge/limit.ts", `\nconst used = limit.use(key, ${clock});`)[0]!,
      /^server\/edge\/limit.ts:2: /,
    );
  for (const fine of ["performance.now()", "newId(new Date())"])
    assert.deepEqual(found("server/edge/limit.ts", fine), []);
  assert.deepEqual(found("server/edge/limit.test.ts", "Date.now()"), []);
  assert.deepEqual(found("sdk/request.ts", "Date.now()"), []);
  assert.match(found("sdk/request.ts", "")[0]!, /sdk\/request\.ts needs no exception/);
});

test("a constant for the life of a blockhash, a time in slots, and a commitment of one's own are found", () => {
  const found = (text: string, path = "server/features/a.ts") => check({ [path]: text }, checkChainTime);
  for (const planted of [
    "export const BLOCKHASH_LIFE_MS = 60_000;",
    "/** A blockhash lives for a minute or two. */\nexport const OFFER_MS = 180_000;",
    "/**\n * The wallet's time: then its blockhash has ended.\n */\nconst SIGN_SECONDS = 32;",
    "const isOver = height > built.lastValidBlockHeight - 150n;",
    "/** Five minutes. */\nconst LOOK_BACK_SLOTS = 750;",
    "const BLOCKS_MAX = 150n;",
    'const options = { signal, commitment: "confirmed" };',
    'const commitment = setting ?? "confirmed";',
  ])
    assert.equal(found(planted).length, 1, planted);
  for (const fine of [
    "/** Its blockhash ends it earlier. */\nconst OFFER_MAX = 3;",
    "const READ_MS = 10_000;\n/** The blockhash. */\nconst kept = 1;",
    'found.set("confirmed", commitment);',
    'const options = { commitment: "finalized" };',
  ])
    assert.deepEqual(found(fine), [], fine);
  assert.deepEqual(found('const binds: Commitment = "confirmed";', "server/chain/consensus.ts"), []);
  assert.deepEqual(found("const OVERLAP_SLOTS = 16;", "server/features/recording/sweep/feed.ts"), []);
  assert.deepEqual(found("const LIFE_BLOCKS = 150;", "server/features/a.test.ts"), []);
  assert.match(found("", "server/features/recording/sweep/feed.ts")[0]!, /feed\.ts OVERLAP_SLOTS needs no exception/);
});

test("licences: one of those offered must be allowed, all of those that apply", () => {
  for (const license of ["MIT", "(MIT OR GPL-3.0-only)", "MIT AND ISC"])
    assert.equal(isAllowed(license), true, license);
  for (const license of ["GPL-3.0-only", "MIT AND GPL-3.0-only", "SEE LICENSE IN x", "", undefined])
    assert.equal(isAllowed(license), false);
});

test("pins: a range, a missing foreign package and a host in the lockfile are found", () => {
  const manifest = { dependencies: { a: "^1.0.0", b: "2.0.0" } };
  const packages: Lockfile["packages"] = {
    "": {},
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": {
      version: "2.0.0",
      resolved: "https://somewhere/b.tgz",
      optionalDependencies: { "b-darwin-arm64": "2.0.0" },
    },
  };
  const files = { "package.json": JSON.stringify(manifest), "package-lock.json": JSON.stringify({ packages }) };
  const alias = { "package.json": JSON.stringify({ dependencies: { b: "npm:other@2.0.0", c: "npm:other@2.0.1" } }) };
  const aliased = { packages: { "node_modules/b": { version: "2.0.0" }, "node_modules/c": { version: "2.0.0" } } };
  assert.deepEqual(check({ ...alias, "package-lock.json": JSON.stringify(aliased) }, checkPins), [
    "package-lock.json does not have the version of c that package.json asks for: run npm install.",
  ]);
  const found = check(files, checkPins).join("\n");
  assert.match(found, /a is not pinned \(\^1\.0\.0\)/);
  assert.match(found, /node_modules\/b names a host/);
  assert.match(found, /lacks node_modules\/b-darwin-arm64/);
  const workspace = {
    ...files,
    "web/dashboard/package.json": JSON.stringify({ devDependencies: { c: "~3.0.0", d: "1.0.0" } }),
  };
  assert.match(check(workspace, checkPins).join("\n"), /web\/dashboard\/package\.json: c is not pinned \(~3\.0\.0\)/);
  assert.match(check(workspace, checkPins).join("\n"), /version of d that web\/dashboard\/package\.json asks for/);
  const example = {
    ...files,
    "examples/one/package.json": JSON.stringify({ dependencies: { e: "1.0.0", f: "^1.0.0" } }),
    "examples/one/package-lock.json": JSON.stringify({
      packages: { "": {}, "node_modules/e": { version: "1.0.1", resolved: "https://somewhere/e.tgz" } },
    }),
  };
  const own = check(example, checkPins).join("\n");
  assert.match(own, /examples\/one\/package-lock\.json does not have the version of e that examples\/one/);
  assert.match(own, /examples\/one\/package-lock\.json: node_modules\/e names a host/);
  assert.match(own, /examples\/one\/package\.json: f is not pinned/);
  assert.doesNotMatch(own, /^package-lock\.json does not have the version of [ef]/m);
  assert.deepEqual(missingEntries({ packages })["node_modules/b-darwin-arm64"], {
    version: "2.0.0",
    cpu: ["arm64"],
    optional: true,
    os: ["darwin"],
  });
});

test("dependencies: what a package imports and does not declare is found, also when another package declares it", () => {
  const manifest = {
    name: "@holdfast/a",
    dependencies: { pg: "1.0.0" },
    optionalDependencies: { opt: "1.0.0" },
    devDependencies: { "fast-check": "1.0.0", "@holdfast/b": "1.0.0" },
  };
  const files = {
    "package.json": JSON.stringify({ devDependencies: { react: "1.0.0" } }),
    "cli/package.json": JSON.stringify(manifest),
    "sdk/package.json": JSON.stringify({ name: "@holdfast/b" }),
    "cli/fine.ts":
      'import pg from "pg";\nimport { x } from "opt/sub.js";\nimport "node:fs";\nimport type { B } from "@holdfast/b";\nimport "@holdfast/a/x.ts";',
    "cli/onDemand.ts": 'await import("fast-check");',
    "web/pages/package.json": JSON.stringify({ name: "@holdfast/pages", devDependencies: { react: "1.0.0" } }),
    "web/pages/main.tsx": 'import React from "react";',
    "cli/fine.test.ts":
      'import fc from "fast-check";\nimport React from "react";\nimport { until } from "../tests/harness/wait.ts";',
  };
  assert.deepEqual(check(files, checkDeclared), []);
  const planted: Record<string, RegExp> = {
    'import React from "react";': /cli\/x\.tsx imports react, which cli\/package\.json does not name/,
    'import fc from "fast-check";': /imports fast-check, .* of what ships/,
    'import { b } from "@holdfast/b/b.ts";': /imports @holdfast\/b, .* of what ships/,
    'import { b } from "../sdk/b.ts";': /imports \.\.\/sdk\/b\.ts, a file of another package/,
    'export * from "@solana/kit/sub";': /imports @solana\/kit, /,
    'await import("react");': /imports react, /,
  };
  for (const [text, why] of Object.entries(planted))
    assert.match(check({ ...files, "cli/x.tsx": text }, checkDeclared).join("\n"), why);
  assert.deepEqual(check({ ...files, "web/x.tsx": "" }, checkDeclared), [
    "web/x.tsx is in no package: web/ has no package.json.",
  ]);
  assert.deepEqual(check({ "README.md": "" }, checkDeclared), [
    "The check of declared dependencies saw no modules of a package.",
  ]);
});

test("dependencies: a package of the local run that only tests use is found", () => {
  const manifest = {
    devDependencies: {
      a: "1.0.0",
      "@b/c": "1.0.0",
      styles: "1.0.0",
      "fast-check": "1.0.0",
      d: "1.0.0",
      "@holdfast/e": "0.1.0",
    },
  };
  const files = {
    "package.json": JSON.stringify({ devDependencies: { knip: "1.0.0" } }),
    "web/pages/package.json": JSON.stringify(manifest),
    "web/pages/main.ts": 'import "a";\nawait import("@b/c/sub.js");\nimport type { D } from "d";',
    "web/pages/main.css": '@import "styles/all.css" layer(base);',
    "web/pages/main.test.ts": 'import fc from "fast-check";',
  };
  assert.deepEqual(
    check(files, checkTestPackages),
    ["fast-check", "d"].map(
      (name) => `web/pages/package.json: only tests use ${name}, so it belongs into the root's package.json.`,
    ),
  );
});

const CITE = "\u00a7";

test("sections: a citation that the specification does not have is found, and one of another document", () => {
  const specification = "# S\n\n## 1. One\n\n1. a\n2. b\n\n### 1.9 Sub\n\n1. c\n   - d\n2. e\n";
  const found = (line: string) => check({ "docs/specification.md": specification, "server/a.ts": line }, checkSections);
  for (const fine of ["1", "1.2", "1.9", "1.9.2", "1.9.1–2", "1, %1.9.", "1.9/%1.9.1)"])
    assert.deepEqual(found(`// ${CITE}${fine.replaceAll("%", CITE)}`), [], fine);
  for (const wrong of ["2", "1.3", "1.9.3", "1.10", "1.9.1–3"])
    assert.deepEqual(found(`\n// (${CITE}${wrong})`), [
      `server/a.ts:2: ${CITE}${wrong} is no section or rule of docs/specification.md.`,
    ]);
  assert.match(found(`test("contract ${CITE}1 one")`).join(), /cites another document/);
  assert.match(found(`test("Reliability ${CITE}1 one")`).join(), /cites another document/);
  assert.match(found(`see ${CITE} below`).join(), /without a number/);
  assert.deepEqual(check({ "docs/specification.md": "# Nothing", "a.ts": "" }, checkSections), [
    "The section check saw no sections in docs/specification.md.",
  ]);
  assert.deepEqual(check({ "a.ts": "" }, checkSections), ["docs/specification.md is missing."]);
});

test("a number belongs to one migration", () => {
  const found = (...names: string[]) =>
    check(Object.fromEntries(names.map((name) => [`server/store/migrations/${name}`, ""])), checkMigrations);
  assert.deepEqual(found("0011_a.sql", "0012_b.sql"), []);
  assert.match(found("0030_one.sql", "0030_two.sql").join(), /0030_one\.sql and 0030_two\.sql have the same number/);
  assert.match(found("31_one.sql").join(), /NNNN_name/);
});

test("documents grow to their limit and no further", () => {
  const files = {
    "README.md": "word ".repeat(1_100),
    "ARCHITECTURE.md": "",
    "docs/specification.md": "word ".repeat(12_280),
    "docs/performance.md": "line\n".repeat(80),
    "docs/decisions/0001-a.md": "",
  };
  const warned = (root: string, paths: string[]) => checkDocuments(root, paths).warnings;
  assert.deepEqual(check(files, warned), []);
  const longer = {
    "README.md": "word ".repeat(1_101),
    "ARCHITECTURE.md": "word ".repeat(1_901),
    "docs/specification.md": "word ".repeat(12_281),
    "docs/performance.md": "line\n".repeat(81),
    "docs/decisions/0002-b.md": "word ".repeat(351),
  };
  assert.deepEqual(check({ ...files, ...longer }, warned), [
    "README.md has 1101 words; 1100 are the most.",
    "ARCHITECTURE.md has 1901 words; 1900 are the most.",
    "docs/specification.md has 12281 words; 12280 are the most.",
    "docs/performance.md has 81 lines; 80 are the most.",
    "docs/decisions/0002-b.md has 351 words; 350 are the most.",
  ]);
  const { "ARCHITECTURE.md": _, ...rest } = files;
  const missing = check(rest, (root, paths) => checkDocuments(root, paths).problems);
  assert.deepEqual(missing, ["No document is called ARCHITECTURE.md, which has a limit."]);
});

test("an operation of the API that docs/api.md does not name is found", () => {
  const paths = { "/me": { get: {} }, "/payment-intents": { get: {}, post: {} } };
  const files = { "docs/openapi.json": JSON.stringify({ paths }), "docs/api.md": "`GET /me`, `POST /payment-intents`" };
  assert.deepEqual(check(files, checkDoors), [
    "docs/api.md does not name GET /payment-intents, which docs/openapi.json has.",
  ]);
});

test("settings: a table that is not as declared is found, a table that lacks, and a variable of before", () => {
  const port = setting(integer(1, 9), 3, "port of it");
  const chain = setting(
    object({ keeper: setting(object({ keyFile: needed(file, "its key") }), null, "who pays") }),
    null,
    "a chain",
  );
  const tables = { variables: { service: { port, testChain: chain } }, members: { chain: chain.form.members ?? {} } };
  const page = drawSettings("Prose.\n\n<!-- table: service -->\n\n<!-- table: chain -->\nMore.\n", tables);
  assert.match(page, /^\| `PORT` \| a whole number from 1 to 9 \| `3` \| port of it \|$/m);
  assert.match(page, /^\| `TEST_CHAIN` \| a JSON object, or the path of a file that holds it \| none \| a chain \|$/m);
  assert.match(page, /^\| `keeper.keyFile` \| the path of a file \| needed \| its key \|$/m);
  const run = (text: string, other = "") =>
    check({ "docs/settings.md": text, "docs/other.md": other }, (root, files) =>
      checkSettings(root, files, tables, new Map([["TEST_KEEPER_KEY_FILE", "keeper.keyFile in TEST_CHAIN"]])),
    );
  assert.deepEqual(run(page), []);
  const wrong = ["docs/settings.md is not what the settings declare. Write it again: npm run openapi"];
  assert.deepEqual(run(page.replace("port of it", "port of that")), wrong);
  assert.deepEqual(run(page.replace("<!-- table: chain -->", "")), wrong);
  assert.deepEqual(run(page, "Set `…_KEEPER_KEY_FILE`."), [
    "docs/other.md names …_KEEPER_KEY_FILE, which is a member of a chain's setting now.",
  ]);
});

test("an openapi.json that is out of date is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-check-"));
  const run = (text: string) => {
    writeFileSync(join(folder, "openapi.json"), text);
    return spawnSync(
      process.execPath,
      [join(import.meta.dirname, "openapi.ts"), "--check", join(folder, "openapi.json")],
      {
        encoding: "utf8",
      },
    );
  };
  try {
    const present = readFileSync(join(import.meta.dirname, "../docs/openapi.json"), "utf8");
    assert.equal(run(present).status, 0);
    const stale = run(present.replace('"paths"', '"ways"'));
    assert.equal(stale.status, 1);
    assert.match(stale.stderr, /npm run openapi/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
