import assert from "node:assert/strict";
import { test } from "node:test";
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import {
  address,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionSize,
} from "@solana/kit";
import { ChainUnavailableError, type DuePart } from "../port.ts";
import { createSolanaSender } from "./sender.ts";
import { anAddress, anyTime, at, operator, programId } from "./testing/chain.ts";
import { type FakeNode, rpcError, startFakeNode } from "./testing/fakeNode.ts";

/** The first test key of RFC 8032: known to everyone. */
const feePayerSecret = Buffer.from(
  "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  "hex",
);
const feePayer = address("FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z");

/** Payments that share nothing but the operator: the largest there are. */
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

async function startSender(simulation: object = {}, nodes = 1, unitPrice = 0n) {
  const fakes = await Promise.all(Array.from({ length: nodes }, () => startFakeNode()));
  for (const node of fakes) {
    node.answer("getLatestBlockhash", () => at(500, { blockhash: anAddress(1), lastValidBlockHeight: 900 }));
    node.answer("simulateTransaction", () => at(500, { err: null, logs: [], unitsConsumed: 100_000, ...simulation }));
    node.answer("sendTransaction", signatureOf);
  }
  const rpcUrls = fakes.map(({ url }) => url);
  const log = () => {};
  const sender = await createSolanaSender({ rpcUrls, programId, operator, log, feePayerSecret, unitPrice });
  return {
    sender,
    nodes: fakes as [FakeNode, FakeNode],
    async [Symbol.asyncDispose]() {
      await Promise.all(fakes.map((fake) => fake[Symbol.asyncDispose]()));
    },
  };
}

test("parts of four payments that share nothing fit into one transaction, signed, with the units the simulation used and a margin", async () => {
  await using world = await startSender({}, 1, 5_000n);
  const { sender, nodes } = world;
  const parts = Array.from({ length: sender.payOutMax }, (_, number) => aPart(number));
  const sent = await sender.payOut(parts, anyTime);

  assert.deepEqual(
    nodes[0].requests.map(({ method }) => method),
    ["getLatestBlockhash", "simulateTransaction", "sendTransaction"],
  );
  const { params } = nodes[0].requests[2]!;
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

test("a simulation that stops names the part and sends nothing", async () => {
  await using world = await startSender({ err: { InstructionError: [1, { Custom: 7031 }] } });
  assert.deepEqual(await world.sender.payOut([aPart(0), aPart(1)], anyTime), {
    kind: "refused",
    part: aPart(1),
    reason: "protection_running: The protection deadline has not been reached.",
  });
  assert.ok(world.nodes[0].requests.every(({ method }) => method !== "sendTransaction"));
});

test("a part that somebody else was first to pay out is no refusal", async () => {
  await using world = await startSender({ err: { InstructionError: [0, { Custom: 7041 }] } });
  assert.deepEqual(await world.sender.payOut([aPart(0)], anyTime), { kind: "overtaken", part: aPart(0) });
});

test("a fee payer without funds is no payment's fault", async () => {
  await using world = await startSender({ err: "InsufficientFundsForFee" });
  await assert.rejects(world.sender.payOut([aPart(0)], anyTime), {
    name: "ChainUnavailableError",
    message: "The fee payer cannot settle: InsufficientFundsForFee.",
  });
});

test("a node that does not know its own blockhash, and one that fails to send, are passed over", async () => {
  await using world = await startSender({}, 2);
  world.nodes[0].answer("simulateTransaction", () => at(500, { err: "BlockhashNotFound", logs: [] }));
  world.nodes[0].answer("sendTransaction", () => rpcError(-32005));
  assert.equal((await world.sender.payOut([aPart(0)], anyTime)).kind, "sent");
});

test("a node that answers with another signature has not sent", async () => {
  await using world = await startSender();
  world.nodes[0].answer("sendTransaction", () => "another");
  await assert.rejects(world.sender.payOut([aPart(0)], anyTime), ChainUnavailableError);
});

test("none, or more than fit, is the caller's mistake", async () => {
  await using world = await startSender();
  await assert.rejects(world.sender.payOut([], anyTime), RangeError);
  await assert.rejects(world.sender.payOut(Array(5).fill(aPart(0)), anyTime), RangeError);
});
