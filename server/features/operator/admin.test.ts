import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { actOnPayment, fundBuyer, payIntent } from "@holdfast/devnet/buyer.ts";
import { awaitSignature, callRpc, sendWire } from "@holdfast/devnet/client.ts";
import { type Devnet, startDevnet } from "@holdfast/devnet/start.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import {
  findOperatorAddress,
  findTokenAccountAddress,
  instructionKind,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  AccountRole,
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from "@solana/kit";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import type { PlainInstruction } from "../../chain/acts.ts";
import type { ChainPayment } from "../../chain/port.ts";
import { createSolanaChain } from "../../chain/solana/reader.ts";
import { type AdminAnswer, findVerb, readLine } from "../../edge/admin.ts";
import { chainToolOpener } from "../../process/chainTool.ts";
import { readKeyFile } from "../../process/keyFile.ts";
import { operatorVerbs } from "./admin.ts";

let folder: string;
let net: Devnet;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-operator-"));
  net = await startDevnet({ dataDir: folder, slotMs: 20, finalizedAfter: 8 });
});
after(async () => {
  await net?.stop();
  await rm(folder, { recursive: true });
});

type Options = Readonly<Record<string, string | boolean>>;
/** Runs the command with the settings of this deployment, and returns its output. */
async function run(
  words: string,
  options: Options = {},
  operator: string = net.operator,
): Promise<AdminAnswer & { result: Result }> {
  const env = { TEST_CHAIN: JSON.stringify({ rpcUrls: net.rpcUrl, programId: net.programId, operator }) };
  const verbs = operatorVerbs({ openTool: chainToolOpener(env, folder), readKeyFile });
  const line = words.split(" ");
  for (const [name, value] of Object.entries(options)) line.push(value === true ? `--${name}` : `--${name}=${value}`);
  const verb = findVerb(verbs, line)!;
  const answer = await verb.read(readLine(verb, line).line)({});
  return answer as AdminAnswer & { result: Result };
}
interface Result {
  readonly signature?: string;
  readonly transaction?: string;
  readonly instructions?: readonly PlainInstruction[];
  readonly operator?: string;
  readonly [name: string]: unknown;
}

async function keyFile(wallet: LocalWallet): Promise<Options> {
  const path = join(folder, `${wallet.address}.json`);
  await writeFile(path, JSON.stringify([...wallet.secret]));
  return { "key-file": path };
}

async function aFundedWallet(): Promise<LocalWallet> {
  const wallet = newWallet();
  await fundBuyer(net.rpcUrl, wallet.address, net.asset, 1_000_000_000n);
  return wallet;
}

/** An operator account of a new authority, created by the command, with a new arbiter. */
async function anOperator() {
  const [authority, arbiter] = [await aFundedWallet(), await aFundedWallet()];
  const { result } = await run("operator create", { arbiter: arbiter.address, ...(await keyFile(authority)) });
  return { authority, arbiter, operator: result.operator as Address };
}

const show = async (operator: string) => (await run("operator show", {}, operator)).result;

test("§10.13 create makes the operator account of the key's address, and says why it would not", async () => {
  const [authority, arbiter] = [newWallet(), newWallet()];
  const options = { arbiter: arbiter.address, ...(await keyFile(authority)) };
  await assert.rejects(
    run("operator create", options),
    /It would fail: the signer pays fee and rent, and has too little SOL/,
  );
  await fundBuyer(net.rpcUrl, authority.address, net.asset, 1n);
  const { result, text } = await run("operator create", options);
  const operator = await findOperatorAddress({ programId: net.programId, authority: authority.address });
  assert.equal(result.operator, operator);
  assert.match(text, new RegExp(`Set operator in TEST_CHAIN to ${operator}`));
  const { authority: shown, arbiter: judge, pendingArbiter } = await show(operator);
  assert.deepEqual([shown, judge, pendingArbiter], [authority.address, arbiter.address, null]);
  await assert.rejects(
    run("operator create", options),
    /operator_exists: This authority already has an operator account/,
  );
});

test("§10.13 a printed transaction has its signer as fee payer, is not sent, and lands once somebody signs it", async () => {
  const authority = await aFundedWallet();
  const options = { arbiter: newWallet().address, authority: authority.address, print: true };
  const { result, text } = await run("operator create", options);
  assert.ok(text.includes(result.transaction!) && text.includes("Not sent."));
  await assert.rejects(show(result.operator!), /is not an operator account/);
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(result.transaction!));
  assert.deepEqual(unsigned.signatures, { [authority.address]: null });
  const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(unsigned.messageBytes);
  assert.equal(staticAccounts[0], authority.address);
  const signature = authority.sign(Uint8Array.from(unsigned.messageBytes));
  const wire = getTransactionEncoder().encode({ ...unsigned, signatures: { [authority.address]: signature } });
  await awaitSignature(net.rpcUrl, await sendWire(net.rpcUrl, Uint8Array.from(wire)), "confirmed");
  assert.equal((await show(result.operator!)).authority, authority.address);
});

test("§10.13 a multisignature's address can be authority, as fee payer of what is printed", async () => {
  const vault = net.operator; // Off the curve, with lamports: no key signs for it.
  await assert.rejects(
    run("operator create", { arbiter: newWallet().address, authority: vault, print: true }),
    /It would fail/,
  );
  const pda = await findOperatorAddress({ programId: net.programId, authority: newWallet().address });
  await fundBuyer(net.rpcUrl, pda, net.asset, 1n);
  const { result } = await run("operator create", { arbiter: newWallet().address, authority: pda, print: true });
  const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(
    getTransactionDecoder().decode(getBase64Encoder().encode(result.transaction!)).messageBytes,
  );
  assert.equal(staticAccounts[0], pda);
  const [instruction] = result.instructions!;
  const signers = instruction!.accounts.filter(({ signer }) => signer).map(({ address }) => address);
  assert.deepEqual([instruction!.programId, ...new Set(signers)], [net.programId, pda]);
});

test("§10.13 an office changes hands by proposal and acceptance, each by the one key that may", async () => {
  const { authority, arbiter, operator } = await anOperator();
  const [next, stranger] = [await aFundedWallet(), await aFundedWallet()];
  const propose = async (words: string, wallet: LocalWallet) =>
    run(`operator propose ${words}`, await keyFile(wallet), operator);
  const accept = async (office: string, wallet: LocalWallet) =>
    run(`operator accept ${office}`, await keyFile(wallet), operator);

  await assert.rejects(
    propose(`arbiter ${next.address}`, stranger),
    new RegExp(`${authority.address} has to sign.*belongs to ${stranger.address}`),
  );
  await assert.rejects(accept("arbiter", next), new RegExp(`No arbiter is proposed .*arbiter is ${arbiter.address}`));
  await propose(`arbiter ${stranger.address}`, authority);
  assert.equal((await show(operator)).pendingArbiter, stranger.address);
  await propose("arbiter none", authority);
  assert.equal((await show(operator)).pendingArbiter, null);
  await propose(`arbiter ${next.address}`, authority);
  await assert.rejects(accept("arbiter", stranger), new RegExp(`${next.address} has to sign`));
  const { text } = await accept("arbiter", next);
  assert.match(text, new RegExp(`arbiter ${next.address} in TEST_CHAIN`));
  assert.deepEqual([(await show(operator)).arbiter, (await show(operator)).pendingArbiter], [next.address, null]);

  await propose(`authority ${next.address}`, authority);
  await accept("authority", next);
  assert.equal((await show(operator)).authority, next.address);
  await assert.rejects(propose("authority none", authority), new RegExp(`${next.address} has to sign`));
});

test("§10.13 show names what stands at a wrong address", async () => {
  await assert.rejects(
    run("operator show", {}, net.addresses.authority),
    new RegExp(`Did you mean its operator account ${net.operator}\\?`),
  );
  await assert.rejects(run("operator show", {}, newWallet().address), /is not an operator account of the program/);
  const { text } = await run("operator show");
  assert.match(text, new RegExp(`arbiter +${net.addresses.arbiter} +\\(a single key\\)`));
});

/** A disputed payment of 25 tokens, to a recipient with or without a token account. */
async function aDisputedPayment(recipient: Address = net.addresses.recipient) {
  const buyer = net.wallets["buyer-1"];
  const terms = {
    paymentId: String(++lastPaymentId),
    recipient,
    amount: "25000000",
    asset: net.asset,
    protectionPeriod: "oneHour" as const,
  };
  const { payment } = await payIntent(net, buyer, terms);
  await actOnPayment(net, buyer, "dispute", payment);
  return payment;
}
let lastPaymentId = 0;

async function readPayment(address: string): Promise<ChainPayment> {
  const reader = createSolanaChain({ ...net, rpcUrls: [net.rpcUrl], log: () => undefined });
  const { value } = await reader.fetchPayments([address], { signal: AbortSignal.timeout(HUNG_MS) });
  return value[0] as ChainPayment;
}

/** Transfers its tokens away and closes it. */
async function closeTokenAccount(owner: LocalWallet, account: Address): Promise<void> {
  const to = await findTokenAccountAddress({
    owner: net.addresses["buyer-1"],
    mint: net.asset,
    tokenProgram: TOKEN_PROGRAM_ID,
  });
  const accounts = [
    { address: account, role: AccountRole.WRITABLE },
    { address: to, role: AccountRole.WRITABLE },
    { address: owner.address, role: AccountRole.READONLY_SIGNER },
  ];
  const transfer = Uint8Array.of(3, ...new Uint8Array(new BigUint64Array([1_000_000_000n]).buffer));
  const signature = net.chain.send(
    [
      { programAddress: TOKEN_PROGRAM_ID, accounts, data: transfer },
      {
        programAddress: TOKEN_PROGRAM_ID,
        accounts: [accounts[0]!, { address: owner.address, role: AccountRole.WRITABLE }, accounts[2]!],
        data: Uint8Array.of(9),
      },
    ],
    owner,
  );
  await awaitSignature(net.rpcUrl, signature, "confirmed");
}

/** The names of a transaction's escrow instructions. */
async function kindsOf(signature: string) {
  const form = { encoding: "base64", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
  const { transaction } = await callRpc<{ transaction: [string] }>(net.rpcUrl, "getTransaction", [signature, form]);
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction[0]));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  assert.ok("instructions" in message);
  return message.instructions.map(({ data }) => instructionKind(data!));
}

test("§3.2 a ruling splits the payment: it is sent alone, then each part by itself", async () => {
  const payment = await aDisputedPayment();
  const key = await keyFile(net.wallets.arbiter);
  const { result, text } = await run(`resolve ${payment} 10000000`, key);
  assert.deepEqual(await kindsOf(result.signature!), ["resolve"]);
  const parts = result.parts as { side: string; signature: string; reason: null }[];
  assert.deepEqual(
    parts.map(({ side, reason }) => [side, reason]),
    [
      ["sender", null],
      ["recipient", null],
    ],
  );
  for (const { signature } of parts) assert.deepEqual(await kindsOf(signature), ["pay_out"]);
  const { status, outcome, amountRefunded, amountReleased } = await readPayment(payment);
  assert.deepEqual([status, outcome, amountRefunded, amountReleased], ["released", "resolved", "10000000", "15000000"]);
  assert.match(text, /the sender .* has 10000000 in the end, and the recipient .* has 15000000/);
  await assert.rejects(run(`resolve ${payment} all`, key), /is already decided \(resolved\)/);
});

test("§3.2 a ruling binds although a part cannot leave, and the command says what that part waits for", async () => {
  const recipient = await aFundedWallet();
  const payment = await aDisputedPayment(recipient.address);
  const account = await findTokenAccountAddress({
    owner: recipient.address,
    mint: net.asset,
    tokenProgram: TOKEN_PROGRAM_ID,
  });
  await closeTokenAccount(recipient, account);
  const { result, text } = await run(`resolve ${payment} none`, await keyFile(net.wallets.arbiter));
  const [part] = result.parts as { side: string; signature: null; reason: string }[];
  assert.deepEqual([part?.side, part?.signature], ["recipient", null]);
  assert.match(text, /The recipient's payout is due but was not sent: It would fail: destination_missing/);
  const { outcome, amountReleased } = await readPayment(payment);
  assert.deepEqual([outcome, amountReleased], ["resolved", "0"]);
});

test("§3.2 a ruling that is not allowed is refused in words, before anything is sent", async () => {
  const key = await keyFile(net.wallets.arbiter);
  const disputed = await aDisputedPayment();
  const { payment: calm } = await payIntent(net, net.wallets["buyer-2"], {
    paymentId: String(++lastPaymentId),
    recipient: net.addresses.recipient,
    amount: "1",
    asset: net.asset,
    protectionPeriod: "oneHour",
  });
  await assert.rejects(run(`resolve ${calm} all`, key), /is not disputed/);
  await assert.rejects(
    run(`resolve ${disputed} 25000001`, key),
    /The total 25000001 is more than the amount of the payment, 25000000/,
  );
  for (const wrong of ["1.5", "01", "half"])
    await assert.rejects(run(`resolve ${disputed} ${wrong}`, key), /digits in the token's smallest unit/);
  await assert.rejects(run(`resolve ${net.asset} all`, key), /The operator .* has no payment at/);
  await assert.rejects(run("resolve pi_test_1 all", key), /The payment must be an address on chain/);
  await assert.rejects(run(`resolve ${disputed} all`, await keyFile(await aFundedWallet())), /has to sign/);
  await assert.rejects(run(`resolve ${disputed} all`), /Specify either --key-file <file> or --print/);
  await assert.rejects(run(`resolve ${disputed} all`, { ...key, print: true }), /Specify either/);
  const { result } = await run(`resolve ${disputed} all`, { print: true });
  assert.ok(result.transaction);
  const { outcome, status } = await readPayment(disputed);
  assert.deepEqual([outcome, status], [null, "disputed"], "nothing was sent");
});

test("§10.13 a key file that is none is named and never quoted; a live chain must be mainnet", async () => {
  const path = join(folder, "broken.json");
  await writeFile(path, "[1,2,3]");
  await assert.rejects(
    run("operator propose arbiter none", { "key-file": path }),
    /The key file .*broken.json is not a JSON array of 64 bytes/,
  );
  const { rpcUrl: rpcUrls, programId, operator } = net;
  const env = { LIVE_CHAIN: JSON.stringify({ rpcUrls, programId, operator }) };
  const open = chainToolOpener(env, folder);
  await assert.rejects(
    open({ environment: "live", ofAuthority: null, unitPrice: 0n }),
    /rpcUrls in LIVE_CHAIN do not point at Solana mainnet/,
  );
  await assert.rejects(open({ environment: "test", ofAuthority: null, unitPrice: 0n }), /No test chain is set/);
});
