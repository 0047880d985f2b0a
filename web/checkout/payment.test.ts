import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Answers, attemptWith, lost, neverAsked, refusal } from "@holdfast/wallet/testing.ts";
import type { PageData, PageTerms } from "./data.ts";
import { paymentAct } from "./payment.ts";
import { isPriced } from "./terms.ts";

interface Built {
  readonly shown: Readonly<Record<string, string | number>>;
  readonly transaction: string;
}
/** A transaction that the server built for a page, with the recipient's token account, and the values that the page shows. */
const [, { shown, transaction: wire }] = JSON.parse(
  readFileSync(new URL("../decoder/built.json", import.meta.url), "utf8"),
) as [Built, Built];

/** The other terms that the page shows, and the server's text of all terms, in the form of RFC 8785. */
const TERMS = {
  protectionPeriod: "sevenDays",
  business: { name: 'Tea & "Söhne"', domain: null },
  refundPolicyHash: null,
  price: null,
  quote: null,
};
const textOf = (given: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    amount: shown.amount,
    arbiter: shown.arbiter,
    asset: shown.mint,
    business: { domain: null, name: TERMS.business.name },
    expiresAt: new Date(Number(shown.expiresAt) * 1_000).toISOString(),
    nonce: "AAECAwQFBgcICQoLDA0ODw",
    offer: null,
    operator: shown.operator,
    paymentId: shown.paymentId,
    price: null,
    protectionPeriod: "sevenDays",
    quote: null,
    recipient: shown.recipient,
    refundPolicyHash: null,
    v: 3,
    ...given,
  });

/** Makes the server's answer for this text of the terms. */
function built(terms: string) {
  const bytes = Buffer.from(wire, "base64");
  const at = bytes.indexOf(Buffer.from(shown.termsHash as string, "hex"));
  createHash("sha256").update(terms).digest().copy(bytes, at);
  return {
    transaction: bytes.toString("base64"),
    notAfter: "2026-11-22T12:00:00.000Z",
    arbiter: shown.arbiter,
    termsHash: createHash("sha256").update(terms).digest("hex"),
    terms,
    fee: {
      networkLamports: shown.networkLamports,
      recordLamports: "1",
      vaultLamports: "2",
      tokenAccountLamports: "4",
      totalLamports: String(Number(shown.networkLamports) + 7),
    },
    sponsored: false,
  };
}
const BUILT = built(textOf());
const { transaction } = BUILT;
const SIGNATURE = new Uint8Array(64).fill(7);

interface Given {
  /** The wallet's answer, or its error. */
  readonly send?: () => unknown;
  readonly sign?: () => unknown;
  readonly answers?: Answers;
  readonly arbiter?: string | null;
  /** Networks of the wallet's account. */
  readonly chains?: readonly string[];
  /** True once all has happened. */
  readonly isEnough?: (states: readonly { readonly at: string }[]) => boolean;
}

/** Pays by a wallet. */
function pay({ answers = {}, arbiter = shown.arbiter as string, chains = ["solana:mainnet"], ...given }: Given) {
  const data = {
    ...{ path: "/pay/i/1", texts: { arbiterChanged: "It is another." } },
    terms: { ...shown, ...TERMS, sponsors: [] },
  } as unknown as PageData;
  return attemptWith(paymentAct(data, { arbiter, onArbiter: () => undefined }), {
    ...given,
    answers: { build: [() => BUILT], ...answers },
    accounts: [{ address: shown.account as string, chains }],
  });
}

const sends = () => [{ signature: SIGNATURE }];
const signs = () => [{ signedTransaction: Buffer.from(transaction, "base64") }];

for (const [what, seen] of [
  ["is taken", [() => ({})]],
  ["is refused", [refusal("not_found")]],
  ["is refused, since the intent is paid", [refusal("paid")]],
  ["is one too many", [refusal("rate_limited")]],
  ["is never answered", [lost]],
  ["meets a failure of the service", [refusal("internal_error")]],
] as const)
  test(`§12.8 what a wallet sent stays sent when the report of it ${what}`, async () => {
    const { ending, asked } = await pay({ send: sends, answers: { seen } });
    assert.deepEqual(ending, { kind: "sent" });
    const report = asked.find(({ path }) => path.endsWith("/seen"));
    const bytes = Buffer.from(report!.body.transaction as string, "base64");
    assert.deepEqual(Uint8Array.from(bytes.subarray(1, 65)), SIGNATURE, "with the transaction that it signs");
    assert.deepEqual(bytes.subarray(65), Buffer.from(transaction, "base64").subarray(65));
  });

for (const [what, answer] of [
  ["no signatures", () => []],
  ["no signature", () => [{}]],
  ["a short signature", () => [{ signature: SIGNATURE.subarray(1) }]],
  ["a text", () => [{ signature: "5VERv8NMvz" }]],
  ["nothing", () => undefined],
  ["no array", () => ({ signature: SIGNATURE })],
] as const)
  test(`§12.8 a wallet that sends and answers ${what} may have sent: the page does not invite to pay again`, async () => {
    const { ending, asked } = await pay({ send: answer });
    assert.deepEqual(ending, { kind: "unknown" });
    assert.equal(asked.length, 1, "there is nothing to report");
  });

for (const answer of [() => [], () => undefined, () => [{ signedTransaction: new Uint8Array() }]])
  test("§12.8 a wallet that signs and does not hand over what it signed leaves open what becomes of it", async () => {
    assert.deepEqual((await pay({ sign: answer })).ending, { kind: "unknown" });
  });

for (const [message, kind] of [
  ["User rejected the request.", "rejected"],
  ["Approval denied", "rejected"],
  ["The transaction was declined by the user", "rejected"],
  ["Transaction rejected by the node", "unknown"],
  ["WalletSendTransactionError: Unexpected error", "unknown"],
  ["", "unknown"],
] as const)
  test(`§12.8 a wallet that sends and fails with "${message}" has ${kind === "unknown" ? "perhaps" : "not"} sent`, async () => {
    const send = () => {
      throw new Error(message);
    };
    assert.deepEqual((await pay({ send })).ending, { kind });
  });

test("a wallet's refusal by number is one, and of a wallet that only signs any failure is its own", async () => {
  const fail = (error: unknown) => () => {
    throw error;
  };
  assert.deepEqual((await pay({ send: fail({ code: 4001 }) })).ending, { kind: "rejected" });
  assert.deepEqual((await pay({ sign: fail(new Error("Rejected")) })).ending, { kind: "rejected" });
  assert.deepEqual((await pay({ sign: fail(new Error("Locked")) })).ending, {
    kind: "wallet_failed",
    reason: "Locked",
  });
});

for (const [what, submit, ending] of [
  ["is taken", [() => ({})], { kind: "sent" }],
  ["is taken after an answer was lost", [lost, () => ({})], { kind: "sent" }],
  [
    "is refused",
    [refusal("simulation_failed")],
    { kind: "refused", code: "simulation_failed", message: "It is simulation_failed." },
  ],
  ["is refused after an answer was lost", [lost, refusal("simulation_failed")], { kind: "unknown" }],
  ["is refused after the database was away", [refusal("unavailable"), refusal("canceled")], { kind: "unknown" }],
  ["was recorded after an answer was lost", [lost, refusal("paid")], { kind: "sent" }],
  ["is another's to pay", [refusal("paid")], { kind: "refused", code: "paid", message: "It is paid." }],
  ["is never answered", [lost], { kind: "unknown" }],
  ["meets a node that is away", [refusal("chain_unavailable")], { kind: "unknown" }],
  ["is one too many at first", [refusal("rate_limited"), () => ({})], { kind: "sent" }],
  [
    "is one too many each time",
    [refusal("rate_limited")],
    { kind: "refused", code: "rate_limited", message: "It is rate_limited." },
  ],
  ["came too late", [refusal("expired")], { kind: "too_late" }],
  ["came too late, and may have arrived before", [lost, refusal("expired")], { kind: "unknown" }],
] as const)
  test(`§12.8 what a wallet signed ${what}`, async () => {
    assert.deepEqual((await pay({ sign: signs, answers: { submit } })).ending, ending);
  });

test("§12.8 a wallet that answers once all is over pays nothing, and what it then says that it sent is reported", async () => {
  for (const [way, reported] of [
    ["sign", false],
    ["send", true],
  ] as const) {
    const person = Promise.withResolvers<void>();
    const answer = async () => {
      await person.promise;
      return way === "sign" ? signs() : sends();
    };
    const life = [() => ({ status: "ended", msLeft: null }), () => ({ status: "live", msLeft: 9_000 })];
    const { ending, states, asked } = await pay({
      [way]: answer,
      answers: { life },
      isEnough: (told) => {
        const endings = told.filter(({ at }) => at === "ended").length;
        if (endings === 1) person.resolve();
        return endings === (reported ? 2 : 1);
      },
    });
    // A wallet that only signs has answered by then.
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ending, { kind: "too_late" });
    const late = states.slice(states.findIndex(({ at }) => at === "ended") + 1);
    assert.deepEqual(
      late.map(({ at }) => at),
      reported ? ["sending", "ended"] : [],
      "the page is told that it may be paid after all",
    );
    assert.deepEqual(
      asked.slice(1).map(({ path }) => path),
      reported ? ["/pay/i/1/seen"] : [],
    );
  }
});

test("§12.8 an arbiter that the page does not show is read first, also where it showed none", async () => {
  for (const arbiter of [null, shown.recipient as string]) {
    const { ending, asked } = await pay({ send: sends, arbiter });
    assert.deepEqual(ending, { kind: "refused", code: "arbiter_changed", message: "It is another." });
    assert.equal(asked.length, 1);
  }
});

for (const [what, given, reason] of [
  ["is not the sum of its parts", { totalLamports: "1" }, /does not add up/],
  ["has a deposit that no network takes", { recordLamports: "3062401" }, /deposit/],
  ["has no deposit", { vaultLamports: "0" }, /deposit/],
  ["names no deposits", { recordLamports: undefined, vaultLamports: undefined }, /deposits/],
  ["leaves out the token account that is made", { tokenAccountLamports: "0" }, /token account/],
  ["has a token account that no network makes", { tokenAccountLamports: "4454401" }, /token account/],
] as const)
  test(`§12.7 a cost that ${what} never reaches the wallet`, async () => {
    const { ending } = await pay({
      send: neverAsked,
      answers: { build: [() => ({ ...BUILT, fee: { ...BUILT.fee, ...given } })] },
    });
    assert.equal(ending.kind, "unexpected_bytes");
    assert.match("reason" in ending ? ending.reason : "", reason);
  });

test("§12.7 a cost that is called free, and that the wallet pays, never reaches the wallet", async () => {
  const { ending } = await pay({ send: neverAsked, answers: { build: [() => ({ ...BUILT, sponsored: true })] } });
  assert.deepEqual(ending, { kind: "unexpected_bytes", reason: "somebody else pays its cost" });
});

for (const [what, text] of [
  ["another refund policy", textOf({ refundPolicyHash: "ab".repeat(32) })],
  ["another business", textOf({ business: { domain: null, name: "Tea" } })],
  ["another domain", textOf({ business: { domain: "tea.example", name: TERMS.business.name } })],
  ["another arbiter", textOf({ arbiter: shown.recipient })],
  ["another last second", textOf({ expiresAt: "2027-01-01T00:00:00.000Z" })],
  ["another version", textOf({ v: 1 })],
  ["another price", textOf({ price: { amount: "1.00", currency: "EUR" } })],
  ["an offer", textOf({ offer: "ab".repeat(32) })],
  ["a further promise", textOf({ w: "no refunds" })],
  ["a value said twice", textOf().replace('"v":3', '"refundPolicyHash":null,"v":3')],
  ["white space", ` ${textOf()}`],
  ["no nonce", textOf({ nonce: undefined })],
  ["a short nonce", textOf({ nonce: "AAEC" })],
] as const)
  test(`§12.7 terms with ${what} never reach the wallet, whatever hash the answer names`, async () => {
    const { ending } = await pay({ send: neverAsked, answers: { build: [() => built(text)] } });
    assert.equal(ending.kind, "unexpected_bytes");
    assert.match("reason" in ending ? ending.reason : "", /terms/);
  });

test("§12.7 the payment names the hash of the terms that the page was given, not one that came with them", async () => {
  const { ending } = await pay({
    send: neverAsked,
    answers: { build: [() => ({ ...built(textOf({ refundPolicyHash: "ab".repeat(32) })), terms: textOf() })] },
  });
  assert.deepEqual(ending, { kind: "unexpected_bytes", reason: "the terms are others" });
});

test("§12.6 an account of another network is none that pays, and is not taken for a locked wallet", async () => {
  for (const [chains, ending] of [
    [["solana:devnet"], { kind: "wrong_network" }],
    [["bitcoin:mainnet"], { kind: "no_account" }],
  ] as const) {
    const paid = await pay({ send: neverAsked, chains });
    assert.deepEqual([paid.ending, paid.asked], [ending, []]);
  }
});

test("where the service builds nothing, the wallet is not asked", async () => {
  assert.deepEqual((await pay({ send: neverAsked, answers: { build: [lost] } })).ending, { kind: "no_answer" });
  assert.deepEqual((await pay({ send: neverAsked, answers: { build: [refusal("held")] } })).ending, {
    kind: "refused",
    code: "held",
    message: "It is held.",
  });
});

test("§4.21.1 the page pays an amount only if it is price times rate, rounded up", () => {
  const quote = { rate: "1.17160001", source: "ecb", at: "", until: "", spread: "0.01" };
  const priced = (amount: string, price = { currency: "EUR", amount: "48.50" }, decimals: number | null = 6) =>
    isPriced({ ...TERMS, amount, price, quote } as unknown as PageTerms, decimals);
  assert.ok(priced("56822601"));
  assert.ok(priced("57", undefined, 0));
  assert.ok(priced("5682260048500", undefined, 11));
  assert.ok(priced("117160001", { currency: "JPY", amount: "100" }));
  for (const amount of ["56822600", "56822602", "48500000"]) assert.ok(!priced(amount), amount);
  assert.ok(!priced("56822601", undefined, null));
  const terms = (given: object) => ({ ...TERMS, amount: "5", ...given }) as unknown as PageTerms;
  assert.ok(isPriced(terms({}), null));
  assert.ok(!isPriced(terms({ quote }), 6));
});
