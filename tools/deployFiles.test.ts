import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const RULES = read("deploy/prometheus/rules.yml");
const names = (pattern: RegExp, text: string): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name!));

/** The figures that the service declares, and the series of its histograms. */
function listFigures(): Set<string> {
  const sources = readdirSync(join(ROOT, "server"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => read(join("server", name)));
  const declared = [...names(/name: "(holdfast_\w+)"/g, sources.join("\n"))];
  return new Set(declared.flatMap((name) => [name, `${name}_count`, `${name}_bucket`]));
}

test("every figure that an alert, a panel or the page about figures names is one of the service", () => {
  const known = listFigures();
  for (const path of [
    "deploy/prometheus/rules.yml",
    "deploy/prometheus/rules.test.yml",
    "deploy/grafana/holdfast.json",
    "docs/how-to/watch-a-deployment.md",
  ]) {
    const named = [...names(/\b(holdfast_\w+)/g, read(path))].filter((name) => name !== "holdfast_how");
    assert.ok(named.length > 10, path);
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
      path,
    );
  }
});

test("every alert has a section that says what to do, a test of when it fires and when not, and its place in the drill", () => {
  const alerts = [...names(/^ +- alert: (\w+)$/gm, RULES)];
  assert.ok(alerts.length >= 14);
  const headings = names(/^## (\w+)$/gm, read("docs/how-to/alerts.md"));
  assert.deepEqual([...headings].sort(), alerts.toSorted());
  const drill = read("tests/faults/drill.ts");
  const tests = read("deploy/prometheus/rules.test.yml");
  for (const alert of alerts) {
    assert.ok(RULES.includes(`runbook: docs/how-to/alerts.md#${alert.toLowerCase()}\n`), alert);
    for (const end of ["fires", "is silent"]) assert.ok(tests.includes(`- name: ${alert} ${end}\n`), alert);
    assert.ok(drill.includes(`"${alert}"`), `the drill does not name ${alert}`);
  }
});

test("HAProxy and nginx pass the same paths of the buyers' host, and keep the same from the dashboard's", () => {
  const haproxy = read("deploy/proxy/haproxy.cfg");
  const [, , buyers, staff] = read("deploy/proxy/nginx.conf").split("\nserver {");
  const pathsOf = (found: RegExp) => [...haproxy.matchAll(found)].flatMap(([, paths]) => paths!.split(" ")).sort();
  const passed = names(/location (?:= )?(\/\S*) \{(?! return 404)/g, buyers!);
  assert.deepEqual([...passed].sort(), pathsOf(/acl pay_path path(?:_beg)? (.+)/g));
  const kept = names(/location (?:= )?(\/\S*) \{ return 404/g, staff!);
  assert.deepEqual(
    [...kept].sort(),
    [...pathsOf(/acl inner path (.+)/g), ...pathsOf(/if dash \{ path_beg (\S+) \}/g)].sort(),
  );
});

test("HAProxy for two deployments has every rule of HAProxy for one", () => {
  const rulesOf = (name: string) =>
    read(`deploy/proxy/${name}`).match(
      /^ +(?:timeout|option|http-|log-|retr|balance|default-server|bind|tune|ssl|acl (?:pay_path|inner)).*$/gm,
    )!;
  const both = new Set(rulesOf("two-deployments.cfg"));
  const rules = rulesOf("haproxy.cfg");
  assert.ok(rules.length > 20);
  assert.deepEqual(
    rules.filter((rule) => !both.has(rule)),
    [],
  );
});

test("each unit of systemd has every secret as a credential, those that are optional with a value in their place, and only the worker has the keeper's key", () => {
  const needed = ["database-url", "metrics-token", "webhook-keys.json"];
  const optional = ["smtp-url", "sponsor.json", "test-chain.json", "live-chain.json"];
  for (const [unit, more] of [
    ["holdfast-api@", []],
    ["holdfast-worker", ["keeper.json"]],
  ] as const) {
    const text = read(`deploy/systemd/${unit}.service`);
    const loaded = names(/^LoadCredential=([\w.-]+):\/etc\/holdfast\/secrets\/\1$/gm, text);
    assert.deepEqual([...loaded].sort(), [...needed, ...optional, ...more].sort(), unit);
    assert.deepEqual([...names(/^SetCredential=([\w.-]+):./gm, text)].sort(), [...optional, ...more].sort(), unit);
  }
});

test("no log of nginx has a path in a line: a receipt's address holds its key", () => {
  const [head, ...servers] = read("deploy/proxy/nginx.conf").split("\nserver {");
  assert.doesNotMatch(/^log_format .*$/m.exec(head!)![0], /request_uri|\$uri|\$request[^_]|referer/);
  assert.equal(servers.length, 4);
  for (const server of servers) {
    assert.match(server, /^ {4}access_log (off|\S+ holdfast);$/m);
    assert.match(server, /^ {4}error_log \S+ crit;$/m);
  }
});

test("nginx.conf sets in its servers what Debian's own file sets for all: there it would be refused, or only added to", () => {
  const [head, ...servers] = read("deploy/proxy/nginx.conf").split("\nserver {");
  assert.doesNotMatch(head!, /^(server_tokens|ssl_protocols)/m);
  for (const server of servers) {
    assert.match(server, /^ {4}server_tokens off;$/m);
    assert.equal(/^ {4}listen .* ssl/m.test(server), /^ {4}ssl_protocols TLSv1\.2 TLSv1\.3;$/m.test(server));
  }
});

test("the dashboard has at most twelve panels, each with an expression", () => {
  const { panels } = JSON.parse(read("deploy/grafana/holdfast.json")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  assert.ok(panels.length <= 12);
  for (const { title, targets } of panels)
    assert.ok(targets.length > 0 && targets.every(({ expr }) => expr !== ""), title);
});

/** The labels of each figure, by the page about figures. */
const listLabels = (): Map<string, Set<string>> =>
  new Map(
    [...read("docs/how-to/watch-a-deployment.md").matchAll(/`(holdfast_\w+)(?:\{([\w,]+)\})?`/g)].map(
      ([, name, labels]) => [name!, new Set(labels?.split(","))] as const,
    ),
  );

test("every panel groups, chooses and names its series by labels that its figures have", () => {
  const labelsOf = listLabels();
  const { panels } = JSON.parse(read("deploy/grafana/holdfast.json")) as {
    panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
  };
  let checked = 0;
  for (const { title, targets } of panels)
    for (const { expr, legendFormat } of targets) {
      const figure = /holdfast_\w+/.exec(expr)?.[0].replace(/_(count|bucket)$/, "");
      // Those of Node.js have the labels that Prometheus sets.
      const known = figure === undefined ? new Set(["job", "instance"]) : labelsOf.get(figure);
      assert.ok(known !== undefined, `${title}: the page has no row for ${figure}`);
      const groups = /\bby \(([\w, ]+)\)/.exec(expr)?.[1]?.split(", ") ?? [...known];
      const chosen = names(/[{,](\w+)(?:=|!)/g, expr);
      for (const label of [...groups, ...chosen])
        assert.ok(known.has(label) || (label === "le" && expr.includes("_bucket")), `${title}: ${label}`);
      for (const label of names(/\{\{(\w+)\}\}/g, legendFormat))
        assert.ok(groups.includes(label), `${title}: ${label}`);
      checked++;
    }
  assert.ok(checked >= 12);
});

test("every page that admin doctor leads to exists", () => {
  const folder = join(ROOT, "server/process/doctor");
  const text = readdirSync(folder)
    .map((name) => read(join("server/process/doctor", name)))
    .join("\n");
  const pages = [...names(/(docs\/[\w/-]+\.md)/g, text)];
  assert.ok(pages.length >= 5);
  for (const page of pages) assert.ok(existsSync(join(ROOT, page)), page);
});
