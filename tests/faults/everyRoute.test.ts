import assert from "node:assert/strict";
import { type ClientRequest, request as send } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { WEBHOOK_KEYS_NAME } from "../../server/features/webhooks/sending/keyRing.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import { act, newPayer, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { inForm } from "../harness/form.ts";
import { exchange } from "../harness/http.ts";
import { newMerchant } from "../harness/merchant.ts";
import { LASTING, type RunningService, standingService } from "../harness/service.ts";
import { HUNG_MS } from "../harness/wait.ts";
import { openServiceDatabase } from "./serviceDatabase.ts";

/**
 * Strangers without money at every route that takes no key: 64 networks of one /48 ask as much as they can, and nobody else
 * waits for them. The service itself lists its routes, so a new one is in here by being declared.
 */

const STRANGERS = Array.from({ length: 64 }, (_, at) => `2001:db8:5:${at.toString(16)}::1`);
/** Callers of one route in their /56, in their /48, beside them, and by IPv4. */
const honestOf = (at: number) => [
  `2001:db8:5:${(0x80 + (at % 0x80)).toString(16)}::1`,
  `2001:db8:5:${(0xff00 + (at % 0x80)).toString(16)}::1`,
  ...["2001:db8:6::1", `192.0.2.${at % 256}`],
];
/** Rounds at the routes of buyers. Others are asked after the first; those that follow tire what several routes share. */
const ROUNDS = inForm({ short: 1, long: 3 });
const AT_ONCE = 32;
const TRIES_MAX = 3;
/** Routes for keys, whose limits are of the key. */
const IS_KEYED = /^\w+ \/api\/v1\b/;
const IS_STREAM = /\/events$/;

let service: RunningService;
let second: ApiProcess;
let database: Database;
let objects: Objects;
before(async () => {
  service = await standingService(LASTING);
  const keys = { WEBHOOK_KEYS_FILE: join(service.dataDir, WEBHOOK_KEYS_NAME) };
  second = await startApiProcess(service, { CLIENT_ADDRESS_HEADER: "X-Forwarded-For", ...keys });
  database = await openServiceDatabase(service);
  objects = await arrange();
});
after(async () => {
  await database?.close();
  await second?.kill("SIGTERM");
});

/** What strangers know: the link of an open order, the public address of a disputed payment, a link with few seats. */
interface Objects {
  readonly intent: string;
  readonly payment: string;
  readonly link: string;
  readonly account: string;
}

async function arrange(): Promise<Objects> {
  const shop = await newMerchant(service);
  const order = await shop.create();
  const paid = await shop.create();
  await pay(service, paid);
  const { payment } = await awaitPaid(shop, paid.id);
  await act(service, service.wallets["buyer-1"], "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  const link = await insertLink(shop.business);
  return { intent: order.id, payment: payment.id, link, account: (await newPayer(service)).address };
}

/** A link of ten seats, as its shop makes it. */
async function insertLink(business: string): Promise<string> {
  const { id } = (await database.row<{ id: string }>(sql`
    insert into payment_links (business_id, id, environment, title, recipient, asset, amount, protection_period, seats_max, created_at)
    select ${business}, replace(i.id, 'pi_', 'pl_'), 'test', 'Workshop', ${service.recipient}, ${service.asset}, 5000000, 'oneDay', 10, now()
    from intents i where i.business_id = ${business} order by i.id desc limit 1 returning id`))!;
  return id;
}

/** The path of a route, with what strangers know for its parameters. */
function pathOf(route: string): string {
  const path = route.slice(route.indexOf(" ") + 1);
  const key = path.startsWith("/pay/i/") ? objects.intent : path.startsWith("/pay/l/") ? objects.link : objects.payment;
  const known: Readonly<Record<string, string>> = {
    ...{ id: objects.intent, key, payment: objects.payment, address: objects.payment },
    ...{ token: "a".repeat(43), hash: "0".repeat(64), action: "dispute" },
  };
  return path.replaceAll(/:(\w+)|\*/g, (_, name: string | undefined) => known[name ?? ""] ?? "x");
}

/** Bodies that are worth something to a stranger; others are empty. */
const emailOf = (network: string) => (STRANGERS.includes(network) ? "nobody" : network.replaceAll(":", "-"));
const BODIES: Readonly<Record<string, (network: string) => object>> = {
  "POST /pay/i/:id/build": () => ({ account: objects.account }),
  "POST /pay/i/:id/request": () => ({ account: objects.account }),
  "POST /pay/i/:id/seen": () => ({ signature: "1".repeat(64) }),
  "POST /pay/p/:payment/build": () => ({ action: "dispute", account: newWallet().address }),
  "POST /pay/p/:payment/case/challenge": () => ({ way: "message", act: "open_session" }),
  "POST /pay/p/:payment/case/session": () => ({ nonce: "0".repeat(48), signature: "AA==" }),
  // Who is honest has an account of their own: that of all strangers is locked for unknown browsers (§13.3).
  "POST /staff/v1/sign-in": (network) => ({ email: `${emailOf(network)}@shop.example`, password: "a wrong password" }),
  "POST /staff/v1/password-resets": () => ({ email: "nobody@shop.example" }),
};

const QUERIES: Readonly<Record<string, () => string>> = {
  // A transaction that no node knows is looked up on chain.
  "GET /pay": () =>
    `?query=${"4".repeat(40)}${newWallet()
      .address.replaceAll(/[^1-9]/g, "2")
      .padEnd(47, "3")
      .slice(0, 47)}`,
};

interface Asked {
  readonly status: number;
  readonly text: string;
}

const streams: ClientRequest[] = [];

async function ask(route: string, network: string, process: RunningService): Promise<Asked> {
  const [method, path] = [route.split(" ")[0]!, `${pathOf(route)}${QUERIES[route]?.() ?? ""}`];
  const url = `http://localhost:${process.port}${path}`;
  const isForm = route.startsWith("POST /pay/l/");
  const headers = [
    ["X-Forwarded-For", network],
    ["Sec-Fetch-Site", "same-origin"],
    ...(method === "GET" ? [] : [["Content-Type", isForm ? "application/x-www-form-urlencoded" : "application/json"]]),
  ] as [string, string][];
  if (IS_STREAM.test(path)) return openStream(url, headers);
  const body = method === "GET" ? undefined : isForm ? "" : JSON.stringify(BODIES[route]?.(network) ?? {});
  return exchange(method, url, { headers, ...(body !== undefined && { body }) });
}

/** Opens a stream, and leaves it open. */
function openStream(url: string, headers: readonly [string, string][]): Promise<Asked> {
  return new Promise((done, fail) => {
    const asked = send(url, { headers: Object.fromEntries(headers), timeout: HUNG_MS }, (answer) => {
      answer.on("error", () => undefined).resume();
      done({ status: answer.statusCode!, text: "" });
    });
    asked.on("error", fail).end();
    streams.push(asked);
  });
}

/** True if the caller could not do what it came for, since others did too much. */
const isRefused = ({ status, text }: Asked): boolean =>
  status === 429 ||
  status === 503 ||
  (status === 409 && text.includes('"no_seat"')) ||
  text.includes("All seats are taken");

/** Asks again while a busy machine keeps the service from its chain or its database: the strangers have gone by then. */
async function askSurely(...request: Parameters<typeof ask>): Promise<Asked> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(...request);
    if (answer.status !== 503 || tries === TRIES_MAX) return answer;
  }
}

async function askAll(asked: readonly (() => Promise<Asked>)[]): Promise<Asked[]> {
  const answers: Asked[] = [];
  for (let at = 0; at < asked.length; at += AT_ONCE)
    answers.push(...(await Promise.all(asked.slice(at, at + AT_ONCE).map((one) => one()))));
  return answers;
}

/** The rows of all tables. */
async function countRows(): Promise<ReadonlyMap<string, number>> {
  const tables = await database.rows<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await database.rows<{ xml: string }>(sql`
      select query_to_xml(format('select count(*) as n from %I', ${name}::text), false, true, '')::text as xml`);
    counts.set(name, Number(/<n>(\d+)<\/n>/.exec(row!.xml)![1]));
  }
  return counts;
}

/** The tables in which strangers leave something, and why that is bounded. */
const LEFT_BY_STRANGERS: ReadonlySet<string> = new Set([
  // Counts of networks, deleted after their minute or day.
  ...["checkout_rates", "sign_in_tries"],
  // The order of one who presses a link's button: it lives for half an hour, and its presses are limited by day (§13.21.3).
  ...["intents", "payment_link_intents", "events", "event_keys"],
  // Ten of an order at most (§4.14.5), its terms once, and each blockhash for a day.
  ...["checkout_attempts", "checkout_terms", "blockhashes"],
  // What the service does by itself, and the key of the demo page.
  ...["books_assets", "books_checks", "receipt_signing_keys", "key_rates", "request_log"],
]);

test("§4.14.7 64 networks of one /48 without money keep nobody from any route, in no process, and leave nothing", async () => {
  const { routes } = (await exchange("GET", `${service.controlUrl}/routes`)).json as { routes: string[] };
  const open = [...new Set(routes)].filter((route) => !IS_KEYED.test(route));
  assert.ok(open.length > 150, `${open.length} routes`);
  const before = await countRows();
  const refusals: string[] = [];
  for (const [at, route] of open.entries()) {
    const rounds = / \/pay\b/.test(route) ? ROUNDS : 1;
    for (let round = 0; round < rounds; round++)
      for (const process of [service, second.service]) {
        await askAll(STRANGERS.map((network) => () => ask(route, network, process)));
        if (round > 0) continue;
        for (const network of honestOf(at)) {
          const answer = await askSurely(route, network, process);
          if (isRefused(answer))
            refusals.push(`${route} from ${network} on ${process.port}: ${answer.status} ${answer.text.slice(0, 120)}`);
        }
      }
  }
  for (const one of streams) one.destroy();
  assert.deepEqual(refusals, []);
  const grown = [...(await countRows())]
    .filter(([name, count]) => count > (before.get(name) ?? 0))
    .map(([name]) => name);
  assert.deepEqual(
    grown.filter((name) => !LEFT_BY_STRANGERS.has(name)),
    [],
  );
});
