import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson, resolveInstruction, sha256Of } from "@holdfast/escrow-client";
import { aDeployment, aNode, aReceipt, CHAIN } from "./fixtures.ts";
import type { NodeInstruction } from "./nodes.ts";
import type { Receipt, ReceiptDecision } from "./receipt.ts";
import { signReceipt } from "./signature.ts";
import { describeVerdict } from "./text.ts";
import { type Verdict, verifyReceipt } from "./verify.ts";

const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const RULING = "6".repeat(88);
const TOTAL = "2000000";
const DECIDED = {
  status: "released",
  outcome: "resolved",
  refundTotal: TOTAL,
  amountRefunded: TOTAL,
  amountReleased: "3000000",
  disputedAt: "2026-11-22T02:58:22.000Z",
  settledAt: "2026-11-23T02:58:22.000Z",
  refundedAt: "2026-11-23T02:58:22.000Z",
} as const;

/** The record of a decision, as its receipt and payment have it. */
const recordOf = ({ payment }: Receipt, changed: Readonly<Record<string, string>> = {}): string =>
  canonicalJson({
    ...{ v: 1, genesis: CHAIN.genesisHash, operator: CHAIN.operator, payment: payment.address, total: TOTAL },
    ...{ reasons: "Each side bears a part.", statements: ["7".repeat(64)], files: [], arbiter: payment.arbiter! },
    ...{ time: "2026-11-23T02:50:00.000Z", salt: "5f".repeat(16), ...changed },
  });

/** A signed receipt of a payment whose dispute was decided. */
async function decided(given: Partial<ReceiptDecision> = {}) {
  const receipt = await aReceipt(DECIDED);
  const record = given.record ?? recordOf(receipt);
  const sha256 = await sha256Of(record);
  const decision = { memo: "record", total: TOTAL, sha256, transaction: RULING, record, ...given } as const;
  const { key, keys } = await aDeployment();
  const transactions = [...receipt.transactions, { kind: "decided" as const, signature: RULING }];
  const signed = await signReceipt({ ...receipt, decision, transactions }, key);
  return { signed, receipt, sha256, verify: (...nodes: Parameters<typeof aNodeWith>[]) => run(nodes) };

  function run(nodes: readonly Parameters<typeof aNodeWith>[]): Promise<Verdict> {
    return verifyReceipt(
      signed,
      keys,
      nodes.map((one) => aNodeWith(...one)),
    );
  }
}

/** A node that has the ruling's transaction with these instructions; null: it keeps no old transactions. */
const aNodeWith = (receipt: Receipt, instructions: readonly NodeInstruction[] | null) => ({
  ...aNode(receipt.account!.data),
  fetchTransaction: async (signature: string) =>
    signature === RULING && instructions !== null
      ? { failed: false, accounts: [receipt.payment.address], instructions }
      : null,
});

function rulingOf({ payment }: Receipt, total = TOTAL): NodeInstruction {
  const { address, sender, recipient, asset, tokenProgram, arbiter, rentPayer } = payment;
  const ref = { address, operator: CHAIN.operator, sender, recipient, mint: asset, tokenProgram, arbiter, rentPayer };
  const made = resolveInstruction({
    programId: CHAIN.programId,
    payment: ref,
    total: BigInt(total),
  } as unknown as Parameters<typeof resolveInstruction>[0]);
  return {
    program: CHAIN.programId,
    accounts: made.accounts.map((one) => one.address),
    data: new Uint8Array(made.data),
  };
}
const memoBy = (signer: string, text: string): NodeInstruction => ({
  program: MEMO,
  accounts: [signer],
  data: new TextEncoder().encode(text),
});

const fieldsOf = (verdict: Verdict): string[] =>
  verdict.verdict === "differs" ? verdict.differences.map(({ field }) => field) : [verdict.verdict];
const decisionOf = (verdict: Verdict) => ("decision" in verdict ? verdict.decision : verdict.verdict);

test("§17.4 the answer says whether the record was compared, and by how many nodes its ruling is confirmed", async () => {
  const { receipt, sha256, verify } = await decided();
  const offline = await verify();
  assert.deepEqual(decisionOf(offline), { memo: "record", record: "agrees", nodes: 0 });
  assert.match(describeVerdict(offline), /^The record of the decision has the fingerprint that its memo names\.$/m);

  const ruling = [rulingOf(receipt), memoBy(receipt.payment.arbiter!, sha256)];
  const confirmed = await verify([receipt, ruling], [receipt, null], [receipt, ruling]);
  assert.deepEqual(decisionOf(confirmed), { memo: "record", record: "agrees", nodes: 2 });
  assert.match(describeVerdict(confirmed), /^The ruling with this memo and total is confirmed by 2 nodes\.$/m);
  const unread = await verify([receipt, null]);
  assert.deepEqual(decisionOf(unread), { memo: "record", record: "agrees", nodes: 0 });
  assert.match(describeVerdict(unread), /No node that answered has the transaction of the ruling/);

  const bare = await (await decided({ record: null, sha256 })).verify([receipt, ruling]);
  assert.deepEqual(decisionOf(bare), { memo: "record", record: "absent", nodes: 1 });
  assert.match(describeVerdict(bare), /no record of the decision, so its reasons are not checked/);
});

test("§17.4 a record that differs by one byte from the one that was signed, or is of another dispute, is named", async () => {
  const { receipt, sha256 } = await decided();
  const other = recordOf(receipt, { reasons: "Each side bears a part!" });
  assert.deepEqual(fieldsOf(await (await decided({ record: other, sha256 })).verify()), ["decision.sha256"]);
  for (const [member, field] of [
    ["genesis", "decision.genesis"],
    ["operator", "decision.operator"],
    ["payment", "decision.payment"],
    ["total", "decision.total"],
    ["arbiter", "payment.arbiter"],
  ] as const) {
    const record = recordOf(receipt, { [member]: "1" });
    assert.deepEqual(fieldsOf(await (await decided({ record })).verify()), [field], member);
  }
  const spaced = recordOf(receipt).replace(",", ", ");
  assert.deepEqual(fieldsOf(await (await decided({ record: spaced })).verify()), ["decision.record"], "not canonical");
});

test("§17.3 a node's ruling with another memo, another's memo, two memos or another total contradicts the record", async () => {
  const { receipt, sha256, verify } = await decided();
  const arbiter = receipt.payment.arbiter!;
  const own = memoBy(arbiter, sha256);
  const changed = sha256.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  for (const [what, instructions, fields] of [
    ["no memo", [rulingOf(receipt)], ["decision.memo", "decision.sha256"]],
    ["another signer", [rulingOf(receipt), memoBy(CHAIN.operator, sha256)], ["decision.memo", "decision.sha256"]],
    ["two memos", [rulingOf(receipt), own, own], ["decision.memo", "decision.sha256"]],
    ["another hash", [rulingOf(receipt), memoBy(arbiter, changed)], ["decision.sha256"]],
    ["another total", [rulingOf(receipt, "1"), own], ["decision.total"]],
    ["no ruling", [own], ["decision"]],
  ] as const)
    assert.deepEqual(fieldsOf(await verify([receipt, instructions])), fields, what);
});

test("§17.3 a ruling without a record is said to be one, with its memo, and compared as such", async () => {
  const { receipt } = await decided();
  const { arbiter } = receipt.payment;
  const text = memoBy(arbiter!, "Half each.");
  for (const [memo, memos] of [
    ["none", []],
    ["other_signer", [memoBy(CHAIN.operator, "Half each.")]],
    ["several", [text, text]],
    ["unknown", [text]],
  ] as const) {
    const { verify } = await decided({ memo, sha256: null, record: null });
    const verdict = await verify([receipt, [rulingOf(receipt), ...memos]]);
    assert.deepEqual(decisionOf(verdict), { memo, record: null, nodes: 1 });
    assert.match(describeVerdict(verdict), new RegExp(`without reasons \\(memo: ${memo}\\)`));
    if (memo !== "none") assert.deepEqual(fieldsOf(await verify([receipt, [rulingOf(receipt)]])), ["decision.memo"]);
  }
});
