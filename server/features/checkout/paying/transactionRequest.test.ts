import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PaymentRefusal } from "../../../chain/acts.ts";
import { noPayment, refusalToPayer } from "../../../edge/acts/refusals.ts";
import { BuyerError, MESSAGE_CHARACTERS_MAX } from "../../../edge/buyer/error.ts";
import { anIntent } from "../../intents/fixtures.ts";
import { ENGLISH } from "../languages/english.ts";
import type { PayableView } from "./queries.ts";
import { held, requirePayable } from "./refusals.ts";
import { describePayment } from "./transactionRequest.ts";

const U64_MAX = "18446744073709551615";
const BUYER = "7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const aView = (name: string, given: Partial<PayableView> = {}): PayableView => ({
  intent: anIntent({ asset: USDC, amount: "5000000" }),
  profile: {
    id: "biz_1",
    name,
    domain: null,
    supportContact: null,
    refundPolicy: null,
    refundPolicyHash: null,
    returnUrl: null,
    locale: null,
    intentLifetimeMinutes: null,
    reportingCurrency: null,
    color: null,
    logo: null,
    emailName: null,
    emailLine: null,
    emailReplyTo: null,
    timeZone: null,
  },
  decimals: 6,
  termsNonce: null,
  linkId: null,
  now: anIntent().createdAt,
  ...given,
});

test("§4.14.6 the message of a transaction request fits a wallet, with the amount and the protection whole", () => {
  assert.equal(describePayment(ENGLISH.page, aView("Demo shop")), "5.00 USDC to Demo shop, protected for 7 days");
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }),
      fc.constantFrom("1", "5000000", U64_MAX),
      fc.constantFrom(null, 0, 6, 9, 19, 255),
      fc.constantFrom(USDC, "So11111111111111111111111111111111111111112", "another"),
      (name, amount, decimals, asset) => {
        const view = aView(name, { intent: anIntent({ amount, asset, protectionPeriod: "fourteenDays" }), decimals });
        const message = describePayment(ENGLISH.page, view);
        assert.ok(message.length <= MESSAGE_CHARACTERS_MAX, message);
        assert.ok(message.endsWith(", protected for 14 days"), message);
        assert.ok(message.isWellFormed());
      },
    ),
    { seed: 17, numRuns: 1_000 },
  );
});

test("§12.6 a wallet with too little is named, with what it has and what is needed, in the form of every page", () => {
  const wanted = { account: BUYER, asset: USDC, amount: "24500000", decimals: 6 };
  const says = (refusal: PaymentRefusal) => refusalToPayer(refusal, wanted).message;
  assert.equal(
    says({ kind: "token_missing", missing: 24_500_000n }),
    "7dHb…7ARj has 0.00 USDC; 24.50 USDC are needed.",
  );
  assert.equal(says({ kind: "token_missing", missing: 1n }), "7dHb…7ARj has 24.499999 USDC; 24.50 USDC are needed.");
  assert.equal(
    says({ kind: "sol_missing", missing: 5_101_680n }),
    "7dHb…7ARj needs 0.00510168 SOL more for fees and deposits.",
  );
});

test("§4.14.6 every refusal of a payment fits a wallet", () => {
  const [amount, missing] = [U64_MAX, BigInt(U64_MAX)];
  const refusals: PaymentRefusal[] = [
    { kind: "already_paid" },
    { kind: "is_recipient" },
    { kind: "not_a_wallet" },
    { kind: "token_missing", missing },
    { kind: "sol_missing", missing },
    { kind: "would_fail", reason: "offer_expired: The time up to which this payment could be made has passed." },
    { kind: "would_fail", reason: "arbiter_changed: …" },
    { kind: "would_fail", reason: "token program error 17: the account is frozen" },
    { kind: "would_fail", reason: "error 12 of program 9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP" },
  ];
  const errors = [USDC, "So11111111111111111111111111111111111111112", "another"].flatMap((asset) =>
    [null, 0, 6, 9, 19, 255].flatMap((decimals) =>
      refusals.map((refusal) => refusalToPayer(refusal, { account: BUYER, asset, amount, decimals })),
    ),
  );
  for (const status of ["paid", "expired", "canceled"] as const)
    assert.throws(
      () => requirePayable(aView("Shop", { intent: anIntent({ status }) })),
      (error) => error instanceof BuyerError && errors.push(error) > 0 && error.code === status,
    );
  for (const { message } of [...errors, held(), noPayment()])
    assert.ok(message.length > 0 && message.length <= MESSAGE_CHARACTERS_MAX, message);
});
