import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { eventually } from "../../../../tests/harness/wait.ts";
import { showLive } from "./checkout.ts";
import { LiveStates, type LiveStatesDeps } from "./liveStates.ts";
import type { StateRows } from "./queries.ts";

type StateFacts = StateRows & Parameters<typeof showLive>[0];

const NOW = new Date();
const factsOf = (id: string): StateFacts => {
  const intent = { id, businessId: "biz_1", status: "requires_payment", expiresAt: new Date(NOW.getTime() + 60_000) };
  return {
    intent: intent as StateFacts["intent"],
    payment: null,
    inFlight: null,
    isHeld: false,
    version: 1,
    now: NOW,
    at: NOW,
  };
};

const DEPS = {
  name: "states of the test",
  keyOf: ({ intent }: StateFacts) => intent.id,
  businessOf: ({ intent }: StateFacts) => intent.businessId,
  show: showLive,
  log: () => undefined,
} satisfies Omit<LiveStatesDeps<StateFacts>, "listFacts">;

/** More than the streams per link. */
const READERS = 51;

test("§12.5 readers that left before their streams were open do not count as streams", async (context) => {
  const database = Promise.withResolvers<void>();
  const live = new LiveStates({ ...DEPS, listFacts: (ids) => database.promise.then(() => ids.map(factsOf)) });
  const follow = (open: Parameters<typeof live.follow>[2]) => live.follow("pi_test_1", "192.0.2.1", open);
  const followed: ReturnType<typeof follow>[] = [];
  const left: Promise<unknown>[] = [];
  const server = createServer((_, reply) => {
    left.push(once(reply, "close"));
    followed.push(follow(() => reply.writeHead(200)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  context.after(async () => {
    await live.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const request = get({ host: "127.0.0.1", port, agent: false }).on("error", () => undefined);
    await once(server, "request");
    return request;
  };
  for (let reader = 0; reader < READERS; reader++) (await ask()).destroy();
  await Promise.all(left);
  database.resolve();
  await Promise.all(followed);

  await ask();
  assert.equal(await followed.at(-1), "open");
});

test("§16.1 a stream ends once its reader may no longer read; while nobody can say, it stays", async (context) => {
  const answers = [true, null, true, false];
  const live = new LiveStates({ ...DEPS, checkMs: 10, listFacts: async (ids) => ids.map(factsOf) });
  const mayRead = async () => {
    const answer = answers.shift();
    if (answer === null) throw new Error("The database is away.");
    return answer ?? false;
  };
  const server = createServer(
    (_, reply) => void live.follow("pi_test_1", "192.0.2.1", () => reply.writeHead(200), mayRead),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  context.after(async () => {
    await live.stop();
    server.closeAllConnections();
    server.close();
  });
  const stream = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  assert.match(await stream.text(), /^retry: 2000\n\ndata: /);
  assert.deepEqual(answers, [], "each check was made, and the last ended it");
});

test("§12.5 an intent that cannot be shown keeps no other stream from its state", async (context) => {
  const logged: string[] = [];
  let version = 1;
  const broken = (id: string) => (version > 1 && id === "pi_test_1" ? { status: "paid" } : {});
  const live = new LiveStates({
    ...DEPS,
    log: (message) => void logged.push(message),
    listFacts: async (ids) =>
      ids.toSorted().map((id) => {
        const facts = factsOf(id);
        return { ...facts, version, intent: { ...facts.intent, ...broken(id) } as StateFacts["intent"] };
      }),
  });
  const server = createServer((request, reply) => {
    void live.follow(request.url!.slice(1), "192.0.2.1", () => reply.writeHead(200));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  context.after(async () => {
    await live.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const texts = ["pi_test_1", "pi_test_2"].map((id) => {
    const states: unknown[] = [];
    const request = get({ host: "127.0.0.1", port, path: `/${id}`, agent: false }, (answer) =>
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        for (const [, json] of chunk.matchAll(/^data: (.*)$/gm)) states.push(JSON.parse(json!).version);
      }),
    );
    request.on("error", () => undefined);
    return states;
  });
  await eventually("both are open", () => texts.every((states) => states.length === 1));
  version = 2;
  live.wake(["biz_1"]);
  await eventually("the second has its state", () => texts[1]!.length === 2);
  assert.deepEqual(texts, [[1], [1, 2]]);
  assert.match(logged.join(), /pi_test_1 cannot be shown/);
});

test("§12.5 however often its business records something, an open page costs a look now and then, and others none", async (context) => {
  let looks = 0;
  const live = new LiveStates({
    ...DEPS,
    listFacts: async (ids) => {
      looks++;
      return ids.map(factsOf);
    },
  });
  const opened = Promise.withResolvers<void>();
  const server = createServer((_, reply) => {
    void live.follow("pi_test_1", "192.0.2.1", () => reply.writeHead(200)).then(() => opened.resolve());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  context.after(async () => {
    await live.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  get({ host: "127.0.0.1", port, agent: false }).on("error", () => undefined);
  await opened.promise;
  const [before, startedAt] = [looks, performance.now()];
  const wakeOften = async (id: string) => {
    for (let wakes = 0; wakes < 200; wakes++) {
      live.wake([id]);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  await wakeOften("biz_1");
  await wakeOften("biz_other");
  const lasted = performance.now() - startedAt;
  // The wake causes a read, each 100 ms another, and the poll its own.
  assert.ok(looks - before <= 3 + lasted / 100 + lasted / 1_400, `${looks - before} looks in ${lasted} ms`);
  assert.ok(looks > before, "it was woken");
});
