import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { inForm } from "../../tests/harness/form.ts";
import { readWallets } from "../chain.ts";
import { callRpc } from "../client.ts";
import { FolderInUseError } from "../lock.ts";
import { signTransaction } from "../signTransaction.ts";
import { startDevnet } from "../start.ts";
import { aChain, aFolder, aTransfer, PROCESSED } from "../testing/harness.ts";
import { newWallet } from "../wallets.ts";

interface Ready {
  readonly type: "ready";
  readonly rpcPort: number;
  readonly genesisHash: string;
}

async function aProcess(t: TestContext, dataDir: string, ...args: string[]) {
  const child = fork(
    join(import.meta.dirname, "../main.ts"),
    ["--data-dir", dataDir, "--rpc-port", "0", "--slot-ms", "10", ...args],
    {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    },
  );
  t.after(() => child.kill("SIGKILL"));
  const [ready] = (await once(child, "message")) as [Ready];
  assert.ok(ready.rpcPort < 32_768, "no outgoing connection has a port of the pair");
  return { child, ready, url: `http://localhost:${ready.rpcPort}` };
}

/** Sends transfers as fast as they are answered, until the chain has ended; returns those that were confirmed. */
async function sendUntilGone(
  url: string,
  dataDir: string,
  confirmedMin: number,
  onEnough: () => void,
): Promise<string[]> {
  const wallet = readWallets(join(dataDir, "wallets"))["buyer-1"];
  const to = newWallet().address;
  const sent: string[] = [];
  const confirmed = new Set<string>();
  try {
    for (let amount = 1_000_000n; ; amount++) {
      const { value } = await callRpc<{ value: { blockhash: string } }>(url, "getLatestBlockhash", [
        { commitment: "processed" },
      ]);
      const instruction = getTransferSolInstruction({
        source: wallet.signer,
        destination: to,
        amount: lamports(amount),
      });
      const { wire } = signTransaction({ instructions: [instruction], wallets: [wallet], blockhash: value.blockhash });
      sent.push(await callRpc<string>(url, "sendTransaction", [Buffer.from(wire).toString("base64"), PROCESSED]));
      const recent = sent.slice(-256);
      const statuses = await callRpc<{ value: ({ confirmationStatus: string } | null)[] }>(
        url,
        "getSignatureStatuses",
        [recent],
      );
      for (const [at, status] of statuses.value.entries())
        if (status && status.confirmationStatus !== "processed") confirmed.add(recent[at]!);
      if (confirmed.size >= confirmedMin) onEnough();
    }
  } catch {
    // The chain was killed: what was sent last got no answer.
  }
  return [...confirmed];
}

/** The second round goes on where the first was killed. */
const ROUNDS = inForm({ short: 2, long: 3 });
const CONFIRMED_MIN = inForm({ short: 6, long: 20 });

test("kill -9 in the middle of traffic loses no confirmed transaction, time after time", async (t) => {
  const dataDir = aFolder(t);
  const all: string[] = [];
  let genesisHash = "";
  for (let round = 0; round < ROUNDS; round++) {
    const { child, ready, url } = await aProcess(t, dataDir);
    assert.equal(ready.genesisHash, genesisHash || ready.genesisHash);
    genesisHash = ready.genesisHash;
    const gone = once(child, "exit");
    all.push(...(await sendUntilGone(url, dataDir, CONFIRMED_MIN + 7 * round, () => child.kill("SIGKILL"))));
    await gone;
  }
  const net = await aChain(t, { dataDir });
  const lost = all.filter((signature) => net.chain.ledger.history.find(signature) === null);
  assert.ok(all.length >= ROUNDS * CONFIRMED_MIN, `${all.length} confirmed`);
  assert.deepEqual(lost, []);
});

test("a process whose parent is gone stops by itself, and so does one that is asked to", async (t) => {
  const dataDir = aFolder(t);
  for (const end of ["disconnect", "SIGTERM", "SIGINT"] as const) {
    const { child } = await aProcess(t, dataDir);
    const exit = once(child, "exit");
    if (end === "disconnect") child.disconnect();
    else child.kill(end);
    assert.deepEqual((await exit)[0], 0, end);
  }
});

test("a folder in use is refused, and free again once its owner was killed", async (t) => {
  const dataDir = aFolder(t);
  const { child } = await aProcess(t, dataDir);
  await assert.rejects(startDevnet({ dataDir }), FolderInUseError);
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  await aChain(t, { dataDir });
});

/** A chain with one transfer on disk, stopped. */
async function aPast(t: TestContext) {
  const dataDir = aFolder(t);
  const net = await aChain(t, { dataDir });
  const { base64, to, signature } = aTransfer(net);
  await net.rpc("sendTransaction", base64, PROCESSED);
  net.tick();
  await net.stop();
  return { dataDir, to, signature, log: join(dataDir, "ledger.log") };
}

test("a torn tail of the log is cut off; what was synced before stands", async (t) => {
  const { dataDir, to, signature, log } = await aPast(t);
  const whole = statSync(log).size;
  for (const tail of [
    "0",
    "deadbeef {}",
    "\0\0\0\0\0\n\0",
    `${readFileSync(log, "utf8").split("\n").at(-2)!.slice(0, -4)}`,
  ]) {
    appendFileSync(log, tail);
    const net = await aChain(t, { dataDir });
    assert.equal(net.chain.ledger.accountAt(to, net.chain.ledger.slots.tip)?.lamports, 2_000_000n);
    assert.ok(net.chain.ledger.history.find(signature));
    await net.stop();
  }
  truncateSync(log, whole - 5);
  await aChain(t, { dataDir });
});

test("a log damaged where no crash can reach is refused, not repaired", async (t) => {
  const { dataDir, log } = await aPast(t);
  const bytes = readFileSync(log);
  bytes[Math.floor(bytes.length / 4)]! ^= 1;
  writeFileSync(log, bytes);
  await assert.rejects(startDevnet({ dataDir }), /damaged at byte/);
});

test("state comes back the same from a snapshot, without it, and with a spoilt one", async (t) => {
  const { dataDir, to, signature } = await aPast(t);
  const first = await aChain(t, { dataDir });
  const other = aTransfer(first);
  await first.rpc("sendTransaction", aTransfer(first, { to }).base64, PROCESSED);
  first.chain.ledger.snapshot();
  await first.rpc("sendTransaction", other.base64, PROCESSED);
  first.tick(3);
  first.controls.drop(other.signature);
  await first.stop();
  const snapshot = join(dataDir, "snapshot.bin");
  const check = async (name: string) => {
    const net = await aChain(t, { dataDir });
    const { ledger } = net.chain;
    assert.equal(ledger.accountAt(to, ledger.slots.tip)?.lamports, 4_000_000n, name);
    assert.equal(ledger.accountAt(other.to, ledger.slots.tip), null, name);
    assert.equal(ledger.history.find(other.signature), null, name);
    assert.equal(ledger.readTransaction(ledger.history.find(signature)!).wire.signature, signature, name);
    await net.stop();
  };
  await check("from the snapshot");
  const bytes = readFileSync(snapshot);
  bytes[bytes.length - 100]! ^= 1;
  writeFileSync(snapshot, bytes);
  await check("with a spoilt snapshot");
  truncateSync(snapshot, 0);
  await check("from the log alone");
});

test("a chain made with another version of the escrow program is not gone on with, and stays as it is", async (t) => {
  const dataDir = aFolder(t);
  await (await startDevnet({ dataDir, autoTick: false })).stop();
  const kept = readFileSync(join(dataDir, "ledger.log"));
  for (const hash of ["0".repeat(64), null]) {
    if (hash === null) rmSync(join(dataDir, "program.sha256"));
    else writeFileSync(join(dataDir, "program.sha256"), hash);
    await assert.rejects(startDevnet({ dataDir, autoTick: false }), /another version of the escrow program/);
    assert.deepEqual(readFileSync(join(dataDir, "ledger.log")), kept);
  }
});
