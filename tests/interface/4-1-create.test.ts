import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findOperatorAddress, PERIODS } from "@holdfast/escrow-client";
import { admin } from "../harness/admin.ts";
import { pay } from "../harness/chain.ts";
import { assertError, type Merchant, newMerchant, someTerms } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

const create = (terms: Readonly<Record<string, unknown>>) =>
  shop.call("POST", "/payment-intents", someTerms(service, terms));
/** The body as text, with one member's JSON replaced by this source. */
const createRaw = (name: string, source: string) => {
  const members = Object.entries(someTerms(service)).filter(([known]) => known !== name);
  const others = members.map(([known, value]) => `${JSON.stringify(known)}:${JSON.stringify(value)}`);
  return shop.call("POST", "/payment-intents", `{${[...others, `${JSON.stringify(name)}:${source}`].join(",")}}`);
};
const count = async () => (await shop.walk("/payment-intents", 100)).length;

/** Asserts that every one of these values is refused. */
async function allRefused(param: string, values: readonly unknown[]): Promise<void> {
  const before = await count();
  for (const value of values) assertError(await create({ [param]: value }), 400, "invalid_request", param);
  assert.equal(await count(), before);
}

const TRIES_MAX = 5;

/** The answer to a create for a recipient that the chain judges. One that is not read within a second is not refused. */
async function judge(recipient: string) {
  for (let tries = 1; ; tries++) {
    const answer = await create({ recipient });
    if (answer.status !== 201 || tries === TRIES_MAX) return answer;
  }
}

const NOT_TEXT = [null, 1, true, [], {}, ["a"]];

test("§4.1 each of the five fields without a default is required; metadata is not", async () => {
  for (const name of ["recipient", "amount", "asset", "protectionPeriod", "merchantReference"])
    assertError(await create({ [name]: undefined }), 400, "invalid_request", name);
  const { metadata, description, returnUrl } = await shop.create();
  assert.deepEqual([metadata, description, returnUrl], [{}, null, null]);
});

test("§2.1 description: 1 to 500 code points, no control characters, something to see", async () => {
  await allRefused("description", [
    "\u200b \u2060\ufeff\u202e",
    "",
    " ",
    "\u2003",
    "a\nb",
    "a\u0000b",
    "\u0085",
    "😀".repeat(501),
    ...NOT_TEXT.slice(1),
  ]);
  for (const description of [null, "x", " 2 × Beans ", "😀".repeat(500), "<b>&", "\u202edesrever"])
    assert.equal((await shop.create({ description })).description, description);
});

test("§4.1.7 returnUrl: the business's own host, in its normal form, or loopback on a local chain", async () => {
  const refused = [
    "",
    "x",
    "http://shop.example/",
    "https://shop.example/#a",
    "https://u:p@shop.example/",
    "https://shop.example/{x}",
  ];
  await allRefused("returnUrl", [...refused, `https://localhost/${"a".repeat(2_048)}`, ...NOT_TEXT.slice(1)]);
  await allRefused("returnUrl", ["https://orders.example/", "https://www.shop-demo.com/"]);
  assert.match(
    (await create({ returnUrl: "https://orders.example/" })).json.error.message,
    /the domain that this business has proven/,
  );
  await admin(service, "business", "set", shop.business, "--return-url", "https://www.shop-demo.com/orders/{intentId}");
  for (const [given, kept] of [
    ["https://WWW.shop-demo.com", "https://www.shop-demo.com/"],
    ["https://www.shop-demo.com/a?r={merchantReference}", "https://www.shop-demo.com/a?r={merchantReference}"],
    ["http://localhost:3000/{intentId}", "http://localhost:3000/{intentId}"],
  ]) {
    const { id, returnUrl } = await shop.create({ returnUrl: given });
    assert.deepEqual([returnUrl, (await shop.intent(id)).returnUrl], [kept, kept]);
    const [event] = (await shop.get(`/events?intent=${id}`)).json.data;
    assert.equal(event.data.object.returnUrl, kept);
  }
});

test("§12.19 locale: a BCP 47 tag in its canonical form, of a language that this service has or not", async () => {
  await allRefused("locale", ["", "x", "de_DE", "en-", `de-${"a".repeat(33)}`, ...NOT_TEXT.slice(1)]);
  for (const [given, kept] of [
    ["DE", "de"],
    ["pt-br", "pt-BR"],
    ["tlh", "tlh"],
    [null, null],
  ]) {
    const { id, locale } = await shop.create({ locale: given });
    assert.deepEqual([locale, (await shop.intent(id)).locale], [kept, kept]);
  }
});

test("§2.1 amount: digits from 1 to 2^64−1, nothing else", async () => {
  const refused = [
    "",
    "0",
    "00",
    "01",
    "+1",
    "-1",
    "1.0",
    "1.5",
    "1e3",
    "0x1",
    " 1",
    "1 ",
    "1_000",
    "1,000",
    "１２",
    "٣",
  ];
  await allRefused("amount", [...refused, "18446744073709551616", "9".repeat(21), "9".repeat(400), ...NOT_TEXT]);
  for (const amount of ["1", "9007199254740993", "18446744073709551615"])
    assert.equal((await shop.create({ amount })).amount, amount);
});

/** Base58 of 31, 33 and 64 bytes, and with the four letters it leaves out. */
const NO_ADDRESSES = [
  "",
  "1".repeat(31),
  "1".repeat(33),
  "4".repeat(43) + "4".repeat(2),
  "0".repeat(32),
  "O".repeat(32),
  "I".repeat(43),
  "l".repeat(43),
  "0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae",
  "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  "alice.sol",
  "a".repeat(10_000),
  "\u0000",
];

test("§2.1 recipient: base58 of 32 bytes", async () => {
  await allRefused("recipient", [...NO_ADDRESSES, ` ${service.recipient}`, `${service.recipient}\n`, ...NOT_TEXT]);
});

test("§4.1.3 recipient: no program, mint or token account, but a vault off the curve is fine", async () => {
  for (const nobodys of [
    service.programId,
    service.asset,
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
    "11111111111111111111111111111111",
    "So11111111111111111111111111111111111111112",
  ])
    assertError(await judge(nobodys), 400, "invalid_request", "recipient");
  const { programId, recipient } = service;
  const vault = await findOperatorAddress({ programId, authority: recipient });
  assert.equal((await shop.create({ recipient: vault })).recipient, vault);
});

test("§4.1.3 recipient: no address that nobody can sign for", async () => {
  const nobodys = ["1nc1nerator11111111111111111111111111111111", "SysvarC1ock11111111111111111111111111111111"];
  await allRefused("recipient", nobodys);
  assert.match((await create({ recipient: nobodys[0] })).json.error.message, /Nobody can sign for this address/);
});

test("§4.1.3 recipient: no account of the escrow program", async () => {
  const { payment } = await pay(service, await shop.create());
  for (const recipient of [payment, service.operator]) {
    const { message } = assertError(await judge(recipient), 400, "invalid_request", "recipient");
    assert.match(message, /an account of the escrow program/);
  }
});

test("§2.1 asset: base58 of 32 bytes, the address of a mint", async () => {
  await allRefused("asset", [...NO_ADDRESSES, ...NOT_TEXT]);
  await allRefused("asset", [service.recipient, service.wallets.arbiter.address, service.programId]);
  const PYUSD = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";
  const WRAPPED_SOL = "So11111111111111111111111111111111111111112";
  for (const asset of [PYUSD, WRAPPED_SOL]) assert.equal((await shop.create({ asset })).asset, asset);
});

test("§4.1 protectionPeriod: one of the six", async () => {
  await allRefused("protectionPeriod", [
    "",
    "oneWeek",
    "OneDay",
    "oneday",
    " oneDay",
    "toString",
    "__proto__",
    ...NOT_TEXT,
  ]);
  for (const protectionPeriod of PERIODS)
    assert.equal((await shop.create({ protectionPeriod })).protectionPeriod, protectionPeriod);
});

test("§2.1 merchantReference: 1 to 255 code points, no control characters, no spaces at the ends", async () => {
  const spaces = [" ", "   ", " a", "a ", "\u00a0a", "a\u3000", "a\u2028"];
  const controls = ["a\u0000b", "a\nb", "a\tb", "\u007f", "a\u0085b", "\u001b[31m"];
  await allRefused("merchantReference", ["", ...spaces, ...controls, "a".repeat(256), "😀".repeat(256), ...NOT_TEXT]);
  for (const merchantReference of [
    "x",
    "a".repeat(255),
    "😀".repeat(255),
    "a b",
    "\u202edesrever",
    "'; drop table intents; --",
    "=HYPERLINK(1)",
    "%00",
  ])
    assert.equal((await shop.create({ merchantReference })).merchantReference, merchantReference);
});

test("§11.10 an escaped NUL or a lone surrogate names its field", async () => {
  for (const source of [String.raw`"a\u0000"`, String.raw`"\ud800"`, String.raw`"\udc00\ud800"`])
    for (const name of ["recipient", "amount", "asset", "protectionPeriod", "merchantReference"])
      assertError(await createRaw(name, source), 400, "invalid_request", name);
  for (const source of [
    String.raw`{"a":"\u0000"}`,
    String.raw`{"\ud800":1}`,
    String.raw`{"a":[{"b":"x\udfff"}]}`,
    String.raw`{"a\u0000b":1}`,
  ])
    assertError(await createRaw("metadata", source), 400, "invalid_request", "metadata");
});

test("§2.1 metadata: an object, and nothing else", async () => {
  for (const source of ["null", "1", '"{}"', "[]", "true", "[{}]"])
    assertError(await createRaw("metadata", source), 400, "invalid_request", "metadata");
});

test("§4.1.1 an unknown field is refused by its name, after the known ones", async () => {
  for (const name of ["Amount", "id", "paymentId", "status", "__proto__", "constructor", "", "é"]) {
    assertError(await createRaw(name, "1"), 400, "invalid_request", name);
  }
  assertError(await create({ unknown: 1, amount: "0" }), 400, "invalid_request", "amount");
});

test("§4.1.1 the first wrong field in the document's order is the one reported", async () => {
  const wrong = {
    recipient: "",
    amount: "",
    asset: "",
    protectionPeriod: "",
    merchantReference: "",
    metadata: 1,
    description: "",
    returnUrl: "",
  };
  const names = Object.keys(wrong) as (keyof typeof wrong)[];
  for (const [index, name] of names.entries()) {
    const terms = Object.fromEntries(names.slice(index).map((later) => [later, wrong[later]]));
    // Sent the other way round: the document's order decides, not the body's.
    const reversed = Object.fromEntries(Object.entries(someTerms(service, terms)).toReversed());
    assertError(await shop.call("POST", "/payment-intents", reversed), 400, "invalid_request", name);
  }
  const chainLast = { asset: service.recipient, recipient: service.programId, merchantReference: "" };
  assertError(await create(chainLast), 400, "invalid_request", "merchantReference");
});

test("§4.1 a hundred creates at once all succeed, each with ids of its own", async () => {
  const made = await Promise.all(Array.from({ length: 100 }, () => shop.create()));
  for (const field of ["id", "paymentId"]) assert.equal(new Set(made.map((intent) => intent[field])).size, 100);
});
