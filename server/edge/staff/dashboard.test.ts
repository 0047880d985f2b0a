import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import inject from "light-my-request";
import { createServer } from "../http/server.ts";
import { type DashboardFiles, registerDashboard } from "./dashboard.ts";

const FILES: DashboardFiles = {
  script: "main-1.js",
  style: "main-2.css",
  preloads: ["part-3.js"],
  files: [
    { name: "main-1.js", text: "console.log('dashboard')" },
    { name: "main-2.css", text: "body{color:red}" },
    { name: "part-3.js", text: "export {}" },
  ],
};

function serve(dashboardUrl: string, build: () => Promise<DashboardFiles>) {
  const { app } = createServer([]);
  const lines: string[] = [];
  registerDashboard(app, { dashboardUrl, isLocal: false, company: null, build, log: (line) => void lines.push(line) });
  return { app, lines };
}

test("every address of the dashboard is the one document, with a policy that lets in nothing of others", async () => {
  const { app } = serve("https://pay.example/dashboard/", async () => FILES);
  const answers = await Promise.all(
    ["/dashboard", "/dashboard/", "/dashboard/biz_1/test/keys?x=1"].map((url) => inject(app.dispatch, url)),
  );
  for (const { statusCode, headers, body } of answers) {
    assert.equal(statusCode, 200);
    assert.equal(headers["cache-control"], "no-store");
    const policy = String(headers["content-security-policy"]);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)![1]!;
    assert.ok(body.includes(`nonce="${nonce}"`));
    assert.match(policy, /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.match(body, /data-base="\/dashboard">/);
    for (const name of ["main-1.js", "main-2.css", "part-3.js"])
      assert.ok(body.includes(`"/dashboard/assets/${name}"`), name);
  }
  assert.equal(new Set(answers.map(({ headers }) => headers["content-security-policy"])).size, 3, "each nonce is new");
});

test("files are kept for ever under their names, compressed where it is understood; others are 404", async () => {
  const { app } = serve("https://pay.example/staff/pages", async () => FILES);
  const plain = await inject(app.dispatch, "/staff/pages/assets/main-1.js");
  assert.equal(plain.body, FILES.files[0]!.text);
  assert.match(String(plain.headers["cache-control"]), /max-age=31536000, immutable/);
  assert.equal(plain.headers["content-type"], "text/javascript; charset=utf-8");
  for (const [accepted, encoding, unpack] of [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip, br;q=0", "gzip", gunzipSync],
    ["deflate", undefined, (text: Buffer) => text],
  ] as const) {
    const headers = { "accept-encoding": accepted };
    const packed = await inject(app.dispatch, { url: "/staff/pages/assets/main-2.css", headers });
    assert.equal(packed.headers["content-encoding"], encoding);
    assert.equal(packed.headers.vary, "Accept-Encoding");
    assert.equal(unpack(packed.rawPayload).toString(), "body{color:red}");
  }
  assert.equal((await inject(app.dispatch, "/staff/pages/assets/main-9.js")).statusCode, 404);
  const { app: own } = serve("https://dash.example", async () => FILES);
  for (const path of ["/", "/sign-in"])
    assert.equal((await inject(own.dispatch, path)).statusCode, 200, "a host of its own");
});

test("an installation that cannot build the pages starts, and says at their address what to do", async () => {
  const { app, lines } = serve("https://pay.example/dashboard", () => Promise.reject(new Error("no rolldown")));
  const answer = await inject(app.dispatch, "/dashboard/sign-in");
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /npm run build/);
  assert.equal((await inject(app.dispatch, "/dashboard/assets/main-1.js")).statusCode, 404);
  assert.equal(lines.length, 1);
});

test("a build that failed heals with the next one that works, for the document and its files", async () => {
  let builds = 0;
  const { app, lines } = serve("https://pay.example/dashboard", async () => {
    builds += 1;
    if (builds === 1) throw new Error("a package was being installed");
    return FILES;
  });
  assert.equal((await inject(app.dispatch, "/dashboard")).statusCode, 503);
  const healed = await Promise.all(
    ["/dashboard", "/dashboard/assets/main-1.js"].map((url) => inject(app.dispatch, url)),
  );
  assert.deepEqual(
    healed.map(({ statusCode }) => statusCode),
    [200, 200],
  );
  assert.equal((await inject(app.dispatch, "/dashboard/sign-in")).statusCode, 200);
  assert.equal(builds, 2, "requests of one moment share a build, and later ones use it");
  assert.equal(lines.length, 1);
});
