import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import { exchangeRaw } from "../harness/http.ts";
import { newMerchant } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
let open: ApiProcess;
before(async () => {
  service = await sharedService();
  open = await startApiProcess(service, {
    CHECKOUT_URL: "https://pay.shop-demo.com",
    DASHBOARD_URL: "https://dash.shop-demo.com",
    API_URL: "https://api.shop-demo.com/api/v1",
  });
});
after(async () => {
  await open?.kill("SIGTERM");
  await service?.remove();
});

const get = (path: string, host: string, port = open.service.port) =>
  exchangeRaw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

test("§10.15 the checkout and the dashboard answer under their own host alone, whatever the spelling of the path", async () => {
  const { id } = await (await newMerchant(service)).create();
  const pages = [`/pay/i/${id}`, `/pay/i/${id}/state`, `/%70ay/i/${id}`, "/pay/icon.svg"];
  const ofStaff = ["/sign-in", "/", "/staff/v1/account", "/staff/v1/openapi.json"];
  for (const host of ["pay.shop-demo.com", "PAY.shop-demo.com:8443"]) {
    for (const path of pages) assert.equal((await get(path, host)).status, 200, `${host}${path}`);
    for (const path of ofStaff) assert.equal((await get(path, host)).status, 421, `${host}${path}`);
  }
  for (const path of ofStaff) assert.notEqual((await get(path, "dash.shop-demo.com")).status, 421, path);
  for (const host of [
    "dash.shop-demo.com",
    "evil.example",
    "localhost",
    "pay.shop-demo.com.evil.example",
    "127.0.0.1:1",
  ])
    for (const path of pages) {
      const { status, text } = await get(path, host);
      assert.equal(status, 421, `${host}${path}`);
      assert.match(text, /Open https:\/\/pay\.shop-demo\.com\b/);
    }
  assert.match((await get("/sign-in", "evil.example")).text, /Open https:\/\/dash\.shop-demo\.com\b/);
  for (const host of ["evil.example", "10.0.0.7:3000", "localhost"]) {
    assert.equal((await get("/api/v1/me", host)).status, 401, "a key opens the API, under any name");
    assert.equal((await get("/healthz", host)).status, 200);
  }
});

test("§10.15 a local run answers under every name of the machine's own, and under no other", async () => {
  const { id } = await (await newMerchant(service)).create();
  for (const path of [`/pay/i/${id}`, "/dashboard", "/staff/v1/openapi.json"]) {
    for (const host of [`localhost:${service.port}`, "127.0.0.1", "[::1]:9"])
      assert.equal((await get(path, host, service.port)).status, 200, `${host}${path}`);
    assert.equal((await get(path, "rebound.example", service.port)).status, 421, path);
  }
});

test("§10.16 answers that are data are never taken for a page, pages stay on their site, and https stays https", async () => {
  const { id } = await (await newMerchant(service)).create();
  const DATA = "default-src 'none'; frame-ancestors 'none'";
  for (const [path, host] of [
    ["/api/v1/me", "api.shop-demo.com"],
    ["/api/v1/nothing", "api.shop-demo.com"],
    ["/staff/v1/account", "dash.shop-demo.com"],
    ["/staff/v1/openapi.json", "dash.shop-demo.com"],
    [`/pay/i/${id}/state`, "pay.shop-demo.com"],
    ["/pay/terms/none", "pay.shop-demo.com"],
  ] as const) {
    const { headers, text } = await get(path, host);
    assert.match(text, /^\{/, path);
    assert.deepEqual(
      [headers["x-content-type-options"], headers["content-security-policy"], headers["strict-transport-security"]],
      ["nosniff", DATA, "max-age=31536000"],
      path,
    );
  }
  const page = await get(`/pay/i/${id}`, "pay.shop-demo.com");
  const asset = /src="(\/pay\/assets\/[^"]+)"/.exec(page.text)![1]!;
  const dashboard = await get("/sign-in", "dash.shop-demo.com");
  const style = /href="(\/assets\/[^"]+)"/.exec(dashboard.text)![1]!;
  for (const { headers, status } of [
    page,
    dashboard,
    await get(asset, "pay.shop-demo.com"),
    await get(style, "dash.shop-demo.com"),
    await get("/docs", "api.shop-demo.com"),
  ])
    assert.deepEqual(
      [
        status,
        headers["cross-origin-resource-policy"],
        headers["x-content-type-options"],
        headers["strict-transport-security"],
      ],
      [200, "same-origin", "nosniff", "max-age=31536000"],
    );
  for (const { headers } of [page, dashboard, await get("/pay", "pay.shop-demo.com")]) {
    assert.match(String(headers["cross-origin-opener-policy"]), /^same-origin(-allow-popups)?$/);
    assert.equal(headers["permissions-policy"], "camera=(), microphone=(), geolocation=(), payment=()");
  }
  assert.equal((await get("/docs", "localhost", service.port)).headers["strict-transport-security"], undefined);
});
