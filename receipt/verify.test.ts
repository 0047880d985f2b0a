import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeAccount, encodeTombstone, findDerived, type PaymentFigures } from "./account.ts";
import {
  aDeployment,
  aFigures,
  aNode,
  aReceipt,
  CHAIN,
  changed,
  ISSUER,
  leavesOf,
  REFUNDED,
  TERMS_TEXT,
} from "./fixtures.ts";
import type { Receipt } from "./receipt.ts";
import { type DeploymentKeys, parseDeploymentKeys, signReceipt } from "./signature.ts";
import { describeVerdict } from "./text.ts";
import { type Verdict, verifyReceipt } from "./verify.ts";

/** The names of the fields that differ; fails for any other verdict. */
function fieldsOf(verdict: Verdict): string[] {
  assert.equal(verdict.verdict, "differs", JSON.stringify(verdict));
  return verdict.verdict === "differs" ? verdict.differences.map(({ field }) => field) : [];
}

/** Another value of the same kind, of the same form where it has one. */
function otherThan(value: unknown): unknown {
  if (value === null) return "x";
  if (typeof value === "number") return value + 1;
  const text = String(value);
  if (/^\d{4}-/.test(text)) return `1${text.slice(1)}`;
  return /^[1-9]/.test(text) ? text.replace(/^./, (digit) => (digit === "1" ? "2" : "1")) : `A${text.slice(1)}x`;
}

test("a receipt is consistent with the keys of its deployment, whatever the order of its members", async () => {
  const { key, keys } = await aDeployment();
  const receipt = await signReceipt(await aReceipt(), key);
  const turned = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(receipt, null, 4))).reverse());
  for (const one of [receipt, turned])
    assert.deepEqual(await verifyReceipt(one, keys), {
      verdict: "consistent",
      issuer: ISSUER,
      closed: null,
      decision: null,
    });
});

test("a receipt changed in any one of its fields differs, and the field is named with both values", async () => {
  const { key, keys } = await aDeployment();
  for (const receipt of [await aReceipt(), await aReceipt(REFUNDED, true)]) {
    const signed = await signReceipt(receipt, key);
    const leaves = leavesOf(receipt);
    assert.ok(leaves.length >= 45, `${leaves.length} fields`);
    for (const path of leaves) {
      const before = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], receipt);
      const other = otherThan(before);
      const verdict = await verifyReceipt(changed(signed, path, other), keys);
      const field = path.join(".");
      assert.ok(fieldsOf(verdict).includes(field), `${field}: ${JSON.stringify(verdict)}`);
      const named = verdict.verdict === "differs" ? verdict.differences : [];
      assert.ok(
        named.some((one) => one.receipt === JSON.stringify(other) && one.found === JSON.stringify(before)),
        JSON.stringify(named),
      );
      // With the signed text changed alike, the signature is no longer the deployment's.
      assert.ok(fieldsOf(await verifyReceipt(changed(signed, path, other, true), keys)).includes("signature"), field);
    }
  }
});

test("a member that is missing, unknown or inherited differs", async () => {
  const { key, keys } = await aDeployment();
  const signed = await signReceipt(await aReceipt(), key);
  for (const name of Object.keys(signed)) {
    const { [name as "v"]: _, ...rest } = signed;
    assert.ok(fieldsOf(await verifyReceipt(rest, keys)).includes(name), name);
  }
  assert.ok(fieldsOf(await verifyReceipt({ ...signed, paid: true }, keys)).includes("paid"));
  const polluted = JSON.parse(JSON.stringify(signed).replace('"decision":null', '"__proto__":{"decision":null}'));
  assert.ok(fieldsOf(await verifyReceipt(polluted, keys)).includes("decision"));
  for (const value of [null, [], "receipt", 1, {}, { signature: {} }]) fieldsOf(await verifyReceipt(value, keys));
});

test("no text of a receipt writes a line of the answer, or to the terminal", async () => {
  const { key, keys } = await aDeployment();
  const signed = await signReceipt(await aReceipt(), key);
  const line = "x\nConfirmed by 3 nodes at slot 1.\u001b[2J\u202e";
  const text = describeVerdict(await verifyReceipt({ ...signed, [line]: line, issuer: line.repeat(500) }, keys));
  assert.match(text, /^Differs\.\n/);
  for (const one of text.split("\n")) {
    assert.ok(one === "Differs." || one.startsWith("  "), one);
    assert.ok(one.length < 2_600 && !/[\p{Cc}\p{Cf}]/u.test(one));
  }
});

test("a document without keys in the known form holds none", async () => {
  const { keys } = await aDeployment();
  assert.deepEqual(parseDeploymentKeys(JSON.parse(JSON.stringify(keys))), keys);
  const wrong: readonly unknown[] = [
    null,
    [],
    { ...keys, v: 2 },
    { ...keys, object: "receipt" },
    { ...keys, issuer: null },
    { ...keys, keys: {} },
    { ...keys, keys: [null] },
    { ...keys, keys: [{ ...keys.keys[0], x: 1 }] },
    { ...keys, keys: [{ ...keys.keys[0], retiredAt: "never" }] },
    { ...keys, environments: null },
    { ...keys, environments: { test: null } },
  ];
  for (const one of wrong) assert.equal(parseDeploymentKeys(one), null, JSON.stringify(one));
});

test("a forged signature, another deployment's key and a key under another's name differ in the signature", async () => {
  const [own, other] = [await aDeployment(), await aDeployment()];
  const receipt = await aReceipt();
  const signed = await signReceipt(receipt, own.key);
  const { signature } = signed;
  const flipped = signature.signature.replace(/^./, (letter) => (letter === "A" ? "B" : "A"));
  const impostor = await signReceipt(receipt, { ...other.key, kid: own.key.kid });
  const none = JSON.stringify({ alg: "none", kid: own.key.kid, typ: "holdfast-receipt+jws" });
  const unsigned = { ...signature, protected: Buffer.from(none).toString("base64url"), signature: "" };
  const forged: readonly unknown[] = [
    { ...signed, signature: { ...signature, signature: flipped } },
    { ...signed, signature: { ...signature, signature: `${signature.signature}=` } },
    { ...signed, signature: unsigned },
    { ...signed, signature: { ...signature, header: {} } },
    { ...signed, signature: null },
    await signReceipt(receipt, other.key),
    impostor,
  ];
  for (const one of forged) assert.deepEqual(fieldsOf(await verifyReceipt(one, own.keys)), ["signature"]);
});

test("a key signs for the address, the chain and the operator of its deployment alone, until it is retired", async () => {
  const { key, keys } = await aDeployment({ retiredAt: "2026-12-01T00:00:00.000Z" });
  const receipt = await aReceipt();
  const fields = async (given: Partial<Receipt>, published: DeploymentKeys = keys) => {
    const verdict = await verifyReceipt(await signReceipt({ ...receipt, ...given }, key), published);
    return verdict.verdict === "consistent" ? [] : fieldsOf(verdict);
  };
  assert.deepEqual(await fields({}), [], "it was signed before");
  assert.deepEqual(await fields({ issuedAt: "2026-12-01T00:00:59.000Z" }), []);
  assert.deepEqual(await fields({ issuedAt: "2026-12-01T00:01:01.000Z" }), ["issuedAt"]);
  assert.deepEqual(await fields({ issuer: "https://other.example" }), ["issuer"]);
  assert.deepEqual(await fields({ environment: "live" }), ["environment"]);
  const elsewhere = { ...CHAIN, genesisHash: CHAIN.operator };
  assert.deepEqual(await fields({}, { ...keys, environments: { test: elsewhere } }), ["chain.genesisHash"]);
  // A program is upgraded in place.
  assert.deepEqual(
    await fields({}, { ...keys, environments: { test: { ...CHAIN, programHash: "8".repeat(64) } } }),
    [],
  );
  assert.deepEqual(await fields({}, { ...keys, keys: [] }), ["signature"]);
});

test("what a deployment signs although bytes, address, hash or terms say otherwise differs", async () => {
  const { key, keys } = await aDeployment();
  const receipt = await aReceipt();
  const fields = async (given: Partial<Receipt>) =>
    fieldsOf(await verifyReceipt(await signReceipt({ ...receipt, ...given }, key), keys));
  const { address, ...figures } = receipt.payment;
  const other: Partial<Record<string, unknown>> = {
    decimals: 7,
    protectionPeriod: "oneDay",
    status: "disputed",
    outcome: "settled",
    tokenProgram: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
    termsHash: "8".repeat(64),
  };
  const time = "2026-11-23T00:00:00.000Z";
  for (const [name, value] of Object.entries(figures)) {
    const isAddress = typeof value === "string" && value.length >= 32;
    const changed = other[name] ?? (/At$|Deadline$/.test(name) ? time : isAddress ? CHAIN.programId : otherThan(value));
    const found = await fields({ payment: { address, ...figures, [name]: changed } as Receipt["payment"] });
    assert.ok(found.includes(`payment.${name}`), `${name}: ${found.join(", ")}`);
  }
  assert.deepEqual(await fields({ payment: { ...receipt.payment, address: CHAIN.operator } }), ["payment.address"]);
  // The sender of another payment, with bytes to match, has another address.
  const stranger = { ...(await aFigures()), sender: CHAIN.programId };
  const strange = { data: await encodeAccount(CHAIN, stranger), slot: 100 };
  assert.ok(
    (await fields({ payment: { address, ...stranger }, account: strange })).includes("payment.address"),
    "the address is derived from the sender",
  );
  assert.deepEqual(await fields({ terms: { text: `${TERMS_TEXT} `, fields: null } }), ["payment.termsHash"]);
  const cheaper = TERMS_TEXT.replace("5000000", "4000000");
  assert.deepEqual(await fields({ terms: { text: null, fields: JSON.parse(cheaper) } }), ["payment.amount"]);
  assert.deepEqual(await fields({ terms: { text: TERMS_TEXT, fields: {} } }), ["terms"]);
  assert.deepEqual(await fields({ account: { data: receipt.account!.data, slot: null } }), ["account.slot"]);
  assert.deepEqual(await fields({ account: null }), ["account"]);
  assert.deepEqual(await fields({ account: { data: "AAAA", slot: 1 } }), ["account.data"]);
});

test("a closed record is consistent with the bytes of before and its tombstone, and says how it ended", async () => {
  const { key, keys } = await aDeployment();
  const receipt = await aReceipt(REFUNDED, true);
  const verdict = await verifyReceipt(await signReceipt(receipt, key), keys);
  const closed = { status: "refunded", outcome: "refunded_unresolved" };
  assert.deepEqual(verdict, { verdict: "consistent", issuer: ISSUER, closed, decision: null });
  assert.match(describeVerdict(verdict), /^Consistent, closed, ended as refunded\. /);
  const released = await aFigures({ ...REFUNDED, status: "released", refundTotal: "0", amountRefunded: "0" });
  const [, bump] = (await findDerived(CHAIN, released))!;
  const tombstone = { data: encodeTombstone({ ...released, amountReleased: "4000000" }, bump), slot: 900 };
  const fields = fieldsOf(await verifyReceipt(await signReceipt({ ...receipt, tombstone }, key), keys));
  assert.deepEqual(fields.toSorted(), [
    "payment.amount",
    "payment.amountRefunded",
    "payment.amountReleased",
    "payment.refundTotal",
    "payment.status",
  ]);
  // A payment that was closed before anybody read it is known by its end alone.
  const unknown = Object.fromEntries(
    Object.entries(receipt.payment).filter(([name]) => !(name in (REFUNDED as object))),
  );
  const known = ["address", "paymentId", "amount", "amountReleased", "settledAt"];
  const nulls = Object.fromEntries(
    Object.keys(unknown).map((name) => [name, known.includes(name) ? unknown[name] : null]),
  );
  const only = { ...receipt, account: null, terms: null, order: null, payment: { ...receipt.payment, ...nulls } };
  const alone = await verifyReceipt(await signReceipt(only as Receipt, key), keys);
  assert.deepEqual(alone, { verdict: "consistent", issuer: ISSUER, closed, decision: null });
});

test("a text of version 1 verifies without the intent that it names, and whole for holders of the key", async () => {
  const { key, keys } = await aDeployment();
  const { nonce: _, ...fields } = { ...JSON.parse(TERMS_TEXT), v: 1 };
  const text = JSON.stringify({ ...fields, intent: "pi_test_01a1fc0a61ca6aa1dc5681f996bdf948" });
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");
  const receipt = await aReceipt({ termsHash: hash });
  for (const terms of [
    { text, fields: null },
    { text: null, fields },
  ])
    assert.equal((await verifyReceipt(await signReceipt({ ...receipt, terms }, key), keys)).verdict, "consistent");
});

test("§4.21.1 a text of version 3 verifies only with the amount that its price and rate make", async () => {
  const { key, keys } = await aDeployment();
  const verify = async (given: Readonly<Record<string, unknown>>) => {
    const text = JSON.stringify({ ...JSON.parse(TERMS_TEXT), v: 3, price: null, quote: null, offer: null, ...given });
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");
    const receipt = { ...(await aReceipt({ termsHash: hash })), terms: { text, fields: null } };
    return verifyReceipt(await signReceipt(receipt, key), keys);
  };
  const of = (amount: unknown, rate: unknown) => ({ price: { currency: "EUR", amount }, quote: { rate } });
  for (const given of [{}, of("5.00", "1"), of("4.29", "1.165501"), of("5", "0.9999999")])
    assert.equal((await verify(given)).verdict, "consistent", JSON.stringify(given));
  for (const given of [of("5.01", "1"), of("5.00", "1.0000001"), of("4.99", "1"), of("0.00", "1")])
    assert.deepEqual(fieldsOf(await verify(given)), ["payment.amount"], JSON.stringify(given));
  const wrong = [of("1e30", "1"), of("5", "-1"), of(5, "1"), of("5", "1".repeat(99)), { price: {}, quote: null }];
  for (const given of [...wrong, { quote: { rate: "1" } }, { price: "5" }])
    assert.deepEqual(fieldsOf(await verify(given)), ["terms.price"], JSON.stringify(given));
});

test("nodes confirm a receipt at the oldest of their slots, and the words claim no more than was asked", async () => {
  const { key, keys } = await aDeployment();
  const receipt = await aReceipt();
  const signed = await signReceipt(receipt, key);
  const account = receipt.account!.data;
  const offline = describeVerdict(await verifyReceipt(signed, keys));
  assert.match(offline, /does not show that the payment is on chain/);
  assert.doesNotMatch(offline, /confirmed|proved|proven|proof/i);
  const away = { ...aNode(account), fetchAccount: () => Promise.reject(new Error("refused")) };
  const verdict = await verifyReceipt(signed, keys, [aNode(account), aNode(account, { slot: 150 }), away]);
  assert.deepEqual(verdict, {
    verdict: "confirmed",
    issuer: ISSUER,
    closed: null,
    decision: null,
    nodes: 2,
    slot: 150,
    since: [],
    silent: ["node 3: refused"],
  });
  assert.match(describeVerdict(verdict), /^Confirmed by 2 nodes at slot 150\. /);
  const unasked = await verifyReceipt(signed, keys, [away]);
  assert.deepEqual(unasked, { verdict: "not_asked", reasons: ["node 1: refused"] });
});

test("a node among three that shows another account, chain, program or transaction is named", async () => {
  const { key, keys } = await aDeployment();
  const receipt = await aReceipt({ status: "disputed", disputedAt: "2026-11-22T02:58:22.000Z" });
  const signed = await signReceipt(receipt, key);
  const honest = aNode(receipt.account!.data);
  const lie = async (given: Partial<PaymentFigures>) =>
    aNode(
      await encodeAccount(CHAIN, await aFigures({ ...REFUNDED, disputedAt: "2026-11-22T02:58:22.000Z", ...given })),
    );
  const failed = {
    ...honest,
    fetchTransaction: async () => ({ failed: true, accounts: [receipt.payment.address], instructions: [] }),
  };
  const foreign = {
    ...honest,
    fetchTransaction: async () => ({ failed: false, accounts: [CHAIN.operator], instructions: [] }),
  };
  const cases = [
    [await lie({ amount: "6000000", refundTotal: "6000000", amountRefunded: "6000000" }), "payment.amount"],
    [await lie({ recipient: CHAIN.operator }), "payment.recipient"],
    [await lie({ disputedAt: "2026-11-23T02:58:22.000Z" }), "payment.disputedAt"],
    [await lie({ disputedAt: null }), "payment.disputedAt"],
    [aNode(await encodeAccount(CHAIN, await aFigures())), "payment.status"],
    [aNode(null), "account"],
    [aNode("AAAA"), "account"],
    [aNode(receipt.account!.data, { owner: CHAIN.operator }), "chain.programId"],
    [aNode(receipt.account!.data, { genesisHash: CHAIN.operator }), "chain.genesisHash"],
    [aNode(await encodeAccount({ ...CHAIN, operator: CHAIN.programId }, await aFigures())), "chain.operator"],
    [failed, "transactions.0.signature"],
    [foreign, "transactions.0.signature"],
  ] as const;
  for (const [liar, field] of cases) {
    const verdict = await verifyReceipt(signed, keys, [honest, liar, honest]);
    assert.ok(fieldsOf(verdict).includes(field), `${field}: ${JSON.stringify(verdict)}`);
    assert.ok(
      verdict.verdict === "differs" && verdict.differences.every(({ where }) => where === "node 2"),
      "no other node is accused",
    );
  }
});

test("a payment that went on, or was closed, since its receipt is confirmed, and the change is said", async () => {
  const { key, keys } = await aDeployment();
  const receipt = await aReceipt();
  const signed = await signReceipt(receipt, key);
  const ended = await aFigures(REFUNDED);
  const [, bump] = (await findDerived(CHAIN, ended))!;
  for (const data of [await encodeAccount(CHAIN, ended), encodeTombstone(ended, bump)]) {
    const verdict = await verifyReceipt(signed, keys, [aNode(data)]);
    assert.equal(verdict.verdict, "confirmed", JSON.stringify(verdict));
    assert.match(
      describeVerdict(verdict),
      /Today payment\.status is "refunded" by node 1; the receipt has "protected"\./,
    );
  }
  const replaced = { ...aNode(receipt.account!.data), fetchProgramHash: async () => "8".repeat(64) };
  const text = describeVerdict(await verifyReceipt(signed, keys, [replaced]));
  assert.match(text, /^Confirmed by 1 node at slot 200\. .*\nToday chain\.programHash is "8{64}" by node 1/);
  // The end of a payment is the last: it never runs again, and no other amount becomes of it.
  const final = await signReceipt(await aReceipt(REFUNDED), key);
  assert.ok(fieldsOf(await verifyReceipt(final, keys, [aNode(receipt.account!.data)])).includes("payment.status"));
  const closed = await signReceipt(await aReceipt(REFUNDED, true), key);
  const tombstone = encodeTombstone(ended, bump);
  assert.equal((await verifyReceipt(closed, keys, [aNode(tombstone)])).verdict, "confirmed");
  assert.match(describeVerdict(await verifyReceipt(closed, keys, [aNode(tombstone)])), /deployment's word/);
  const other = encodeTombstone({ ...ended, outcome: "resolved" }, bump);
  assert.deepEqual(fieldsOf(await verifyReceipt(closed, keys, [aNode(other)])), ["tombstone.data"]);
});

test("a number that is too large for JSON's readers does not pass for null", async () => {
  const { key, keys } = await aDeployment();
  const terms = { text: null, fields: { paymentId: "4242", expiresAt: null } };
  const signed = await signReceipt({ ...(await aReceipt()), terms }, key);
  assert.equal((await verifyReceipt(signed, keys)).verdict, "consistent");
  const other: unknown = JSON.parse("1e999");
  const fields = fieldsOf(await verifyReceipt(changed(signed, ["terms", "fields", "expiresAt"], other), keys));
  assert.deepEqual(fields, ["terms.fields.expiresAt"]);
});
