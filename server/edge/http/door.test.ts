import assert from "node:assert/strict";
import { Agent, get } from "node:http";
import type { Socket } from "node:net";
import { test } from "node:test";
import { Type } from "typebox";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import type { Merchant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { showFields, showText } from "../../domain/show.ts";
import { checked, oneOf } from "../../domain/values.ts";
import type { Declaration } from "./declaration.ts";
import { type Door, registerDoor } from "./door.ts";
import { field, requestBody } from "./fields.ts";
import { Idempotency } from "./idempotency.ts";
import { parameter } from "./parameters.ts";
import { ok, type Route, readRoute, type WriteMethod, writeRoute } from "./route.ts";
import { createServer } from "./server.ts";

/** A kind of caller without a door so far. */
interface Visitor {
  readonly name: string;
}

const docs = {
  operationId: "any",
  tag: "Any",
  summary: "Any",
  description: "Any.",
  success: { status: 200, description: "Done.", schema: Type.Object({}), example: {} },
  errors: [],
} as const satisfies Declaration;
const LIST = {
  ...docs,
  query: { sort_by: parameter(oneOf(["name", "age"]), "The order.") },
} as const satisfies Declaration;
const RENAME = {
  ...docs,
  body: requestBody({
    component: "Rename",
    operation: "Rename",
    fields: { name: field(checked({}, "a name", (text) => text !== "")) },
    example: { name: "Ann" },
  }),
} as const satisfies Declaration;

const show = (text: string) => Promise.resolve(ok(showFields({ text: showText(text) })));
const routes: readonly Route<Visitor>[] = [
  readRoute("/things", LIST, ({ caller, input }) => show(`${caller.name} by ${input.sortBy}`)),
  readRoute("/waiting", docs, ({ hangUp }) => show(`gone: ${hangUp().aborted}`)),
  ...(["PUT", "PATCH"] as const).map((method) =>
    writeRoute(method, "/things/:id", RENAME, async ({ caller, params, input, write }: VisitorsRename) =>
      write.commit({ reply: await show(`${caller.name} ${method} ${params.id} ${input.name}`) }),
    ),
  ),
  writeRoute("DELETE", "/things/:id", docs, async ({ caller, params, write }) =>
    write.commit({ reply: await show(`${caller.name} DELETE ${params.id}`) }),
  ),
];
type VisitorsRename = Parameters<Parameters<typeof writeRoute<Visitor, typeof RENAME>>[3]>[0];

async function open() {
  const door: Door<Visitor> = {
    prefix: "/visitors",
    routes,
    refuse: ({ headers }) => {
      if (headers.origin !== undefined) throw new ApiError("browser_request", "No browsers.");
    },
    admit: async ({ headers }, reply) => {
      if (headers.cookie === undefined) throw new ApiError("unauthorized", "Say your name.");
      reply.header("visits", "1");
      return { caller: { name: headers.cookie }, now: new Date() };
    },
    permit: ({ name }, { method }) => {
      if (name === "Bob" && method !== "GET") throw new ApiError("forbidden", "Not Bob.");
    },
    tenantOf: () => ({ businessId: "biz_a", environment: "test" }),
    noEndpoint: "Nothing here.",
  };
  // Requests without a key and without writes use no database.
  const idempotency = new Idempotency(null as never, null as never);
  const { app } = createServer([]);
  const sockets: Socket[] = [];
  app.server.on("connection", (socket) => sockets.push(socket));
  registerDoor(app, door, { idempotency, bodyWaitMs: HUNG_MS, logError: assert.fail });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as { port: number };
  return {
    port,
    sockets,
    async call(method: "GET" | WriteMethod, path: string, init: RequestInit = {}) {
      const headers = { cookie: "Ann", ...(init.body ? { "content-type": "application/json" } : {}), ...init.headers };
      const response = await fetch(`http://127.0.0.1:${port}/visitors${path}`, { ...init, method, headers });
      return { status: response.status, json: (await response.json()) as never, headers: response.headers };
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

test("a path that no route has is the door's in each of its spellings, whatever its method", async () => {
  await using door = await open();
  for (const path of [
    "/visitors",
    "/visitors/",
    "/visitors?x",
    "/visitors/-",
    "/%76isitors/-",
    "/visitors/things/%2f/-",
  ])
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const answer = await fetch(`http://127.0.0.1:${door.port}${path}`, { method, headers: { cookie: "Ann" } });
      assert.match(await answer.text(), /"Nothing here\."/, `${method} ${path}`);
    }
  const other = await fetch(`http://127.0.0.1:${door.port}/visitorsx`);
  assert.equal(await other.text(), "Not found.\n");
});

test("a door takes routes of every method, and gives each operation its caller and its input", async () => {
  await using door = await open();
  const body = JSON.stringify({ name: "chair" });
  for (const [method, path, init, text] of [
    ["GET", "/things?sort_by=age", {}, "Ann by age"],
    ["GET", "/things", {}, "Ann by null"],
    ["PUT", "/things/7", { body }, "Ann PUT 7 chair"],
    ["PATCH", "/things/7", { body }, "Ann PATCH 7 chair"],
    ["DELETE", "/things/7", {}, "Ann DELETE 7"],
  ] as const) {
    const answer = await door.call(method, path, init);
    assert.deepEqual([answer.status, answer.json, answer.headers.get("visits")], [200, { text }, "1"], method);
  }
});

test("§7.1 a door checks in order: refusal, admission, route, permission, type, size, body, key, version, fields", async () => {
  await using door = await open();
  const body = JSON.stringify({ name: "" });
  const wrong = { "idempotency-key": "", "service-api-version": "old" };
  for (const [status, path, init] of [
    [403, "/nothing", { body, headers: { origin: "x", cookie: "" } }],
    [404, "/nothing", { body, headers: { ...wrong, "content-type": "text/plain" } }],
    [403, "/things/7", { body, headers: { ...wrong, "content-type": "text/plain", cookie: "Bob" } }],
    [415, "/things/7", { body, headers: { ...wrong, "content-type": "text/plain" } }],
    [413, "/things/7", { body: "x".repeat(20_000), headers: wrong }],
    [400, "/things/7", { body: "x", headers: wrong }],
  ] as const)
    for (const method of ["PUT", "PATCH"] as const)
      assert.equal((await door.call(method, path, init)).status, status, `${method} ${path}`);
  const codes = [];
  for (const headers of [wrong, { "service-api-version": "old" }, {}] as const) {
    const { json } = await door.call("PATCH", "/things/7", { body, headers });
    codes.push([
      (json as { error: { code: string; param?: string } }).error.code,
      (json as { error: { param?: string } }).error.param,
    ]);
  }
  assert.deepEqual(codes, [
    ["bad_request", undefined],
    ["invalid_request", "Service-Api-Version"],
    ["invalid_request", "name"],
  ]);
  const { json } = await door.call("DELETE", "/things/7", { body: JSON.stringify({ name: "chair" }) });
  assert.equal((json as { error: { param: string } }).error.param, "name");
});

test("§4.10.4 requests that wait, one after the other on a connection, leave nothing behind on it", async () => {
  await using door = await open();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const options = {
        agent,
        port: door.port,
        host: "127.0.0.1",
        path: "/visitors/waiting",
        headers: { cookie: "Ann" },
      };
      get(options, (response) => response.resume().once("end", resolve)).once("error", reject);
    });
  await wait();
  const before = door.sockets[0]!.listenerCount("end");
  for (let times = 0; times < 12; times++) await wait();
  assert.equal(door.sockets.length, 1);
  assert.ok(door.sockets[0]!.listenerCount("end") <= before);
  agent.destroy();
});

test("a route for one kind of caller does not compile at the door of another", () => {
  const merchants: readonly Route<Merchant>[] = [readRoute("/me", docs, ({ caller }) => show(caller.businessId))];
  // @ts-expect-error: an operation for merchants would find no business in a visitor.
  const visitors: Door<Visitor>["routes"] = merchants;
  // @ts-expect-error: a visitor's operation is not one for merchants either.
  const others: Door<Merchant>["routes"] = routes;
  assert.notEqual(visitors, others);
});
