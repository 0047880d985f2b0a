import assert from "node:assert/strict";
import { test } from "node:test";
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import {
  address,
  type Blockhash,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionSize,
} from "@solana/kit";
import fc from "fast-check";
import { inForm } from "../../../tests/harness/form.ts";
import { ChainUnavailableError, type DuePart } from "../port.ts";
import { realClock } from "./clock.ts";
import { createSolanaSender } from "./sender.ts";
import { compileSettlement, draftParts, fitsInOne, PAY_OUT_MAX, withHarvests } from "./settlement.ts";
import { anAddress, anyTime, at, operator, programId } from "./testing/chain.ts";
import { type FakeNode, rpcError, startFakeNode } from "./testing/fakeNode.ts";

/** The first test key of RFC 8032, which is public. */
const feePayerSecret = Buffer.from(
  "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  "hex",
);
const feePayer = address("FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z");

/** Payments that share only the operator: the largest there are. */
const aPart = (number: number): DuePart => ({
  side: "recipient",
  payment: aPayment(number),
});
const aPayment = (number: number): DuePart["payment"] => ({
  address: anAddress(100 + number),
  operator,
  sender: anAddress(200 + number),
  recipient: anAddress(300 + number),
  asset: anAddress(400 + number),
  tokenProgram: number % 2 === 0 ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID,
  paymentId: "1",
  amount: "1",
  decimals: 6,
  protectionPeriod: "oneHour",
  status: "protected",
  outcome: null,
  createdAt: new Date(0),
  protectionDeadline: new Date(3_600_000),
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  refundTotal: "0",
  amountRefunded: "0",
  amountReleased: "0",
  arbiter: anAddress(600 + number),
  rentPayer: anAddress(500 + number),
  termsHash: null,
});

const transactionOf = ([wire]: readonly unknown[]) =>
  getTransactionDecoder().decode(getBase64Encoder().encode(wire as string));
const signatureOf = (params: readonly unknown[]) =>
  getBase58Decoder().decode(transactionOf(params).signatures[feePayer] ?? new Uint8Array());

/** The fee payer loses 5,000 lamports: the fee of one signature. */
const SIMULATED = {
  err: null,
  logs: [],
  unitsConsumed: 100_000,
  preBalances: [1_000_000, 1, 1],
  postBalances: [995_000, 1, 1],
};

async function startSender(simulation: object = {}, nodes = 1, unitPrice = 0n) {
  const fakes = await Promise.all(Array.from({ length: nodes }, () => startFakeNode()));
  for (const node of fakes) {
    node.answer("getLatestBlockhash", () => at(500, { blockhash: anAddress(1), lastValidBlockHeight: 900 }));
    node.answer("simulateTransaction", () => at(500, { ...SIMULATED, ...simulation }));
    node.answer("sendTransaction", signatureOf);
    node.answer("getMultipleAccounts", ([vaults]) =>
      at(
        500,
        (vaults as string[]).map(() => null),
      ),
    );
  }
  const rpcUrls = fakes.map(({ url }) => url);
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const clock = { ms: 0, now: () => clock.ms, after: realClock.after };
  const sender = await createSolanaSender({
    ...{ rpcUrls, programId, operator, log, feePayerSecret, unitPrice, clock },
    ...{ concurrency: 1, balanceMin: 0n, rentPayers: [anAddress(9)] },
  });
  return {
    sender,
    clock,
    logged,
    nodes: fakes as [FakeNode, FakeNode],
    async [Symbol.asyncDispose]() {
      await Promise.all(fakes.map((fake) => fake[Symbol.asyncDispose]()));
    },
  };
}

test("parts of four payments that share nothing fit into one transaction, signed, with the units the simulation used and a margin", async () => {
  await using world = await startSender({}, 1, 5_000n);
  const { sender, nodes } = world;
  const parts = Array.from({ length: 4 }, (_, number) => aPart(number));
  const sent = await sender.payOut(parts, anyTime);

  assert.deepEqual(
    nodes[0].requests.map(({ method }) => method),
    ["getMultipleAccounts", "getLatestBlockhash", "simulateTransaction", "sendTransaction"],
  );
  const { params } = nodes[0].requests[3]!;
  const transaction = transactionOf(params);
  assert.deepEqual(sent, { kind: "sent", signature: signatureOf(params) });
  assert.ok(getTransactionSize(transaction) <= 1_232, `${getTransactionSize(transaction)} bytes`);
  assert.deepEqual(params[1], { encoding: "base64", skipPreflight: true, maxRetries: 5 });

  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  assert.ok("instructions" in message);
  const data = message.instructions.map((instruction) => Buffer.from(instruction.data ?? []));
  assert.deepEqual([...data.slice(0, 4).map((bytes) => bytes[0])], [8, 8, 8, 8]);
  assert.deepEqual([data[4]?.[0], data[4]?.readUInt32LE(1)], [2, 135_000]);
  assert.deepEqual([data[5]?.[0], data[5]?.readBigUInt64LE(1)], [3, 5_000n]);
});

test("the same parts again, under the same blockhash, are another transaction", async () => {
  await using world = await startSender();
  const [first, second] = [
    await world.sender.payOut([aPart(0)], anyTime),
    await world.sender.payOut([aPart(0)], anyTime),
  ];
  assert.ok(first.kind === "sent" && second.kind === "sent");
  assert.notEqual(first.signature, second.signature);
});

test("a simulation that stops names the part and sends nothing", async () => {
  await using world = await startSender({ err: { InstructionError: [1, { Custom: 7031 }] } });
  assert.deepEqual(await world.sender.payOut([aPart(0), aPart(1)], anyTime), {
    kind: "refused",
    part: aPart(1),
    reason: "protection_running: The protection deadline has not been reached.",
  });
  assert.ok(world.nodes[0].requests.every(({ method }) => method !== "sendTransaction"));
});

test("a part that another transaction paid out first is overtaken, not refused", async () => {
  await using world = await startSender({ err: { InstructionError: [0, { Custom: 7041 }] } });
  assert.deepEqual(await world.sender.payOut([aPart(0)], anyTime), { kind: "overtaken", part: aPart(0) });
});

test("a fee payer without funds is no payment's fault", async () => {
  await using world = await startSender({ err: "InsufficientFundsForFee" });
  assert.deepEqual(await world.sender.payOut([aPart(0)], anyTime), {
    kind: "fee_payer",
    reason: "InsufficientFundsForFee",
  });
});

test("a transaction that fails as a whole is refused without naming a part", async () => {
  await using world = await startSender({ err: { InsufficientFundsForRent: { account_index: 4 } } });
  assert.deepEqual(await world.sender.payOut([aPart(0), aPart(1)], anyTime), {
    kind: "refused",
    part: null,
    reason: "InsufficientFundsForRent",
  });
});

test("the fee payer never loses more than the fee, and may gain", async () => {
  await using world = await startSender({ postBalances: [994_999, 1, 1] });
  assert.deepEqual(await world.sender.payOut([aPart(0)], anyTime), {
    kind: "refused",
    part: null,
    reason: "it would cost the fee payer 1 lamports beyond the fee",
  });
  assert.ok(world.nodes[0].requests.every(({ method }) => method !== "sendTransaction"));
  world.nodes[0].answer("simulateTransaction", () => at(500, { ...SIMULATED, postBalances: [2_000_000, 1, 1] }));
  assert.equal((await world.sender.payOut([aPart(0)], anyTime)).kind, "sent");
  assert.equal(world.sender.lastBalance, 2_000_000n);
});

test("the price of units is part of the fee", async () => {
  await using world = await startSender({ postBalances: [994_000, 1, 1] }, 1, 5_000n);
  assert.equal((await world.sender.payOut([aPart(0)], anyTime)).kind, "sent");
  world.nodes[0].answer("simulateTransaction", () => at(500, { ...SIMULATED, postBalances: [993_999, 1, 1] }));
  assert.equal((await world.sender.payOut([aPart(0)], anyTime)).kind, "refused");
});

test("a node that does not show what the fee payer would lose is not asked to send, and named once for what it lacks", async () => {
  await using world = await startSender({ preBalances: null, postBalances: undefined });
  for (let tries = 0; tries < 2; tries++) {
    await assert.rejects(world.sender.payOut([aPart(0)], anyTime), ChainUnavailableError);
    await world.sender.payOut([aPart(0)], anyTime).catch(() => null);
  }
  assert.deepEqual(world.logged, [
    "Node 0 shows no balances in simulations: keeper and sponsor need Agave 3.1 or newer.",
  ]);
  assert.ok(world.nodes[0].requests.every(({ method }) => method !== "sendTransaction"));
});

test("a blockhash serves the transactions of a second, and one that the node has dropped is replaced", async () => {
  await using world = await startSender();
  const { sender, clock, nodes } = world;
  const fetched = () => nodes[0].requests.filter(({ method }) => method === "getLatestBlockhash").length;
  for (let count = 0; count < 3; count++) await sender.payOut([aPart(count)], anyTime);
  assert.equal(fetched(), 1);
  clock.ms += 1_000;
  await sender.payOut([aPart(3)], anyTime);
  assert.equal(fetched(), 2);
  let dropped = true;
  nodes[0].answer("simulateTransaction", () => {
    if (!dropped) return at(500, SIMULATED);
    dropped = false;
    return at(500, { err: "BlockhashNotFound", logs: [] });
  });
  assert.equal((await sender.payOut([aPart(4)], anyTime)).kind, "sent");
  assert.equal(fetched(), 3);
});

/** A token account of Token-2022 whose extensions are an immutable owner and fees withheld. */
function aVaultWith(withheld: bigint) {
  const data = Buffer.alloc(182);
  data[165] = 2;
  data.writeUInt16LE(7, 166);
  data.writeUInt16LE(2, 170);
  data.writeUInt16LE(8, 172);
  data.writeBigUInt64LE(withheld, 174);
  return { data: [data.toString("base64"), "base64"], owner: TOKEN_2022_PROGRAM_ID, executable: false, lamports: 1 };
}

test("§3.2.13 fees withheld in a vault are harvested in front of its part, and a stop still names the part", async () => {
  await using world = await startSender();
  const [node] = world.nodes;
  // The vaults of the two parts of Token-2022, of which the second withholds.
  node.answer("getMultipleAccounts", () => at(500, [aVaultWith(0n), aVaultWith(10n)]));
  const parts = [aPart(0), aPart(1), aPart(3)];
  assert.equal((await world.sender.payOut(parts, anyTime)).kind, "sent");
  const { params } = node.requests.find(({ method }) => method === "sendTransaction")!;
  const message = getCompiledTransactionMessageDecoder().decode(transactionOf(params).messageBytes);
  assert.ok("instructions" in message);
  const data = message.instructions.map((instruction) => Buffer.from(instruction.data ?? []).toString("hex"));
  assert.deepEqual(data.slice(0, 4), ["0800", "0800", "1a04", "0800"]);
  const [, , harvest, last] = message.instructions.map(({ accountIndices }) => accountIndices ?? []);
  assert.equal(harvest![1], last![5], "of the vault that the part is sent from");

  for (const index of [2, 3]) {
    const err = { InstructionError: [index, { Custom: 17 }] };
    node.answer("simulateTransaction", () => at(500, { err, logs: [] }));
    const answer = await world.sender.payOut(parts, anyTime);
    assert.equal(answer.kind === "refused" && answer.part, parts[2]);
  }
});

test("§3.2.13 a sweep that finds nothing due leaves an open vault, so it is refused and not overtaken", async () => {
  await using world = await startSender({ err: { InstructionError: [0, { Custom: 7041 }] } });
  const ended = { ...aPayment(0), status: "released" } as const;
  const parts: DuePart[] = [
    { payment: ended, side: "recipient" },
    { payment: ended, side: "record" },
  ];
  const answer = await world.sender.payOut(parts, anyTime);
  assert.deepEqual([answer.kind, answer.kind === "refused" && answer.part], ["refused", parts[0]]);
  assert.match(answer.kind === "refused" ? answer.reason : "", /^nothing_due: /);
  assert.equal((await world.sender.payOut([aPart(0)], anyTime)).kind, "overtaken", "of a payment that goes on");
});

test("§3.2.13 one key for the keeper and for rents is refused", async () => {
  const settings = {
    rpcUrls: ["http://127.0.0.1:1"],
    programId,
    operator,
    log: () => {},
    feePayerSecret,
    unitPrice: 0n,
  };
  await assert.rejects(
    createSolanaSender({ ...settings, concurrency: 1, balanceMin: 0n, rentPayers: [anAddress(9), feePayer] }),
    /The keeper's key \(FVen3X\w+\) also pays rents.*Give the keeper a key of its own/,
  );
});

test("a record is closed with its rent payer's account, in the order of the parts", async () => {
  await using world = await startSender();
  const record: DuePart = { payment: aPayment(1), side: "record" };
  await world.sender.payOut([aPart(1), record], anyTime);
  const { params } = world.nodes[0].requests.find(({ method }) => method === "sendTransaction")!;
  const message = getCompiledTransactionMessageDecoder().decode(transactionOf(params).messageBytes);
  assert.ok("instructions" in message);
  assert.deepEqual(
    message.instructions.slice(0, 2).map(({ data }) => data?.[0]),
    [8, 9],
  );
  assert.deepEqual([...world.sender.rentPayers], [anAddress(9)]);
});

test("a node that does not know its own blockhash, and one that fails to send, are passed over", async () => {
  await using world = await startSender({}, 2);
  world.nodes[0].answer("simulateTransaction", () => at(500, { err: "BlockhashNotFound", logs: [] }));
  world.nodes[0].answer("sendTransaction", () => rpcError(-32005));
  assert.equal((await world.sender.payOut([aPart(0)], anyTime)).kind, "sent");
});

test("whether a transaction was sent is unknown while no node says so, and that is no reason to send again at once", async () => {
  await using world = await startSender();
  world.nodes[0].answer("sendTransaction", () => "another");
  assert.equal((await world.sender.payOut([aPart(0)], anyTime)).kind, "unknown");
});

test("none, or more than fit, is the caller's mistake", async () => {
  await using world = await startSender();
  await assert.rejects(world.sender.payOut([], anyTime), RangeError);
  await assert.rejects(world.sender.payOut(Array(PAY_OUT_MAX + 1).fill(aPart(0)), anyTime), RangeError);
});

/** Parts whose payments share merchants, tokens, buyers and rent payers in every way; some close records. */
const sharingParts = fc.array(
  fc.record({
    ...{ recipient: fc.nat(2), asset: fc.nat(1), sender: fc.nat(3), rentPayer: fc.nat(3) },
    side: fc.constantFrom("recipient" as const, "recipient" as const, "sender" as const, "record" as const),
  }),
  { minLength: 1, maxLength: PAY_OUT_MAX },
);

test("parts fit into one transaction exactly where it has the bytes for them, and those of one merchant do", async () => {
  const sizeOf = async (parts: readonly DuePart[]) => {
    const instructions = withHarvests(await draftParts(parts, programId), () => true).map(
      ({ instruction }) => instruction,
    );
    const lifetime = { blockhash: anAddress(1) as string as Blockhash, lastValidBlockHeight: 900n };
    return getTransactionSize(
      compileSettlement({ feePayer, instructions, unitPrice: 1n, units: 1_400_000, ...lifetime }),
    );
  };
  await fc.assert(
    fc.asyncProperty(sharingParts, async (shapes) => {
      const parts = shapes.map(({ side, recipient, asset, sender, rentPayer }, number): DuePart => {
        const [shop, token] = [aPayment(recipient), aPayment(asset)];
        const buyer = { sender: aPayment(sender).sender, rentPayer: aPayment(rentPayer).rentPayer };
        const { asset: mint, tokenProgram } = token;
        return {
          side,
          payment: { ...aPayment(number), ...buyer, recipient: shop.recipient, asset: mint, tokenProgram },
        };
      });
      const size = await sizeOf(parts);
      assert.equal(fitsInOne(parts), size <= 1_232, `${size} bytes`);
    }),
    { seed: 16, numRuns: inForm({ short: 15, long: 60 }) },
  );
  const ofOneShop = Array.from({ length: PAY_OUT_MAX }, (_, number): DuePart => {
    const { recipient, asset, tokenProgram } = aPayment(0);
    return { side: "recipient", payment: { ...aPayment(number), recipient, asset, tokenProgram } };
  });
  assert.ok(fitsInOne(ofOneShop), "a merchant's, of as many buyers");
});
