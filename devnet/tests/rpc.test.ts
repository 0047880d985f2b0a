import assert from "node:assert/strict";
import { request } from "node:http";
import test from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import {
  signature as asSignature,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getSignatureFromTransaction,
  getTransactionDecoder,
  sendAndConfirmTransactionFactory,
} from "@solana/kit";
import { callRpc } from "../client.ts";
import { readWireTransaction } from "../ledger/wire.ts";
import { aChain, aTransfer, PROCESSED } from "../testing/harness.ts";

interface Line {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
  readonly confirmationStatus: string;
  readonly blockTime: number | null;
}

test("kit sends, confirms and reads back a transaction unmodified", async (t) => {
  // Its blockhash lives for 15 s, in which a busy machine can send.
  const net = await aChain(t, { autoTick: true, slotMs: 100 });
  const rpc = createSolanaRpc(net.rpcUrl);
  const rpcSubscriptions = createSolanaRpcSubscriptions(net.wsUrl);
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const { wire, to } = aTransfer(net, { blockhash: latest.blockhash, amount: 3_000_000n });
  const transaction = { ...getTransactionDecoder().decode(wire), lifetimeConstraint: latest };
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as never);
  await sendAndConfirm(transaction as never, { commitment: "confirmed" });
  const found = await rpc
    .getTransaction(getSignatureFromTransaction(transaction), { encoding: "base64", maxSupportedTransactionVersion: 0 })
    .send();
  assert.deepEqual(Buffer.from(found!.transaction[0], "base64"), Buffer.from(wire));
  assert.equal((await rpc.getBalance(to).send()).value, 3_000_000n);
});

test("a transaction is processed at once, confirmed after 2 slots, finalized after 8, and its block time comes later", async (t) => {
  const net = await aChain(t);
  const { base64, to } = aTransfer(net);
  const signature = await net.rpc<string>("sendTransaction", base64, PROCESSED);
  const standing = async () => {
    const { value } = await net.rpc<{ value: ({ confirmationStatus: string; confirmations: number | null } | null)[] }>(
      "getSignatureStatuses",
      [signature],
    );
    return [value[0]?.confirmationStatus, value[0]?.confirmations];
  };
  const balance = async (commitment: string) =>
    (await net.rpc<{ value: number }>("getBalance", to, { commitment })).value;
  const shown = () =>
    net.rpc<{ blockTime: number | null } | null>("getTransaction", signature, {
      commitment: "confirmed",
      maxSupportedTransactionVersion: 0,
    });
  assert.deepEqual(await standing(), ["processed", 0]);
  assert.deepEqual([await balance("processed"), await balance("confirmed")], [2_000_000, 0]);
  assert.equal(await shown(), null);
  net.tick(2);
  assert.deepEqual(await standing(), ["confirmed", 2]);
  assert.deepEqual([await balance("confirmed"), await balance("finalized")], [2_000_000, 0]);
  assert.equal((await shown())?.blockTime, null);
  net.tick(6);
  assert.deepEqual(await standing(), ["finalized", null]);
  assert.equal(await balance("finalized"), 2_000_000);
  assert.ok(Number.isInteger((await shown())?.blockTime));
});

test("pages of getSignaturesForAddress run newest first between before and until, several in a slot", async (t) => {
  const net = await aChain(t);
  const to = net.addresses.keeper;
  const sent: string[] = [];
  for (let i = 0; i < 9; i++) {
    sent.unshift(
      await net.rpc<string>("sendTransaction", aTransfer(net, { to, amount: BigInt(1_000_000 + i) }).base64, PROCESSED),
    );
    if (i % 3 === 2) net.tick();
  }
  net.tick(2);
  const page = async (config: object = {}) =>
    (await net.rpc<Line[]>("getSignaturesForAddress", to, { commitment: "confirmed", limit: 9, ...config })).map(
      (line) => line.signature,
    );
  assert.deepEqual(await page(), sent);
  assert.deepEqual(await page({ limit: 4, before: sent[1] }), sent.slice(2, 6));
  assert.deepEqual(await page({ until: sent[4] }), sent.slice(0, 4));
  assert.deepEqual(await page({ before: sent[1], until: sent[7] }), sent.slice(2, 7));
  const stranger = aTransfer(net).signature;
  for (const cursor of [{ until: stranger }, { before: stranger }])
    await assert.rejects(page(cursor), { code: -32020 }, "nobody knows the cursor");
  const finalized = await net.rpc<Line[]>("getSignaturesForAddress", to, { limit: 9 });
  assert.ok(!finalized.some((line) => line.signature === sent[0]));
});

test("preflight refuses with a validator's codes, and nothing is remembered", async (t) => {
  const net = await aChain(t);
  const send = (base64: string, config = {}) => net.rpc("sendTransaction", base64, { ...PROCESSED, ...config });
  const poor = aTransfer(net, { amount: 10n ** 15n });
  await assert.rejects(send(poor.base64), (error: { code: number; data: { err: unknown; logs: string[] } }) => {
    assert.equal(error.code, -32002);
    assert.deepEqual(error.data.err, { InstructionError: [0, { Custom: 1 }] });
    assert.ok(error.data.logs.some((line) => line.includes("insufficient lamports")));
    return true;
  });
  assert.equal(net.chain.ledger.history.find(poor.signature), null);

  const good = aTransfer(net);
  const spoilt = Buffer.from(good.wire);
  spoilt[10]! ^= 1;
  await assert.rejects(
    send(spoilt.toString("base64")),
    (error: { code: number; data: { err: unknown } }) => error.code === -32002 && error.data.err === "SignatureFailure",
  );
  await send(good.base64);
  await assert.rejects(
    send(good.base64),
    (error: { code: number; data: { err: unknown } }) => error.code === -32002 && error.data.err === "AlreadyProcessed",
  );
  await assert.rejects(send("AAAA"), { code: -32602 });
  await assert.rejects(send("not base64!"), { code: -32602 });
  await assert.rejects(send(aTransfer(net).base64, { minContextSlot: 10_000 }), { code: -32016 });
  await assert.rejects(send(aTransfer(net).base64, { preflightCommitment: "finalized" }), /Blockhash not found/);
});

test("without preflight a failing transaction lands as failed and pays its fee; one that cannot land is lost without a word", async (t) => {
  const net = await aChain(t);
  const skip = { encoding: "base64", skipPreflight: true };
  const poor = aTransfer(net, { amount: 10n ** 15n });
  const failed = await net.rpc<string>("sendTransaction", poor.base64, skip);
  const lost = await net.rpc<string>("sendTransaction", aTransfer(net, { blockhash: "7".repeat(43) }).base64, skip);
  net.tick(2);
  const { value } = await net.rpc<{ value: ({ err: unknown } | null)[] }>("getSignatureStatuses", [failed, lost]);
  assert.deepEqual(value[0]?.err, { InstructionError: [0, { Custom: 1 }] });
  assert.equal(value[1], null);
  const shown = await net.rpc<{ meta: { fee: number; preBalances: number[]; postBalances: number[] } }>(
    "getTransaction",
    failed,
    {
      commitment: "confirmed",
      maxSupportedTransactionVersion: 0,
    },
  );
  assert.equal(shown.meta.preBalances[0]! - shown.meta.postBalances[0]!, shown.meta.fee);
});

test("a transaction of version 1 runs as it is, and is shown as what it is to those who ask for it", async (t) => {
  const net = await aChain(t);
  const { base64, wire, signature, to } = aTransfer(net, { version: 1 });
  const { blockhash } = readWireTransaction(wire);
  assert.equal(await net.rpc("sendTransaction", base64, PROCESSED), signature);
  net.tick(2);
  const show = (form: object) =>
    net.rpc<Record<string, unknown>>("getTransaction", signature, { commitment: "confirmed", ...form });
  for (const form of [{}, { maxSupportedTransactionVersion: 0 }])
    await assert.rejects(show(form), { code: -32015, message: /version \(1\).*"maxSupportedTransactionVersion": 1/ });
  for (const most of [1, 255]) {
    const { version, transaction, meta } = (await show({ maxSupportedTransactionVersion: most })) as {
      version: number;
      transaction: { signatures: string[]; message: Record<string, unknown> };
      meta: { fee: number };
    };
    const { accountKeys, instructions, header, ...message } = transaction.message;
    assert.deepEqual([version, transaction.signatures, meta.fee], [1, [signature], 5_000]);
    assert.deepEqual(accountKeys, [net.addresses["buyer-1"], to, "1".repeat(32)]);
    assert.deepEqual(header, {
      ...{ numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    });
    assert.equal((instructions as { programIdIndex: number }[])[0]!.programIdIndex, 2);
    const transactionConfig = {
      ...{ computeUnitLimit: 1_400_000, heapSize: null, loadedAccountsDataSizeLimit: 67_108_864, priorityFee: null },
    };
    assert.deepEqual(message, { recentBlockhash: blockhash, transactionConfig });
  }
  const raw = await show({ maxSupportedTransactionVersion: 1, encoding: "base64" });
  assert.deepEqual(raw.transaction, [base64, "base64"]);
  const tooLong = Buffer.concat([wire, Buffer.alloc(4_096)]).toString("base64");
  await assert.rejects(net.rpc("sendTransaction", tooLong, PROCESSED), { message: /too large.*max: 4096 bytes/ });
  await assert.rejects(net.rpc("sendTransaction", Buffer.from(wire.with(7, 1)).toString("base64"), PROCESSED), {
    message: /failed to deserialize .*invalid transaction config mask/,
  });
});

test("a blockhash serves for 150 slots and not for one more", async (t) => {
  const net = await aChain(t);
  const { blockhash } = (
    await net.rpc<{ value: { blockhash: string } }>("getLatestBlockhash", { commitment: "processed" })
  ).value;
  net.tick(150);
  await net.rpc("sendTransaction", aTransfer(net, { blockhash }).base64, PROCESSED);
  net.tick();
  await assert.rejects(
    net.rpc("sendTransaction", aTransfer(net, { blockhash }).base64, PROCESSED),
    /Blockhash not found/,
  );
  const valid = await net.rpc<{ value: boolean }>("isBlockhashValid", blockhash, { commitment: "processed" });
  assert.equal(valid.value, false);
});

test("of a chain that skips slots the heights stay behind, and a blockhash serves for 150 blocks", async (t) => {
  const net = await aChain(t, { skipEvery: 3 });
  const heightAndSlot = async () => {
    const { absoluteSlot, blockHeight } = await net.rpc<Record<string, number>>("getEpochInfo", {
      commitment: "processed",
    });
    assert.equal(await net.rpc("getBlockHeight", { commitment: "processed" }), blockHeight);
    return [blockHeight!, absoluteSlot!] as const;
  };
  type Latest = { value: { blockhash: string; lastValidBlockHeight: number } };
  const { value } = await net.rpc<Latest>("getLatestBlockhash", { commitment: "processed" });
  const [height, slot] = await heightAndSlot();
  assert.equal(value.lastValidBlockHeight, height + 150);
  net.tick(150);
  const [later, laterSlot] = await heightAndSlot();
  assert.deepEqual([later, laterSlot - slot >= 224], [height + 150, true]);
  assert.notEqual(laterSlot % 3, 0);
  const isValid = async () =>
    (await net.rpc<{ value: boolean }>("isBlockhashValid", value.blockhash, { commitment: "processed" })).value;
  assert.equal(await isValid(), true);
  net.tick();
  assert.equal(await isValid(), false);
});

test("simulation shows accounts as they would be and changes nothing", async (t) => {
  const net = await aChain(t);
  const { base64, to } = aTransfer(net, { amount: 5_000_000n, blockhash: "7".repeat(43) });
  const accounts = { addresses: [to], encoding: "base64" };
  const config = { encoding: "base64", replaceRecentBlockhash: true, accounts };
  const { value } = await net.rpc<{ value: { err: unknown; unitsConsumed: number; accounts: { lamports: number }[] } }>(
    "simulateTransaction",
    base64,
    config,
  );
  assert.equal(value.err, null);
  assert.ok(value.unitsConsumed > 0);
  assert.equal(value.accounts[0]?.lamports, 5_000_000);
  assert.equal(net.chain.ledger.accountAt(to, net.chain.ledger.slots.tip), null);
});

test("limits of lists are a validator's: 100 accounts, 256 statuses, 1000 signatures", async (t) => {
  const net = await aChain(t);
  const one = net.addresses.keeper;
  await net.rpc("getMultipleAccounts", Array(100).fill(one));
  await assert.rejects(net.rpc("getMultipleAccounts", Array(101).fill(one)), { code: -32602 });
  const { signature } = aTransfer(net);
  await net.rpc("getSignatureStatuses", Array(256).fill(signature), { searchTransactionHistory: true });
  await assert.rejects(net.rpc("getSignatureStatuses", Array(257).fill(signature)), { code: -32602 });
  await assert.rejects(net.rpc("getSignaturesForAddress", one, { limit: 1001 }), { code: -32602 });
  await assert.rejects(net.rpc("getSlot", { commitment: "recent" }), { code: -32602 });
  await assert.rejects(net.rpc("getNothing"), { code: -32601 });
});

test("a browser's page may read the chain but not touch its controls", async (t) => {
  const net = await aChain(t);
  const ask = async (method: string, headers: Record<string, string>) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] });
    const response = await fetch(net.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    return (await response.json()) as { error?: { code: number } };
  };
  assert.equal((await ask("getSlot", { origin: "http://localhost:3000" })).error, undefined);
  for (const header of ["origin", "sec-fetch-site", "cookie"])
    assert.equal((await ask("devnet_clock", { [header]: "x" })).error?.code, -32600);
});

test("subscriptions tell of logs, accounts, signatures and slots at the commitment asked for", async (t) => {
  const net = await aChain(t);
  const subscriptions = createSolanaRpcSubscriptions(net.wsUrl);
  const stop = new AbortController();
  t.after(() => stop.abort());
  const on = { abortSignal: stop.signal };
  const { signature, base64, to } = aTransfer(net);
  const slots = await subscriptions.slotNotifications().subscribe(on);
  const logs = await subscriptions.logsNotifications({ mentions: [to] }, { commitment: "confirmed" }).subscribe(on);
  const account = await subscriptions
    .accountNotifications(to, { commitment: "processed", encoding: "base64" })
    .subscribe(on);
  const landed = await subscriptions
    .signatureNotifications(asSignature(signature), { commitment: "finalized" })
    .subscribe(on);
  const heard: string[] = [];
  const next = async <T>(name: string, from: AsyncIterable<T>) => {
    for await (const one of from) {
      heard.push(name);
      return one;
    }
    throw new Error(`${name}: nothing came`);
  };
  const all = Promise.all([next("account", account), next("logs", logs), next("signature", landed)]);
  await callRpc(net.rpcUrl, "sendTransaction", [base64, PROCESSED]);
  const first = next("slot", slots);
  for (let i = 0; i < 8; i++) {
    net.tick();
    // Lets the notifications of this slot arrive before the next one's, so that their order is the chain's.
    await callRpc(net.rpcUrl, "getSlot", []);
    await turn();
  }
  const [changed, logged, final] = await all;
  assert.equal(changed.value.lamports, 2_000_000n);
  assert.equal(logged.value.signature, signature);
  assert.equal(final.value.err, null);
  assert.ok((await first).slot > 0n);
  assert.equal(
    heard.indexOf("account") < heard.indexOf("logs") && heard.indexOf("logs") < heard.indexOf("signature"),
    true,
    heard.join(),
  );
});

test("a page of elsewhere opens no socket, one of this machine does", async (t) => {
  const net = await aChain(t);
  const ask = async (origin: string) => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": Buffer.alloc(16).toString("base64"),
      "sec-websocket-version": "13",
      origin,
    };
    const asked = request(net.wsUrl.replace(/^ws/, "http"), { headers }).end();
    return new Promise<number>((done, failed) => {
      asked.on("response", ({ statusCode }) => done(statusCode!));
      asked.on("upgrade", (_response, socket) => {
        socket.destroy();
        done(101);
      });
      asked.on("error", failed);
    });
  };
  for (const [origin, status] of [
    ["https://evil.example", 403],
    ["null", 403],
    ["http://localhost.evil.example", 403],
    ["http://localhost:3000", 101],
    ["http://127.0.0.1:41000", 101],
  ] as const)
    assert.equal(await ask(origin), status, origin);
});

test("a socket made silent tells nothing, one made closed breaks, and both heal", async (t) => {
  const net = await aChain(t);
  const open = async () => {
    const socket = new WebSocket(net.wsUrl);
    await new Promise((done, failed) => {
      socket.onopen = done;
      socket.onerror = failed;
    });
    return socket;
  };
  const subscribe = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "slotSubscribe" });
  const heard: string[] = [];
  const socket = await open();
  const answered = new Promise<void>((done) => {
    socket.onmessage = ({ data }) => {
      heard.push(String(data));
      done();
    };
  });
  socket.send(subscribe);
  await answered;
  net.controls.faults({ mode: "socket_silent" });
  net.tick(3);
  net.controls.faults({ mode: "none" });
  const told = new Promise((done) => {
    socket.onmessage = done;
  });
  net.tick();
  await told;
  assert.equal(heard.length, 1);

  const broken = new Promise((done) => {
    socket.onclose = done;
  });
  net.controls.faults({ mode: "socket_closed" });
  await broken;
  await assert.rejects(open());
  net.controls.faults({ mode: "none" });
  (await open()).close();
});
