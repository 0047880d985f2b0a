import assert from "node:assert/strict";
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import test, { after, before, type TestContext } from "node:test";
import { promisify } from "node:util";
import { readPayment } from "../buyer.ts";
import { startDevnet } from "../start.ts";
import type { PayCommand, PayOutcome } from "../testing/commandProcess.ts";
import { aFolder, someTerms } from "../testing/harness.ts";

const run = promisify(execFile);
const PAY = join(import.meta.dirname, "../pay.ts");

let runner: ChildProcess;
let number = 0;
before(() => {
  runner = fork(join(import.meta.dirname, "../testing/commandProcess.ts"));
});
after(() => runner.kill());

/** An instance with one intent: the real chain, and of the service just what `pay` asks of it. */
async function anInstance(t: TestContext) {
  const dataDir = aFolder(t);
  mkdirSync(join(dataDir, "devnet"));
  const devnet = await startDevnet({ dataDir: join(dataDir, "devnet"), slotMs: 20 });
  t.after(() => devnet.stop());
  const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000).toISOString();
  const intent = { ...someTerms(devnet), id: "pi_test_1", status: "requires_payment", expiresAt, payment: null };
  const advanced: number[] = [];
  const api = createServer(async (request, response) => {
    if (request.method === "GET") {
      assert.equal(request.headers.authorization, "Bearer sk_test_1");
      return void response.end(JSON.stringify(intent));
    }
    const { seconds } = (await json(request)) as { seconds: number };
    advanced.push(seconds);
    response.end(JSON.stringify(devnet.controls.advance(seconds)));
  });
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  t.after(() => api.close());
  const { port } = api.address() as { port: number };
  const { rpcUrl, wsUrl, programId, operator, asset } = devnet;
  const urls = {
    apiUrl: `http://127.0.0.1:${port}/api/v1`,
    checkoutUrl: "",
    controlUrl: `http://127.0.0.1:${port}/controls`,
  };
  const ready = {
    ...urls,
    rpcUrl,
    wsUrl,
    programId,
    operator,
    asset,
    recipient: devnet.addresses.recipient,
    testKey: "sk_test_1",
  };
  writeFileSync(join(dataDir, "ready.json"), JSON.stringify(ready));
  const pay = async (...words: string[]): Promise<string> => {
    const answered = once(runner, "message");
    runner.send({ number: number++, dataDir, words: [intent.id, ...words] } satisfies PayCommand);
    const [{ output, errors, failed }] = (await answered) as [PayOutcome];
    if (failed) throw new Error(errors);
    return output;
  };
  return { devnet, pay, advanced };
}

test("pay pays, disputes, resolves, pays again as another buyer, late, and says what happened", async (t) => {
  const { devnet, pay, advanced } = await anInstance(t);
  const paid = JSON.parse(await pay("--json")) as Record<string, string>;
  assert.deepEqual(Object.keys(paid), ["signature", "payment", "sender", "slot", "status"]);
  assert.equal(paid.status, "confirmed");
  assert.equal(paid.sender, devnet.addresses["buyer-1"]);
  await assert.rejects(pay(), /--again pays as another buyer/);

  assert.match(await pay("--dispute"), /disputed/);
  assert.match(await pay("--resolve", "refund"), /refunded/);

  const again = JSON.parse(await pay("--again", "--late", "--amount", "7", "--json")) as Record<string, string>;
  assert.equal(again.sender, devnet.addresses["buyer-2"]);
  assert.equal(advanced.length, 1);
  assert.match(await pay("--refund", "--again"), /refunded/);
});

test("a part is given back by its total, and a ruling splits by what the buyer has in the end", async (t) => {
  const { devnet, pay } = await anInstance(t);
  const { payment } = JSON.parse(await pay("--json")) as { payment: string };
  assert.match(await pay("--refund", "100"), /refunded[\s\S]*\(protected\)/);
  assert.match(await pay("--dispute"), /disputed/);
  assert.match(await pay("--resolve", "1000"), /resolved by a split/);
  const account = await readPayment(devnet.rpcUrl, payment);
  assert.deepEqual(
    [account?.status, account?.outcome, account?.amountRefunded, account?.amountReleased],
    ["released", "resolved", 1_000n, account!.amount - 1_000n],
  );
  const { payment: other } = JSON.parse(await pay("--again", "--json")) as { payment: string };
  await pay("--refund", "7", "--again");
  assert.match(await pay("--release", "--again"), /released/);
  const agreed = await readPayment(devnet.rpcUrl, other);
  assert.deepEqual([agreed?.status, agreed?.amountRefunded, agreed?.outcome], ["released", 7n, "released_by_sender"]);
  devnet.controls.advance(91 * 86_400);
  assert.match(await pay("--close", "--again"), /closed[\s\S]*\(gone\)/);
  await assert.rejects(pay("--resolve", "half"), /--resolve takes release, refund or the buyer's total/);
});

test("pay explains itself when it is asked for what it cannot do", async (t) => {
  const { pay } = await anInstance(t);
  await assert.rejects(pay("--release", "--refund"), /only one of[\s\S]*usage/);
  await assert.rejects(pay("--release"), /no local buyer has paid this intent/);
  const env = { ...process.env, DATA_DIR: aFolder(t) };
  await assert.rejects(run(process.execPath, [PAY, "pi_test_1"], { env }), /nothing runs on/);
});
