import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { verifyWebhook } from "@holdfast/sdk/webhooks";
import { createAuthority } from "../../tests/harness/certificates.ts";
import { inForm } from "../../tests/harness/form.ts";
import { type Merchant, newMerchant } from "../../tests/harness/merchant.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { eventually } from "../../tests/harness/wait.ts";
import { newUser } from "./cli.ts";

/** The first is by force, the second by Ctrl-C after a stop. */
const KILLS = inForm({ short: 2, long: 5 });

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly sequence: string;
}

/** A merchant's handler on this machine; it hangs where there is no status. */
async function startHandler(statusOf: (received: readonly Received[]) => number | null = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body, sequence: String(request.headers["service-event-sequence"]) });
      const status = statusOf(received);
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const openUser = (merchant: Merchant) => newUser({ HOLDFAST_API_KEY: merchant.key, HOLDFAST_API_URL: service.apiUrl });

test("listen delivers events signed by both schemes, under a secret that stays, and writes it where the handler reads it", async () => {
  const merchant = await newMerchant(service);
  await using user = await openUser(merchant);
  await using handler = await startHandler();
  await merchant.create();
  await writeFile(join(user.home, ".env"), "OTHER=1\nWEBHOOK_SECRET=other\nHOLDFAST_WEBHOOK_SECRET=old\nMORE=2", {
    mode: 0o644,
  });
  const words = [
    "listen",
    "--forward-to",
    handler.url,
    "--since",
    "0",
    "--exit-after",
    "1",
    "--secret-file",
    ".env",
    "--json",
  ];
  const { code, lines, out, errors } = await user.run(words);
  assert.deepEqual([code, lines[0].status, lines[0].sequence], [0, 200, "1"]);
  assert.match(errors, /another HOLDFAST_WEBHOOK_SECRET.*kept as a comment/);
  const secret = (await user.run(["listen", "--print-secret"])).out.trim();
  const kept = ["OTHER=1", "WEBHOOK_SECRET=other", "# HOLDFAST_WEBHOOK_SECRET=old"];
  assert.equal(
    await readFile(join(user.home, ".env"), "utf8"),
    [...kept, `HOLDFAST_WEBHOOK_SECRET=${secret}`, "MORE=2", ""].join("\n"),
  );
  assert.equal((await stat(join(user.home, ".env"))).mode & 0o777, 0o600);
  assert.ok(!out.includes(secret));
  const [{ headers, body }] = handler.received as [Received];
  for (const scheme of ["service-signature", "webhook-signature"]) {
    const { [scheme]: _, ...rest } = headers;
    const event = await verifyWebhook(body, rest, secret);
    assert.deepEqual([event.type, event.sequence], ["payment_intent.created", "1"]);
  }
  const resent = await user.run(["events", "resend", lines[0].event, "--forward-to", handler.url, "--json"]);
  assert.deepEqual([resent.code, handler.received[1]!.body], [0, body]);
});

test("listen goes on where it was with this business and environment alone, whatever key a profile or the environment names now", async () => {
  const [one, other] = [await newMerchant(service), await newMerchant(service)];
  await using user = await openUser(one);
  await using handler = await startHandler();
  for (let count = 0; count < 3; count++) await one.create();
  const words = ["listen", "--forward-to", handler.url, "--exit-after"];
  assert.equal((await user.run([...words, "3", "--since", "0"])).code, 0);
  await other.create();
  // Its first event comes before the position of the other business.
  const env = { HOLDFAST_API_KEY: other.key };
  const child = user.start([...words, "1", "--json"], env);
  await new Promise((resolve) => child.stderr!.once("data", resolve));
  await other.create();
  const [code] = await once(child, "exit");
  assert.deepEqual([code, handler.received.at(-1)!.sequence], [0, "2"]);
  await one.create();
  assert.equal((await user.run([...words, "1"])).code, 0);
  assert.equal(handler.received.at(-1)!.sequence, "4");
});

test("a position that the service does not have ends with a sentence, and one that is none is wrong usage", async () => {
  const merchant = await newMerchant(service);
  await using user = await openUser(merchant);
  for (const words of [
    ["listen", "--since"],
    ["events", "tail", "--after"],
  ]) {
    const ahead = await user.run([...words, "900"]);
    assert.equal(ahead.code, 1);
    assert.match(ahead.errors, /^The newest event has the sequence 0, and this reader was at 900[^\n]*\n$/);
    assert.equal((await user.run([...words, "x"])).code, 2);
  }
});

test("listen goes only to this machine", async () => {
  const merchant = await newMerchant(service);
  await using user = await openUser(merchant);
  for (const url of [
    "https://shop.example/hooks",
    "http://localhost.evil.example/",
    "http://10.0.0.1/",
    "ftp://localhost/",
    "x",
  ])
    assert.equal((await user.run(["listen", "--forward-to", url])).code, 2, url);
  const { errors } = await user.run(["listen", "--forward-to", "http://10.0.0.1/"]);
  assert.match(errors, /^10\.0\.0\.1 is not this machine/);
});

test("listen reaches a handler under a name of this machine, by https with a certificate of its own, and says where a redirect leads", async (t) => {
  const merchant = await newMerchant(service);
  await using user = await openUser(merchant);
  await merchant.create();
  const hosts: (string | undefined)[] = [];
  const listenOn = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    return (server.address() as AddressInfo).port;
  };
  const take: RequestListener = ({ headers, url }, response) => {
    hosts.push(headers.host);
    response.writeHead(url === "/hooks" ? 308 : 200, { location: "/hooks/" }).end();
  };
  const port = await listenOn(createServer(take));
  const tlsPort = await listenOn(createTlsServer(createAuthority().issue(["shop.localhost"]), take));
  const run = (url: string) => user.run(["listen", "--since", "0", "--exit-after", "1", "--forward-to", url]);
  for (const url of [`http://shop.localhost:${port}/hooks/`, `https://shop.localhost:${tlsPort}/hooks/`])
    assert.match((await run(url)).out, /^200 /m);
  assert.deepEqual(hosts, [`shop.localhost:${port}`, `shop.localhost:${tlsPort}`]);
  assert.match((await run(`http://localhost:${port}/hooks`)).out, /^308, a redirect to \/hooks\/ is not followed/m);
  assert.match((await run("http://localhost:6000")).out, /^nothing listens there \(ECONNREFUSED\)/m);
});

test("a handler that refuses is tried three times, shown, and holds up nothing; a deaf one can be sent the event again", async () => {
  const merchant = await newMerchant(service);
  await using user = await openUser(merchant);
  await using handler = await startHandler((received) =>
    received.length <= 1 ? 500 : received.length <= 5 && received.length > 2 ? 503 : 200,
  );
  for (let count = 0; count < 3; count++) await merchant.create();
  const { code, lines } = await user.run([
    "listen",
    "--forward-to",
    handler.url,
    "--since",
    "0",
    "--exit-after",
    "3",
    "--json",
  ]);
  assert.equal(code, 0);
  assert.deepEqual(
    lines.map(({ sequence, attempt, status }) => [sequence, attempt, status]),
    [
      ["1", 1, 500],
      ["1", 2, 200],
      ["2", 1, 503],
      ["2", 2, 503],
      ["2", 3, 503],
      ["3", 1, 200],
    ],
  );
  const deaf = await user.run(["events", "resend", lines[0].event, "--forward-to", "http://127.0.0.1:9/", "--json"]);
  assert.deepEqual([deaf.code, deaf.lines.map(({ status }) => status)], [1, [null, null, null]]);
});

test("a handler that hangs is given up after ten seconds and tried again, and the events that came meanwhile follow in order", async () => {
  const merchant = await newMerchant(service);
  await using user = await openUser(merchant);
  await using handler = await startHandler((received) => (received.length === 1 ? null : 200));
  for (let count = 0; count < 3; count++) await merchant.create();
  const words = ["listen", "--forward-to", handler.url, "--since", "0", "--exit-after", "3", "--json"];
  const { code, lines } = await user.run(words);
  assert.deepEqual(
    [code, lines.map(({ sequence, attempt, status }) => [sequence, attempt, status])],
    [
      0,
      [
        ["1", 1, null],
        ["1", 2, 200],
        ["2", 1, 200],
        ["3", 1, 200],
      ],
    ],
  );
  // Its timer counts whole milliseconds, and begins within one.
  assert.ok(lines[0].ms > 9_990 && lines[0].error.length > 0);
});

test("killed again and again, stopped and continued, listen goes on where it was: every event is delivered, in order", async () => {
  const merchant = await newMerchant(service);
  await using user = await openUser(merchant);
  await using handler = await startHandler();
  const words = ["listen", "--forward-to", handler.url, "--since", "0"];
  const first = user.start(words);
  await merchant.create();
  await eventually("the first arrives", () => handler.received.length > 0);
  first.kill("SIGKILL");
  await once(first, "exit");
  for (let kill = 0; kill < KILLS; kill++) {
    await merchant.create();
    const seen = handler.received.length;
    const child = user.start(words.slice(0, -2));
    await eventually(`it goes on after the kill ${kill}`, () => handler.received.length > seen);
    if (kill === 1) {
      child.kill("SIGSTOP");
      await merchant.create();
      child.kill("SIGCONT");
      await eventually("it wakes", () => handler.received.some(({ sequence }) => Number(sequence) === kill + 3));
    }
    child.kill(kill % 2 === 0 ? "SIGKILL" : "SIGINT");
    const [code] = await once(child, "exit");
    if (kill % 2 === 1) assert.equal(code, 0, "Ctrl-C ends it well");
  }
  const last = user.start(words.slice(0, -2));
  const isLast = ({ sequence }: Received) => Number(sequence) === KILLS + 2;
  await eventually("the last arrives", () => handler.received.some(isLast));
  last.kill("SIGKILL");
  const numbers = handler.received.map(({ sequence }) => Number(sequence));
  // A kill between the answer of the handler and the note of it repeats that event, as a webhook may.
  assert.deepEqual(
    [...new Set(numbers)],
    Array.from({ length: KILLS + 2 }, (_, index) => index + 1),
  );
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
});
