import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { eventually } from "../tests/harness/wait.ts";
import { type Account, canEnter, defaultAccount, isRoot, runAs } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./postgres.ts";

const NOBODY: Account = { uid: 65_534, gid: 65_534 };
const scratch = mkdtempSync("/tmp/holdfast-trial-");
chmodSync(scratch, 0o755);
after(() => rmSync(scratch, { recursive: true, force: true }));

const binDir = process.env.PG_BIN;
const start = (dataDir: string, log: (line: string) => void = () => {}): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDir,
    // A busy machine may take so long that it says so.
    log: (line) => {
      if (!line.includes("still recovering")) log(line);
    },
    binDir,
    stateDir: join(scratch, "state"),
  });

/** One database for the tests that leave it whole: making one takes longer than the test. */
const made = join(scratch, "made");

async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows as unknown[][];
  } finally {
    await client.end();
  }
}

/** Another process that owns the data: prints its URL, then waits to be killed. */
const OWNER = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL("./postgres.ts", import.meta.url).href)};
  const [dataDir, stateDir, binDir] = process.argv.slice(1);
  const options = { dataDir, stateDir, binDir: binDir || undefined, log: (line) => console.log(line) };
  const postgres = await startEmbeddedPostgres(options).catch((error) => { console.log("refused: " + error.message); process.exit(1); });
  console.log("ready " + postgres.url);
  setInterval(() => {}, 1000);`;

function spawnOwner(dataDir: string, account?: Account): ChildProcess {
  const argv = ["--input-type=module", "-e", OWNER, dataDir, join(scratch, "state"), binDir ?? ""];
  return spawn(process.execPath, argv, { cwd: "/", stdio: ["ignore", "pipe", "inherit"], ...account });
}

/** The rest of the first line of output that begins with the word. */
async function heard(owner: ChildProcess, word: string): Promise<string> {
  let text = "";
  for await (const chunk of owner.stdout!) {
    text += chunk;
    const line = text.split("\n").find((candidate) => candidate.startsWith(word));
    if (line !== undefined && text.includes("\n", text.indexOf(line))) return line.slice(word.length).trim();
  }
  throw new Error(`The owner ended without "${word}": ${text}`);
}

async function killByForce(owner: ChildProcess): Promise<void> {
  owner.kill("SIGKILL");
  if (owner.exitCode === null && owner.signalCode === null) await once(owner, "exit");
}

/** The processes, alive, whose command line or working folder names the data. */
function processesOn(dataDir: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(dataDir) ||
        readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir)
      );
    } catch {
      return false; // gone, or a process that ended and waits to be counted
    }
  });
}

async function nothingLeft(dataDir: string): Promise<void> {
  await eventually(`nothing runs on ${dataDir}`, () => processesOn(dataDir).length === 0);
}

test("the first start makes the database, the next finds what the first wrote", async () => {
  const dataDir = made;
  const said: string[] = [];
  const first = await start(dataDir, (line) => said.push(line));
  await query(first.url, "create table stays as select 7 as number");
  await first.stop();
  await first.stop();
  assert.deepEqual(await first.exited, { code: 0, signal: null });
  assert.equal(existsSync(first.connection.host), false, "the socket's folder is gone");

  const second = await start(dataDir, (line) => said.push(line));
  assert.deepEqual(await query(second.url, "select number from stays"), [[7]]);
  assert.deepEqual(await query(second.url, "show listen_addresses"), [[""]]);
  assert.match(second.version, /^\d+\.\d+$/);
  await second.stop();
  assert.equal(said.length, 1, "only the making is worth a line");
});

test("what a shell says of another database by PG… variables reaches neither the address nor the connection", async () => {
  const own = { ...process.env };
  Object.assign(process.env, {
    PGHOST: "db.example",
    PGPORT: "5433",
    PGUSER: "somebody",
    PGDATABASE: "other",
    PGSSLMODE: "require",
    PGCLIENT_ENCODING: "LATIN1",
  });
  try {
    const postgres = await start(made);
    const shown = "select current_user::text, current_database()::text, current_setting('client_encoding')";
    const expected = [["holdfast", "postgres", "UTF8"]];
    assert.deepEqual(await query(postgres.url, shown), expected);
    const client = new pg.Client(postgres.connection);
    await client.connect();
    assert.deepEqual((await client.query({ text: shown, rowMode: "array" })).rows, expected);
    await client.end();
    await postgres.stop();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
  }
});

test("a second process on the same data is refused and told who holds it", async () => {
  const dataDir = made;
  const owner = spawnOwner(dataDir);
  const url = await heard(owner, "ready");
  await assert.rejects(start(dataDir), {
    message: `${dataDir} is in use by another process (pid ${owner.pid}). Stop it first.`,
  });
  assert.deepEqual(await query(url, "select 1"), [[1]], "the owner's database was not touched");
  await killByForce(owner);
  await nothingLeft(dataDir);
});

test("kill -9 of the owner leaves nothing running and loses no committed row", async () => {
  const dataDir = made;
  const owner = spawnOwner(dataDir);
  const url = await heard(owner, "ready");
  await query(url, "create table kept as select 7 as number");
  await killByForce(owner);
  await nothingLeft(dataDir);
  const next = await start(dataDir);
  assert.deepEqual(await query(next.url, "select number from kept"), [[7]]);
  await next.stop();
});

test("a start that comes before the watcher is done, or without one, stops the orphan first", async () => {
  const dataDir = made;
  const owner = spawnOwner(dataDir);
  const socketFolder = new URL(await heard(owner, "ready")).searchParams.get("host")!;
  const watchers = spawnSync("pgrep", ["-f", "holdfast-watch"], { encoding: "utf8" }).stdout.split("\n");
  for (const pid of watchers.map(Number).filter((pid) => isChildOf(pid, owner.pid!))) process.kill(pid, "SIGKILL");
  await killByForce(owner);
  assert.notDeepEqual(processesOn(dataDir), [], "the cluster outlived its owner, as this test wants");

  const said: string[] = [];
  const next = await start(dataDir, (line) => said.push(line));
  assert.deepEqual(said, ["Stopping the PostgreSQL that a run which died left behind."]);
  assert.equal(existsSync(socketFolder), false);
  assert.deepEqual(await query(next.url, "select 1"), [[1]]);
  await next.stop();
  await nothingLeft(dataDir);
});

const isChildOf = (pid: number, parent: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(parent);
  } catch {
    return false;
  }
};

test("kill -9 while the database is being made leaves nothing running, and the next start makes it whole", async () => {
  const dataDir = join(scratch, "half");
  const owner = spawnOwner(dataDir);
  await heard(owner, "Making");
  await sleep(150);
  await killByForce(owner);
  await nothingLeft(dataDir);
  const next = await start(dataDir);
  assert.deepEqual(await query(next.url, "select 1"), [[1]]);
  await next.stop();
  assert.deepEqual(readdirSync(join(dataDir, "postgres")).sort(), ["data", "owner.lock", "postgres.log"]);
});

test("a server killed by force is reported, and starts again on the same data", async () => {
  const dataDir = made;
  const first = await start(dataDir);
  const postmaster = Number.parseInt(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8"), 10);
  process.kill(postmaster, "SIGKILL");
  assert.deepEqual(await first.exited, { code: null, signal: "SIGKILL" });
  const second = await start(dataDir);
  await second.stop();

  // A number left in the file may by now be a stranger's, who is alive.
  writeFileSync(join(dataDir, "postgres/data/postmaster.pid"), `${process.ppid}\n${dataDir}/postgres/data\n0\n5432\n`);
  const third = await start(dataDir);
  await third.stop();
});

test("as root, data in a closed folder: the database lives elsewhere and a link names it", {
  skip: !isRoot && "needs root",
}, async () => {
  const closed = join(scratch, "closed");
  mkdirSync(closed, { mode: 0o700 });
  const first = await start(join(closed, "data"));
  await query(first.url, "create table kept as select 7 as number");
  await first.stop();
  const link = readlinkSync(join(closed, "data/postgres"));
  assert.equal(link.startsWith(join(scratch, "state/")), true);
  assert.equal(readFileSync(join(link, "named-by"), "utf8").trim(), join(closed, "data/postgres"));

  const second = await start(join(closed, "data"));
  assert.deepEqual(await query(second.url, "select number from kept"), [[7]]);
  await second.stop();

  rmSync(closed, { recursive: true });
  mkdirSync(closed, { mode: 0o700 });
  await (await start(join(closed, "data"))).stop();
  assert.equal(existsSync(link), false, "what a temporary folder left is removed by the next of its kind");

  rmSync(readlinkSync(join(closed, "data/postgres")), { recursive: true });
  await assert.rejects(start(join(closed, "data")), /points to a database that is gone/);
});

const cannotBeNobody = () => {
  if (!isRoot) return "needs root";
  return canEnter(NOBODY, import.meta.dirname) ? false : "this folder is closed to other users";
};

test("an ordinary user runs it in a closed folder of theirs; root may take over, another user not", {
  skip: cannotBeNobody(),
}, async () => {
  const home = join(scratch, "home");
  mkdirSync(home, { mode: 0o700 });
  chownSync(home, NOBODY.uid, NOBODY.gid);
  const dataDir = join(home, "data");
  const owner = spawnOwner(dataDir, NOBODY);
  assert.deepEqual(await query(await heard(owner, "ready"), "select 1"), [[1]]);
  await killByForce(owner);
  await nothingLeft(dataDir);

  const asRoot = await start(dataDir);
  await asRoot.stop();

  chmodSync(home, 0o755);
  const stranger = spawnOwner(dataDir, { uid: 1, gid: 1 });
  assert.match(await heard(stranger, "refused:"), /belongs to uid 65534: start as that user, or as root\.$/);
});

test("a server that somebody started by hand is refused, not stopped", async () => {
  const dataDir = made;
  await (await start(dataDir)).stop();
  const data = join(dataDir, "postgres/data");
  const account = defaultAccount();
  const { postgres } = findBinaries(account, join(scratch, "state"), binDir);
  const flags = ["-D", data, "-c", "listen_addresses=", "-c", `unix_socket_directories=${data}`];
  const byHand = spawn(postgres, flags, { cwd: "/", stdio: "ignore", env: { LC_ALL: "C" }, ...runAs(account) });
  try {
    const file = join(data, "postmaster.pid");
    await eventually("it runs", () => existsSync(file) && readFileSync(file, "utf8").startsWith(`${byHand.pid}\n`));
    await assert.rejects(start(dataDir), new RegExp(`did not start \\(pid ${byHand.pid}\\) runs on`));
    assert.equal(byHand.exitCode, null);
  } finally {
    if (byHand.exitCode === null && byHand.kill("SIGINT")) await once(byHand, "exit");
  }
});
