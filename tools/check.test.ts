import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { listFiles } from "./checks/files.ts";
import { checkImports, readImports } from "./checks/imports.ts";
import { checkPins, isAllowed } from "./checks/packages.ts";
import { checkPaths } from "./checks/paths.ts";
import { checkSizes } from "./checks/sizes.ts";
import { checkWords } from "./checks/words.ts";
import { type Lockfile, missingEntries } from "./completeLockfile.ts";

/** What a check says of a tree that holds these files and nothing else. */
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
  ["server/lib/clock.ts", 'import { fastify } from "fastify";', /lib knows no product/],
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
  ["devnet/pay.ts", 'import { find } from "@holdfast/server/features/intents/queries.ts";', /nothing calls upward/],
  ["escrow-client/accounts.ts", 'import { terms } from "@holdfast/server/domain/terms.ts";', /nothing calls upward/],
  ["server/edge/http/body.ts", 'import { api } from "../merchant/api.ts";', /nothing calls upward/],
  ["web/x.tsx", 'import { find } from "@holdfast/server/features/keys/queries.ts";', /nothing calls upward/],
  ["web/dashboard/page.tsx", 'import { address } from "@solana/kit";', /seen through chain\/port/],
  ["sdk/client.ts", 'import { terms } from "../server/domain/terms.ts";', /nothing calls upward/],
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
  assert.deepEqual(check({ "README.md": "`server/gone.ts` and `lost/`", "server/main.ts": "" }, checkPaths), [
    "README.md names `server/gone.ts`, which does not exist.",
    "README.md names `lost/`, which does not exist.",
  ]);
});

test("work left undone, a machine's paths and a registry's name are found with their line", () => {
  const text = [
    "const a = 1;",
    `// ${"TO" + "DO"} later`,
    `open("${"/wo" + "rk/main/x"}")`,
    `//${"registry" + ".npmjs.org"}/a`,
  ].join("\n");
  const found = check({ "server/a.ts": text, "server/b.ts": "https://example.com/home/page" }, checkWords);
  assert.deepEqual(
    found.map((line) => line.split(" ")[0]),
    ["server/a.ts:2:", "server/a.ts:3:", "server/a.ts:4:"],
  );
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
  assert.deepEqual(missingEntries({ packages })["node_modules/b-darwin-arm64"], {
    version: "2.0.0",
    cpu: ["arm64"],
    optional: true,
    os: ["darwin"],
  });
});

test("a file grows to its limit and no further", () => {
  const sized = (path: string, lines: number) =>
    check({ [path]: "\n".repeat(lines) }, (root, files) => checkSizes(root, files).problems);
  assert.deepEqual(sized("server/a.ts", 400), []);
  assert.deepEqual(sized("server/a.ts", 401), ["server/a.ts has 401 lines; 400 are the most."]);
  assert.deepEqual(sized("server/a.test.ts", 600), []);
  assert.deepEqual(sized("web/x.tsx", 401), ["web/x.tsx has 401 lines; 400 are the most."]);
});
