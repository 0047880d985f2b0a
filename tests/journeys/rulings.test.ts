import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { admin, receiptCli } from "../harness/admin.ts";
import { act, advance, newBuyer, pay, rpc, ruleAs } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, listEvents } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { LASTING, type RunningService, standingService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";

const DAY_SECONDS = 86_400;
const PART = "2000000";
const REASONS = "The parcel came three weeks late, and unopened.\nSo each side bears a part.";

let service: RunningService;
let shop: Merchant;
let arbiter: Browser;
let folder: string;
let disputed: Disputed[];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-rulings-"));
  service = await standingService(LASTING);
  shop = await newMerchant(service);
  const login = { email: "arbiter@desk.example", password: "correct horse battery" };
  const { link } = await admin(service, "user", "add", login.email, "--arbiter");
  const { dashboardUrl } = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
  arbiter = new Browser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  const completed = { link: link.split("#link=")[1], password: login.password };
  assert.equal((await arbiter.post("/password-resets/complete", completed)).status, 200);
  assert.equal((await arbiter.post("/sign-in", login)).status, 200);
  disputed = await deciding(8);
});
after(() => rm(folder, { recursive: true }));

interface Disputed {
  readonly buyer: LocalWallet;
  readonly intent: string;
  readonly payment: Wire;
  readonly dispute: Wire;
}

/** Disputed payments that the arbiter decides. */
async function deciding(count: number): Promise<Disputed[]> {
  const disputed = await Promise.all(
    Array.from({ length: count }, async () => {
      const { id: intent } = await shop.create();
      const buyer = await newBuyer(service);
      await pay(service, (await shop.intent(intent)) as Wire, { buyer });
      const { payment } = await awaitPaid(shop, intent);
      await act(service, buyer, "dispute", payment.id);
      await awaitPayment(shop, payment.id, "disputed");
      return { buyer, intent, payment };
    }),
  );
  // The shop answers in the last one.
  const { data } = (await shop.get(`/disputes?payment=${disputed.at(-1)!.payment.id}`)).json;
  const said = await shop.call("POST", `/disputes/${data[0].id}/statements`, { text: "It was sent." }, [
    ["Idempotency-Key", `statement-${data[0].id}`],
  ]);
  assert.equal(said.status, 201, said.text);
  await advance(service, 6 * DAY_SECONDS);
  return Promise.all(
    disputed.map(async (one) => {
      const dispute = await eventually("the arbiter decides", async () => {
        const [found] = (await shop.get(`/disputes?payment=${one.payment.id}`)).json.data;
        return found?.status === "deciding" && found;
      });
      assert.equal((await arbiter.post(`/desk/disputes/${dispute.id}/claim`)).status, 200);
      return { ...one, dispute };
    }),
  );
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const pathOf = ({ id }: Wire) => `/desk/disputes/${id}/decisions`;
const freeze = (dispute: Wire, total = PART, reasons = REASONS) =>
  arbiter.post(pathOf(dispute), { total, reasons, noInterest: true });
/** Signs a frozen decision by the arbiter's wallet, and hands it in. */
const sign = (dispute: Wire, { id, transaction }: Wire) =>
  arbiter.post(`${pathOf(dispute)}/${id}/submit`, {
    transaction: signWith(transaction, service.wallets.arbiter).transaction,
  });
const ended = (dispute: Wire): Promise<Wire> =>
  eventually("the dispute is closed", async () => {
    const { json } = await shop.get(`/disputes/${dispute.id}`);
    return json.status === "closed" && json.decision !== null && json;
  });

let files = 0;
async function verify(receipt: unknown, ...options: readonly string[]): Promise<{ code: number; output: string }> {
  const file = join(folder, `${++files}.json`);
  await writeFile(file, JSON.stringify(receipt));
  return receiptCli(service, "verify", file, ...options);
}

/** Verifies a receipt with the deployment's keys and the node. */
const confirm = (receipt: unknown) =>
  verify(receipt, "--keys", `${service.checkoutUrl}/.well-known/holdfast.json`, "--rpc", service.rpcUrl);

const fetchReceipt = async ({ id, receiptUrl }: Wire, hasKey = true): Promise<Wire> => {
  const search = hasKey ? new URL(receiptUrl).search : "";
  const answer = await exchange("GET", `${service.checkoutUrl}/pay/p/${id}.json${search}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

test("§17 a ruling of a part with reasons: frozen, signed, landed, both paid out, on the dispute's page and the receipt, and verified", async () => {
  const { intent, payment, dispute } = disputed[0]!;
  const frozen = await freeze(dispute);
  assert.equal(frozen.status, 201, frozen.text);
  const { record, sha256: hash, arbiter: wallet } = frozen.json;
  assert.deepEqual([sha256(record), wallet], [hash, service.wallets.arbiter.address]);
  const { salt, time, ...said } = JSON.parse(record);
  assert.deepEqual([salt.length, Number.isNaN(Date.parse(time))], [32, false]);
  assert.deepEqual(said, {
    ...{ v: 1, genesis: await rpc(service, "getGenesisHash"), operator: service.operator, payment: payment.id },
    ...{ total: PART, reasons: REASONS, statements: [], files: [], arbiter: wallet },
  });
  const other = await freeze(dispute, "3000000", "A second thought.");
  assert.equal((await shop.get(`/disputes/${dispute.id}`)).json.decision, null, "a draft is shown to nobody");

  const signed = await sign(dispute, frozen.json);
  assert.equal(signed.status, 200, signed.text);
  const closed = await ended(dispute);
  const shown = { total: PART, memo: "record", sha256: hash, agreement: null, arbiter: wallet };
  const { ruledAt, ...decision } = closed.decision;
  assert.deepEqual(decision, {
    ...shown,
    transaction: signed.json.signature,
    reasons: REASONS,
    record,
    erasedAt: null,
  });
  const paid = await shop.payment(payment.id);
  assert.deepEqual(
    [paid.outcome, paid.amountRefunded, paid.amountReleased],
    ["resolved", PART, String(BigInt(paid.amount) - BigInt(PART))],
  );
  const events = (await listEvents(shop, intent)).filter(({ type }: Wire) => type.startsWith("dispute."));
  assert.deepEqual(
    events.map(({ type }: Wire) => type),
    ["dispute.opened", "dispute.updated", "dispute.decided", "dispute.closed"],
  );
  assert.deepEqual(events[2].data.object.decision, { ...shown, transaction: signed.json.signature, ruledAt });
  const dropped = await arbiter.post(`${pathOf(dispute)}/${other.json.id}/build`);
  assert.equal(dropped.status, 404, "the other draft is dropped");

  const [open, bare] = [await fetchReceipt(payment), await fetchReceipt(payment, false)];
  assert.deepEqual([open.decision.record, open.decision.sha256], [record, hash]);
  assert.deepEqual(bare.decision, { ...open.decision, record: null });
  assert.ok(!JSON.stringify(bare).includes("parcel"), "reasons are for holders of the key");
  for (const receipt of [open, bare]) assert.match((await confirm(receipt)).output, /^Confirmed by 1 node/);
  open.decision.record = record.replace("three", "four");
  const changed = await verify(open, "--keys", `${service.checkoutUrl}/.well-known/holdfast.json`);
  assert.equal(changed.code, 1);
  assert.match(changed.output, /decision\.sha256 is .* by SHA-256 of the record/);
});

test("§17 a ruling made elsewhere shows as one without reasons, and what was frozen is dropped", async () => {
  const { payment, dispute } = disputed[1]!;
  const frozen = await freeze(dispute);
  await act(service, service.wallets.arbiter, "resolve_split", payment.id, { total: 1_000_000n });
  const { decision } = await ended(dispute);
  assert.deepEqual(
    [decision.memo, decision.total, decision.sha256, decision.reasons, decision.record],
    ["none", "1000000", null, null, null],
  );
  const late = await arbiter.post(`${pathOf(dispute)}/${frozen.json.id}/submit`, {
    transaction: frozen.json.transaction,
  });
  assert.equal(late.status, 404, late.text);
});

test("§17.3 on chain a memo of another signer, two memos, and a hash of another byte are each shown for what they are", async () => {
  const { arbiter: wallet } = service.wallets;
  const table: readonly [string, why: string, (hash: string, stranger: LocalWallet) => [LocalWallet, string][]][] = [
    ["other_signer", "The ruling has a memo that the arbiter did not sign.", (hash, stranger) => [[stranger, hash]]],
    [
      "several",
      "The arbiter signed more than one memo, so none of them counts.",
      (hash) => [hash, hash].map((text) => [wallet, text]),
    ],
    [
      "unknown",
      "The arbiter’s memo names no record of this service.",
      (hash) => [[wallet, hash.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))]],
    ],
  ];
  for (const [index, [memo, why, memosOf]] of table.entries()) {
    const { buyer, payment, dispute } = disputed[3 + index]!;
    const { sha256: hash, record } = (await freeze(dispute)).json;
    const memos = memosOf(hash, buyer);
    await ruleAs(service, wallet, await shop.payment(payment.id), BigInt(PART), memos);
    const { decision } = await ended(dispute);
    const named = memo === "unknown" ? memos[0]![1] : null;
    assert.deepEqual(
      [decision.memo, decision.total, decision.sha256, decision.reasons, decision.record],
      [memo, PART, named, null, null],
    );
    const page = (await exchange("GET", payment.receiptUrl)).text;
    assert.ok(page.includes(`Decided outside this service, without reasons. ${why}`), memo);
    assert.ok(!page.includes("parcel"), "what was frozen is shown to nobody");
    const receipt = await fetchReceipt(payment);
    const { code, output } = await confirm(receipt);
    assert.equal(code, 0, output);
    assert.match(output, new RegExp(`without reasons \\(memo: ${memo}\\)`));
    assert.match(output, /ruling with this memo and total is confirmed by 1 node\./);
    // A deployment that calls the frozen record the decision is contradicted, although the bytes of the record are its own.
    receipt.decision = { ...receipt.decision, memo: "record", sha256: hash, record };
    assert.match((await confirm(receipt)).output, /^Differs\./);
  }
});

test("§17 a frozen ruling that lands without being handed in, in version 1 too, is the decision and verifies", async () => {
  const { payment, dispute } = disputed[6]!;
  const { sha256: hash, record, plain } = (await freeze(dispute)).json;
  assert.equal(plain.length, 2, "the ruling and its memo, for such a wallet to make its own transaction of");
  const { arbiter: wallet } = service.wallets;
  await ruleAs(service, wallet, await shop.payment(payment.id), BigInt(PART), [[wallet, hash]], 1);
  const { decision } = await ended(dispute);
  assert.deepEqual(
    [decision.memo, decision.total, decision.sha256, decision.reasons, decision.record],
    ["record", PART, hash, REASONS, record],
  );
  const { output } = await confirm(await fetchReceipt(payment));
  assert.match(output, /^Confirmed by 1 node.*ruling with this memo and total is confirmed by 1 node\./s);
});

test("§17.6 with texts and salts erased the record is still the one that was signed; with its reasons erased its hash is", async () => {
  const { payment, dispute } = disputed[7]!;
  const frozen = (await freeze(dispute)).json;
  const { record, sha256: hash } = frozen;
  assert.equal(JSON.parse(record).statements.length, 1);
  assert.equal((await sign(dispute, frozen)).status, 200);
  await ended(dispute);
  await admin(service, "dispute", "erase", payment.id, "--note", "Asked by the buyer.");
  const erased = (await shop.get(`/disputes/${dispute.id}`)).json;
  assert.deepEqual([erased.statements[0].text, erased.decision.record], ["", record]);
  const { code, output } = await confirm(await fetchReceipt(payment));
  assert.equal(code, 0, output);
  assert.match(output, /record of the decision has the fingerprint.*memo and total is confirmed by 1 node\./s);

  await admin(service, "dispute", "erase", payment.id, "--note", "Asked by the buyer.", "--reasons");
  const receipt = await fetchReceipt(payment);
  assert.deepEqual([receipt.decision.memo, receipt.decision.sha256, receipt.decision.record], ["record", hash, null]);
  const bare = await confirm(receipt);
  assert.match(bare.output, /no record of the decision.*memo and total is confirmed by 1 node\./s);
  const page = (await exchange("GET", payment.receiptUrl)).text;
  assert.ok(page.includes("The reasons were erased on") && page.includes(hash) && !page.includes("parcel"));
});

test("§17 only the ruling that was built is sent; the buyer's release that lands first decides, and the draft is dropped", async () => {
  const { buyer, payment, dispute } = disputed[2]!;
  const frozen = await freeze(dispute);
  const path = `${pathOf(dispute)}/${frozen.json.id}`;
  for (const [wanted, what] of [
    [{ total: PART, reasons: REASONS, noInterest: false }, "noInterest"],
    [{ total: PART, noInterest: true }, "reasons"],
    [{ total: PART, reasons: " ", noInterest: true }, "reasons"],
    [{ total: "99999999999", reasons: REASONS, noInterest: true }, "total"],
    [{ asAgreed: true, total: PART, noInterest: true }, "total"],
  ] as const) {
    const answer = await arbiter.post(pathOf(dispute), wanted);
    assert.deepEqual([answer.status, answer.json.error.param], [400, what], answer.text);
  }
  const none = await arbiter.post(pathOf(dispute), { asAgreed: true, noInterest: true });
  assert.deepEqual([none.status, none.json.error.reason], [409, "agreement_failed"]);
  const [unsigned, foreign] = [frozen.json.transaction, signWith(frozen.json.transaction, buyer).transaction];
  for (const transaction of [unsigned, foreign, "AAAA"]) {
    const answer = await arbiter.post(`${path}/submit`, { transaction });
    assert.deepEqual([answer.status, answer.json.error.reason], [409, "transaction_invalid"], answer.text);
  }
  await act(service, buyer, "release", payment.id);
  await eventually(
    "the dispute is closed",
    async () => (await shop.get(`/disputes/${dispute.id}`)).json.status === "closed",
  );
  const { transaction } = signWith(unsigned, service.wallets.arbiter);
  const late = await arbiter.post(`${path}/submit`, { transaction });
  assert.deepEqual([late.status, late.json.error.reason], [409, "closed"], late.text);
  const { decision } = (await shop.get(`/disputes/${dispute.id}`)).json;
  assert.equal(decision, null);
  const { amountReleased, amount } = await shop.payment(payment.id);
  assert.equal(amountReleased, amount);
});
