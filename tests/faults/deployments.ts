import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tagOf } from "../../server/domain/ids.ts";
import { sql } from "../../server/store/sql.ts";
import { createAuthority } from "../harness/certificates.ts";
import { type Merchant, newMerchant, someTerms, type Wire } from "../harness/merchant.ts";
import { findFreePorts } from "../harness/ports.ts";
import { PROJECT_ROOT } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";

export interface Deployments {
  /** Requests of clients of both, in all. */
  readonly requests: number;
  /** Either deployment in turn is taken away so many times: killed, and every third time stopped, so that it hangs. */
  readonly outages: number;
}

const CLIENTS_EACH = 4;
const HOSTS = ["pay-1.example.com", "pay-2.example.com"] as const;
const AWAY_MS = 3_000;
const AGAIN_MS = 50;
/** So many answers in a row say that a deployment is back. */
const STEADY = 20;

interface Side {
  readonly host: string;
  readonly service: StandaloneService;
  readonly shop: Merchant;
  readonly created: string[];
  /** False from the moment at which it is taken away to its first answer after that. */
  there: boolean;
  answered: number;
  refused: number;
}

/** Two deployments behind `deploy/proxy/two-deployments.cfg`, either taken away again and again under requests to both. */
export async function runDeployments({ requests, outages }: Deployments): Promise<Figures["figures"]> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-proxy-"));
  const sides: Side[] = [];
  const proxy = new Router(folder);
  try {
    for (const host of HOSTS) {
      const env = { API_URL: `https://${HOSTS[0]}/api/v1`, CHECKOUT_URL: `https://${host}` };
      const service = await StandaloneService.start({ env });
      const counts = { created: [], there: true, answered: 0, refused: 0 };
      sides.push({ host, service, shop: await newMerchant(service), ...counts });
    }
    await proxy.start(sides);
    let sent = 0;
    let isFailing = true;
    const isMore = () => sent++ < requests || isFailing;
    const failing = async () => {
      for (let outage = 1; outage <= outages; outage++) {
        await eventually("requests go on", () => sent > (requests * outage) / (outages + 1));
        await takeAway(sides[outage % 2]!, outage % 3 === 0);
      }
      isFailing = false;
    };
    const clients = sides.flatMap((side) => Array.from({ length: CLIENTS_EACH }, () => ask(proxy, side, isMore)));
    await Promise.all([...clients, failing()]);
    for (const side of sides) await expectAlone(side);
    const [first, second] = sides as [Side, Side];
    return {
      ...{ "answered by the first": first.answered, "by the second": second.answered, outages },
      "refused by the first while it was away": first.refused,
      "by the second": second.refused,
    };
  } finally {
    proxy.stop();
    for (const { service } of sides) await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes a deployment away for a while: it is killed, or stopped so that it takes connections and never answers. */
async function takeAway(side: Side, hangs: boolean): Promise<void> {
  const { service } = side;
  side.there = false;
  if (hangs) service.process.kill("SIGSTOP");
  else await service.end("SIGKILL");
  await sleep(AWAY_MS);
  if (hangs) service.process.kill("SIGCONT");
  else await service.begin();
  const before = side.answered;
  await eventually("it answers steadily", () => side.answered > before + STEADY);
  side.there = true;
}

/**
 * A client creates, reads what it created, asks whose its key is and opens a checkout page. All keys are used at one host;
 * the pages have their own. Whatever a deployment does not answer has to be at a time when it was away.
 */
async function ask(proxy: Router, side: Side, isMore: () => boolean): Promise<void> {
  const { host, service, shop, created } = side;
  const calls = [
    async () => {
      const key = randomUUID();
      const answer = await proxy.call(shop, "POST", "/payment-intents", {
        body: someTerms(service, { merchantReference: key }),
        key,
      });
      if (answer.status === 201) created.push(answer.json.id);
      return answer;
    },
    () => proxy.call(shop, "GET", `/payment-intents/${created.at(-1)}`),
    () => proxy.call(shop, "GET", "/me"),
    () => proxy.send(host, "GET", `/pay/i/${created.at(-1)}`),
  ];
  for (let turn = 0; isMore(); turn++) {
    const wasThere = side.there;
    const call = calls[created.length === 0 ? 0 : turn % calls.length]!;
    const answer = await call().catch((error: Error) => ({ status: 0, text: String(error) }));
    if (answer.status === 200 || answer.status === 201) {
      side.answered++;
      continue;
    }
    side.refused++;
    assert.ok(answer.status === 0 || answer.status >= 502, `${host}: ${answer.status} ${answer.text}`);
    assert.ok(!(wasThere && side.there), `${host} was there, and a request got ${answer.status} ${answer.text}`);
    await sleep(AGAIN_MS);
  }
}

/** Asserts that the deployment holds what was created with its keys, and nothing of the other one. */
async function expectAlone({ service, created, shop }: Side): Promise<void> {
  const rows = await service.database.rows<{ id: string; business_id: string }>(
    sql`select id, business_id from intents`,
  );
  const found = new Set(rows.map(({ id }) => id));
  assert.ok(rows.every(({ business_id }) => business_id === shop.business));
  assert.deepEqual(
    created.filter((id) => !found.has(id)),
    [],
    "what was acknowledged is there",
  );
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: Wire;
}

/** HAProxy with the file of `deploy/`, on loopback, and an authority of its own. */
class Router {
  readonly #folder: string;
  readonly #authority = createAuthority();
  readonly #agent = new Agent({ keepAlive: true, ca: this.#authority.ca });
  #port = 0;
  #child: ChildProcess | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async start(sides: readonly Side[]): Promise<void> {
    const { key, cert } = this.#authority.issue(HOSTS);
    const files = { TLS_PEM: join(this.#folder, "tls.pem"), TAGS: join(this.#folder, "tags.map") };
    writeFileSync(files.TLS_PEM, cert + key);
    const lines = sides.map(({ shop }, index) => `${tagOf(shop.business)} ${["first", "second"][index]}\n`);
    writeFileSync(files.TAGS, lines.join(""));
    const [first, second] = sides.map(({ service }) => `127.0.0.1:${service.port}`);
    this.#port = await findFreePorts(2);
    const child = spawn("haproxy", ["-q", "-f", join(PROJECT_ROOT, "deploy/proxy/two-deployments.cfg")], {
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...{ ...process.env, ...files, PAY_HOST_1: HOSTS[0], PAY_HOST_2: HOSTS[1] },
        ...{ DASH_HOST_1: "dash-1.example.com", DASH_HOST_2: "dash-2.example.com" },
        ...{ API_1A: first, API_1B: first, API_2A: second, API_2B: second },
        ...{ HTTPS_BIND: `127.0.0.1:${this.#port}`, HTTP_BIND: `127.0.0.1:${this.#port + 1}` },
      },
    });
    await once(child, "spawn").catch(() => {
      throw new Error("haproxy does not run here: install it, as Debian's package haproxy.");
    });
    this.#child = child;
    const isUp = () => Promise.all(sides.map(({ host }) => this.send(host, "GET", "/")));
    await eventually("both answer", () =>
      isUp().then(
        (all) => all.every(({ status }) => status === 200),
        () => false,
      ),
    );
  }

  stop(): void {
    this.#agent.destroy();
    this.#child?.kill("SIGTERM");
  }

  call(shop: Merchant, method: string, path: string, content: { body?: object; key?: string } = {}): Promise<Answer> {
    return this.send(HOSTS[0], method, `/api/v1${path}`, { ...content, secret: shop.key });
  }

  send(
    host: string,
    method: string,
    path: string,
    { body, key, secret }: { body?: object; key?: string; secret?: string } = {},
  ): Promise<Answer> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      ...{ Host: host, ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }) },
      ...(body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    };
    const options = {
      host: "127.0.0.1",
      port: this.#port,
      servername: host,
      agent: this.#agent,
      method,
      path,
      headers,
    };
    return new Promise((done, fail) => {
      const outgoing = request(options, async (incoming) => {
        try {
          const answered = Buffer.concat(await incoming.toArray()).toString();
          const isJson = incoming.headers["content-type"]?.startsWith("application/json") === true;
          done({ status: incoming.statusCode!, text: answered, json: isJson ? JSON.parse(answered) : null });
        } catch (error) {
          fail(error);
        }
      });
      outgoing.on("error", fail);
      outgoing.end(text);
    });
  }
}
