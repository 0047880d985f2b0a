import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { payIntent } from "@holdfast/devnet/buyer.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { insertEndpoint, markEnabled } from "../../server/features/webhooks/endpoints/queries.ts";
import { type KeyRing, newKeyRing, showKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { sql } from "../../server/store/sql.ts";
import { type Authority, createAuthority } from "../harness/certificates.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import { Alerts, ruleNames } from "./alerts.ts";
import { Cluster } from "./cluster.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";

export interface DrillOptions {
  /** The ways PostgreSQL is stopped, one outage each. */
  readonly database: readonly ("fast" | "immediate")[];
  /** Also stops all nodes at once. A busy machine makes nodes slow, which logs another line. */
  readonly allNodes: boolean;
  /** Also waits until the service sees the fee payer with SOL again, which takes a minute. */
  readonly refill: boolean;
  /** Also runs Prometheus with the project's rules, all of which have to fire and to be resolved. */
  readonly alerts: boolean;
}

const HOST = "hooks.shop-demo.com";
/** Longer than every loop of a worker waits between two steps. */
const AWAY_SECONDS = 8;
const BEHIND_SECONDS = 900;

interface Line {
  readonly level: string;
  readonly message: string;
}

/** An operator's view of a service: its figures, its health and its log. */
class Operator {
  readonly service: StandaloneService;
  readonly #alerts: Alerts | null;
  #read = 0;

  constructor(service: StandaloneService, alerts: Alerts | null) {
    this.service = service;
    this.#alerts = alerts;
  }

  /** Waits until the alerts fire, or are resolved; without Prometheus there are none. */
  fires = async (names: readonly string[], poke?: () => Promise<unknown>) => this.#alerts?.awaitFiring(names, poke);
  resolves = async (names: readonly string[]) => this.#alerts?.awaitResolved(names);

  /** A figure's value; null if it is missing. */
  async figure(name: string): Promise<number | null> {
    const { text } = await exchange("GET", `${this.service.checkoutUrl}/metrics`);
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    return line === undefined ? null : Number(line.split(" ").at(-1));
  }

  async isReady(): Promise<boolean> {
    return (await exchange("GET", `${this.service.checkoutUrl}/readyz`)).status === 200;
  }

  /** The lines logged since the last call with `forget`. */
  lines({ forget = false } = {}): Line[] {
    const all = this.service
      .errors()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): Line => JSON.parse(line))
      // The drill adds merchants and endpoints itself; the worker logs each when it hears of it.
      .filter(({ message }) => !message.includes("at the command line"));
    const fresh = all.slice(this.#read);
    if (forget) this.#read = all.length;
    return fresh;
  }

  awaitLine = (words: RegExp): Promise<Line> =>
    eventually(`a line like ${words}`, () => this.lines().find(({ message }) => words.test(message)));
}

/**
 * Takes away what a service needs, one thing after the other. Each outage shows in its figures or its health. It logs one
 * line, however many parts meet it, and another when it is over.
 */
export async function runDrill({ database, allNodes, refill, alerts: withAlerts }: DrillOptions): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-drill-"));
  const authority = createAuthority();
  const ring = newKeyRing();
  const cluster = await Cluster.start();
  const receiver = await startReceiver(authority.issue([HOST]), (_request, response) => {
    response.statusCode = 500;
    response.end();
  });
  writeFileSync(join(folder, "ca.pem"), authority.ca);
  const backup = join(folder, "backup");
  writeFileSync(backup, "");
  let service: StandaloneService | null = null;
  let alerts: Alerts | null = null;
  try {
    service = await StandaloneService.start({
      databaseUrl: cluster.url,
      env: {
        LOG_FORMAT: "json",
        WEBHOOK_KEYS: JSON.stringify(showKeyRing(ring)),
        WEBHOOK_CA_FILE: join(folder, "ca.pem"),
        BACKUP_FILE: backup,
        WEBHOOK_DEV_HOSTS: JSON.stringify({ [HOST]: `127.0.0.1:${receiver.port}` }),
      },
    });
    if (withAlerts) alerts = await Alerts.start(folder, service.port);
    const operator = new Operator(service, alerts);
    const shop = await newMerchant(service);
    const shown: Record<string, string> = {};
    for (const [index, how] of database.entries())
      shown[`database away (${index + 1}, ${how})`] = await takeDatabase(operator, cluster, shop, how);
    shown["node away"] = await takeNode(operator);
    if (allNodes) shown["all nodes away"] = await takeAllNodes(operator);
    shown["endpoint failing"] = await failEndpoint(operator, shop, receiver, ring);
    shown["sweep behind"] = await freezeFinality(operator);
    shown["keeper empty"] = await emptyKeeper(operator, join(folder, "empty.json"), refill);
    if (alerts !== null) {
      await holdParts(operator, shop);
      await changeDeployment(operator);
      await ageBackup(operator, backup);
      await neglect(operator, shop, authority, folder);
      for (const name of ruleNames()) shown[name] = alerts.summaries.get(name) ?? assert.fail(`${name} never fired`);
    }
    return { figures: shown, report: null };
  } finally {
    await alerts?.stop();
    await service?.remove();
    await receiver[Symbol.asyncDispose]();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** On a busy machine nodes may be slow at any time. */
const isNotOfNodes = ({ message }: Line): boolean =>
  !/Node \d+ (failed|works again)|No chain node gave|^The test chain works again/.test(message);

/** The lines since the last drill: the first names the outage, the second says that it is over. */
function expectTwo(operator: Operator, away: RegExp, again: RegExp, isMeant = isNotOfNodes): string {
  const lines = operator.lines({ forget: true }).filter(isMeant);
  const said = lines.map(({ level, message }) => `${level} ${message}`);
  assert.equal(lines.length, 2, `one line and one when it is over, not\n${said.join("\n")}`);
  assert.match(said[0]!, away);
  assert.match(said[1]!, again);
  return said[0]!;
}

const DATABASE_ALERTS = ["HoldfastFiguresMissing", "HoldfastServerErrors", "HoldfastLoopStuck"];

async function takeDatabase(operator: Operator, cluster: Cluster, shop: Merchant, how: "fast" | "immediate") {
  operator.lines({ forget: true });
  await cluster.stop(how);
  try {
    await eventually("the service is not ready", async () => !(await operator.isReady()));
    assert.equal((await shop.get("/me")).status, 503);
    const overdue = () => operator.figure('holdfast_loop_overdue_seconds{loop="test expiry"}');
    // Every loop and every idle connection has met the outage by then.
    await eventually("the figures say for how long", async () => ((await overdue()) ?? 0) > AWAY_SECONDS);
    assert.ok((await operator.figure('holdfast_figure_failures_total{figure="holdfast_inbox_unread"}'))! > 0);
    await operator.fires(DATABASE_ALERTS, () => shop.get("/me"));
  } finally {
    await cluster.begin();
  }
  await operator.awaitLine(/^The database works again/);
  await eventually("the service is ready", () => operator.isReady());
  await operator.resolves(DATABASE_ALERTS);
  return expectTwo(
    operator,
    /^warn (Lost a connection to the database|.*The database (did not answer|cannot be reached))/,
    /^info The database works again/,
  );
}

const nodesAway = (operator: Operator) => operator.figure('holdfast_chain_nodes{environment="test",state="unhealthy"}');

async function takeNode(operator: Operator): Promise<string> {
  const { chain } = operator.service;
  await chain.control("faults", { mode: "server_error", node: "one" });
  await eventually("the figure says that one node is away", async () => (await nodesAway(operator)) === 1);
  assert.ok(await operator.isReady(), "the other is enough");
  await operator.awaitLine(/Node 0 failed/);
  await operator.fires(["HoldfastNodeUnhealthy"]);
  await chain.control("faults", { mode: "none" });
  await operator.awaitLine(/Node 0 works again/);
  await operator.resolves(["HoldfastNodeUnhealthy"]);
  return expectTwo(operator, /^warn test chain: Node 0 failed/, /Node 0 works again/, ({ message }) =>
    message.includes("Node 0"),
  );
}

const NO_NODE = /No chain node gave a usable answer/;
const ALL_NODES = [
  /subscription .* ended/,
  /Node 0 failed/,
  /Node 1 failed/,
  NO_NODE,
  /Node 0 works again/,
  /Node 1 works again/,
  /chain works again/,
];

/** A line for each address, of requests and of the subscription, and one for all that the chain keeps from working. */
async function takeAllNodes(operator: Operator): Promise<string> {
  const { chain } = operator.service;
  await chain.end("SIGKILL");
  await eventually("the figure says that both nodes are away", async () => (await nodesAway(operator)) === 2);
  await eventually("the service is not ready", async () => !(await operator.isReady()));
  await chain.restart();
  for (const words of [/Node 0 works again/, /Node 1 works again/, /chain works again/])
    await operator.awaitLine(words);
  await eventually("both nodes answer", async () => (await nodesAway(operator)) === 0);
  const said = operator.lines({ forget: true }).map(({ message }) => message);
  for (const words of ALL_NODES)
    assert.equal(said.filter((line) => words.test(line)).length, 1, `${words} once, not\n${said.join("\n")}`);
  assert.equal(said.length, ALL_NODES.length, said.join("\n"));
  return said.find((line) => NO_NODE.test(line))!;
}

async function failEndpoint(operator: Operator, shop: Merchant, receiver: Receiver, ring: KeyRing): Promise<string> {
  const { database } = operator.service;
  const tenant = { businessId: shop.business, environment: "test" } as const;
  const added = await insertEndpoint(database, ring, tenant, { url: `https://${HOST}/`, eventTypes: null });
  const { id } = added!.endpoint;
  await shop.create();
  const failed = () => operator.figure('holdfast_webhook_attempts_total{outcome="failed"}');
  await eventually("the figure counts the failure", async () => ((await failed()) ?? 0) > 0);
  assert.deepEqual(operator.lines().filter(isNotOfNodes), [], "an attempt that fails is the merchant's matter");
  await eventually("it is to be tried again", () =>
    database.row(sql`select from webhook_queue where attempts = 1 and lease_token is null`),
  );
  // Skips days of failures: the next attempt is the last one of the fifth delivery in a row.
  await database.rows(sql`update webhook_endpoints set abandoned_in_a_row = 4 where id = ${id}`);
  await database.rows(sql`update webhook_queue set attempts = 8, due_at = now() where endpoint_id = ${id}`);
  await operator.awaitLine(/is disabled/);
  const [line, ...others] = operator.lines({ forget: true }).filter(isNotOfNodes);
  assert.deepEqual(others, []);
  assert.ok(line!.message.includes(id) && line!.level === "warn");
  assert.ok(receiver.received.length >= 2);
  return `${line!.level} ${line!.message}`;
}

async function freezeFinality(operator: Operator): Promise<string> {
  const { service } = operator;
  const behind = () => operator.figure('holdfast_sweep_behind_seconds{environment="test"}');
  await service.chain.control("freeze_finality", { on: true });
  await service.advance(BEHIND_SECONDS);
  await eventually("the figure says how far behind", async () => ((await behind()) ?? 0) > BEHIND_SECONDS / 2);
  await operator.awaitLine(/processed only up to/);
  await operator.fires(["HoldfastSweepBehind"]);
  await service.chain.control("freeze_finality", { on: false });
  await operator.awaitLine(/ago again/);
  assert.ok((await behind())! < BEHIND_SECONDS / 2);
  await operator.resolves(["HoldfastSweepBehind"]);
  return expectTwo(operator, /^warn test chain: everything is processed only up to/, /^info test chain: .* ago again/);
}

const LOW = ["HoldfastKeeperLow", "HoldfastKeeperEmpty", "HoldfastSponsorLow"];

async function emptyKeeper(operator: Operator, keyFile: string, refill: boolean): Promise<string> {
  const { service } = operator;
  const wallet = newWallet();
  writeFileSync(keyFile, JSON.stringify([...wallet.secret]), { mode: 0o600 });
  await service.end("SIGTERM");
  await operator.fires(["HoldfastDown"]);
  operator.lines({ forget: true });
  const sponsorFile = `${keyFile}.sponsor`;
  const sponsorWallet = newWallet();
  writeFileSync(sponsorFile, JSON.stringify([...sponsorWallet.secret]), { mode: 0o600 });
  const sponsor = { keyFiles: [sponsorFile], amountsMin: { [service.asset]: "1000000" } };
  assert.equal(await service.begin({}, { keeper: { keyFile }, ...(refill ? { sponsor } : {}) }), null);
  const balance = () => operator.figure('holdfast_keeper_balance_lamports{environment="test"}');
  await operator.awaitLine(/the fee payer/);
  assert.equal(await balance(), 0);
  if (refill) {
    await operator.fires(LOW);
    for (const { address } of [wallet, sponsorWallet])
      await service.chain.control("faucet", { address, asset: "SOL", amount: "10000000000" });
    await operator.awaitLine(/fee payer .* SOL again/);
    assert.ok((await balance())! > 0);
    await operator.resolves([...LOW, "HoldfastDown"]);
  }
  const lines = operator.lines({ forget: true }).filter(({ message }) => message.includes("fee payer"));
  assert.equal(lines.length, refill ? 2 : 1, JSON.stringify(lines));
  return `${lines[0]!.level} ${lines[0]!.message}`;
}

/**
 * A rehearsal that nobody ended: deliveries wait. It also keeps one request a second, and answers more; and its mail server
 * is away.
 */
async function holdParts({ service, fires, resolves }: Operator, shop: Merchant): Promise<void> {
  const names = ["HoldfastPartHeld", "HoldfastWebhooksBehind", "HoldfastRequestLogDrops", "HoldfastEmailsWaiting"];
  const endpoint = await service.database.row<{ id: string; businessId: string }>(
    sql`select id, business_id as "businessId" from webhook_endpoints`,
  );
  await service.database.transaction((db) => markEnabled(db, endpoint!));
  await service.end("SIGTERM");
  const mail = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "no-reply@shop.example" };
  assert.equal(await service.begin({ HOLD: "webhooks", REQUEST_LOG_PER_SECOND_MAX: "1", ...mail }), null);
  await service.database.rows(sql`
    insert into emails (kind, source, recipient, facts, created_at, ranked_at, expires_at)
    values ('account_change', 'drill', 'kim@shop.example',
      '{"notice":"signed_in","network":"drill","at":"2026-11-20T08:30:00.000Z"}', now() - interval '1 hour', now(), now() + interval '1 day')`);
  await shop.create();
  await service.database.rows(sql`update webhook_queue set due_at = now() - interval '10 minutes'`);
  await fires(names, () => Promise.all([shop.get("/me"), shop.get("/me"), shop.get("/me")]));
  await service.end("SIGTERM");
  assert.equal(await service.begin(), null);
  await resolves(names);
}

/** The books name another arbiter than the chain shows, as after a change that nobody announced. */
async function changeDeployment({ service: { database }, fires, resolves }: Operator): Promise<void> {
  const names = ["HoldfastDeploymentChanged", "HoldfastCheckoutsHeld"];
  const other = newWallet().address;
  await database.rows(sql`update deployments set arbiter = ${other}, confirmed_arbiter = ${other}`);
  await fires(names);
  await database.rows(sql`update deployments set confirmed_arbiter = arbiter`);
  await resolves(names);
}

async function ageBackup({ fires, resolves }: Operator, backup: string): Promise<void> {
  const old = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(backup, old, old);
  await fires(["HoldfastBackupOld"]);
  utimesSync(backup, new Date(), new Date());
  await resolves(["HoldfastBackupOld"]);
}

const NEGLECTED = [
  ...["HoldfastKeeperBehind", "HoldfastKeeperUnlanded", "HoldfastBooksDiffer", "HoldfastBooksUnchecked"],
  ...["HoldfastInboxUnreadable", "HoldfastDiskLow", "HoldfastClockSkew", "HoldfastCertificateEnds"],
  "HoldfastBackupUnknown",
];
/** Above what the alert allows. */
const SKEW_MS = 10_000;
const LATER_SECONDS = 2 * 3_600 + 60;

/**
 * A machine that nobody looked after: its keeper is held for an hour past a payment's end, its disk is full, its clock is
 * ahead, a certificate ends in days and no backup is known; the books differ, are old, and a transaction is unreadable.
 */
async function neglect(
  { service, fires, resolves }: Operator,
  shop: Merchant,
  authority: Authority,
  folder: string,
): Promise<void> {
  const { database } = service;
  const disk = join(folder, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]);
  const notAfter = new Date(Date.now() + 5 * 86_400_000);
  const server = createServer(authority.issue(["localhost"], { notAfter }), (_, response) => void response.end());
  try {
    await once(server.listen(0, "localhost"), "listening");
    const ahead = `const now=Date.now;Date.now=()=>now()+${SKEW_MS}`;
    await service.end("SIGTERM");
    const settings = {
      ...{ HOLD: "keeper", BACKUP_FILE: "", DATA_DIR: disk },
      API_URL: `https://localhost:${(server.address() as AddressInfo).port}/api/v1`,
      NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}`,
    };
    assert.equal(await service.begin(settings), null);
    writeFileSync(join(disk, "full"), Buffer.alloc(3_900_000));
    const intent = await shop.create({ protectionPeriod: "oneHour" });
    await payIntent(service, service.wallets["buyer-1"], intent);
    await eventually(
      "the payment is found",
      async () => (await shop.get(`/payment-intents/${intent.id}`)).json.payment,
    );
    await service.advance(LATER_SECONDS);
    await database.rows(sql`
      insert into books_checks (business_id, environment, leased_until, began_at, checked_at, differences)
      values (${shop.business}, 'test', now() + interval '1 day', now() - interval '3 days', now() - interval '3 days', 1)
      on conflict (business_id, environment) do update set leased_until = excluded.leased_until,
        began_at = excluded.began_at, checked_at = excluded.checked_at, differences = excluded.differences`);
    await database.rows(sql`
      insert into chain_inbox (environment, signature, slot, failed, processed, attempts)
      values ('test', 'unreadable', 1, false, false, 7)`);
    const unlanded = () => database.rows(sql`update payments set keeper_tries = 3 where settleable_event_sent`);
    await fires(NEGLECTED, unlanded);
  } finally {
    server.close();
    await service.end("SIGKILL");
    execFileSync("umount", [disk]);
  }
  await database.rows(sql`delete from chain_inbox where signature = 'unreadable'`);
  await database.rows(sql`update books_checks set leased_until = null, checked_at = now(), differences = 0`);
  await database.rows(sql`update payments set keeper_tries = 0`);
  assert.equal(await service.begin(), null);
  await resolves(NEGLECTED);
}
