import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  acceptArbiterInstruction,
  closePaymentInstruction,
  createOperatorInstruction,
  createPaymentInstruction,
  findOperatorAddress,
  INSTRUCTION_KINDS,
  openDisputeInstruction,
  PROGRAM_ERRORS,
  type ProgramErrorName,
  type ProgramInstruction,
  proposeArbiterInstruction,
  refundInstruction,
  refundUnresolvedInstruction,
  releaseInstruction,
  resolveInstruction,
  SYSTEM_PROGRAM_ID,
  settleInstruction,
  TOKEN_2022_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address } from "@solana/kit";
import {
  AMOUNT,
  aFeeMint,
  aMint,
  anotherAccount,
  anyAddress,
  aPayment,
  aWorld,
  type Chain,
  freeze,
  give,
  type Paid,
  pay,
  START,
  signer,
  tokenAccountOf,
  tokenInstruction,
  writable,
} from "./chain.ts";

const DAY = 86_400n;
const seen = new Set<string>();

/** The program answers with this refusal, by its number as well as by its name. */
function refuses(chain: Chain, expected: ProgramErrorName, instruction: ProgramInstruction): void {
  const sent = chain.send(instruction);
  assert.equal(sent.ok, false, `was not refused (${expected} expected)`);
  const [code] = Object.entries(PROGRAM_ERRORS).find(([, [name]]) => name === expected)!;
  assert.equal(!sent.ok && sent.code, Number(code), `${expected}: ${chain.refused(instruction)}`);
  seen.add(expected);
}

const withAccount = (of: ProgramInstruction, index: number, address: Address): ProgramInstruction => ({
  ...of,
  accounts: of.accounts.map((meta, at) => (at === index ? { ...meta, address } : meta)),
});
const unsigned = (of: ProgramInstruction, index: number): ProgramInstruction => ({
  ...of,
  accounts: of.accounts.map((meta, at) => (at === index ? { ...meta, role: AccountRole.READONLY } : meta)),
});
const withData = (of: ProgramInstruction, data: number[]): ProgramInstruction => ({
  ...of,
  data: Uint8Array.from(data),
});
const truncated = (of: ProgramInstruction, accounts: number): ProgramInstruction => ({
  ...of,
  accounts: of.accounts.slice(0, accounts),
});

const dispute = (paid: Paid) => openDisputeInstruction({ programId: paid.chain.programId, payment: paid.payment });
const payout = (paid: Paid) => ({ programId: paid.chain.programId, payment: paid.payment, payer: paid.chain.feePayer });
const resolve = (paid: Paid) => resolveInstruction({ ...payout(paid), arbiter: paid.arbiter, to: "sender" });

async function due(paid: Promise<Paid> = aPayment()): Promise<Paid> {
  const it = await paid;
  it.chain.setTime(START + DAY);
  return it;
}

async function disputed(): Promise<Paid> {
  const paid = await aPayment();
  paid.chain.done(dispute(paid));
  return paid;
}

async function paidOut(): Promise<Paid> {
  const paid = await aPayment();
  paid.chain.done(await releaseInstruction(payout(paid)));
  return paid;
}

/** One of each instruction, built for this payment. */
async function everyInstruction(paid: Paid): Promise<ProgramInstruction[]> {
  const { programId } = paid.chain;
  const { authority, arbiter, operator, payment } = paid;
  return [
    await createOperatorInstruction({ programId, authority, arbiter }),
    await proposeArbiterInstruction({ programId, authority, arbiter }),
    acceptArbiterInstruction({ programId, operator, arbiter }),
    await createPaymentInstruction(paid.offer),
    dispute(paid),
    await resolve(paid),
    await releaseInstruction(payout(paid)),
    await refundInstruction(payout(paid)),
    await settleInstruction(payout(paid)),
    await refundUnresolvedInstruction(payout(paid)),
    closePaymentInstruction({ programId, payment }),
  ];
}

test("every payment instruction names the operator first, read-only, and the payment second, writable", async () => {
  const paid = await aPayment();
  for (const { accounts } of (await everyInstruction(paid)).slice(3)) {
    assert.deepEqual(accounts[0], { address: paid.operator, role: AccountRole.READONLY });
    assert.deepEqual(accounts[1], { address: paid.payment.address, role: AccountRole.WRITABLE });
  }
});

test("unknown_instruction: empty data and numbers past the last", async () => {
  const paid = await aPayment();
  refuses(paid.chain, "unknown_instruction", withData(dispute(paid), []));
  refuses(paid.chain, "unknown_instruction", withData(dispute(paid), [INSTRUCTION_KINDS.length]));
  refuses(paid.chain, "unknown_instruction", withData(dispute(paid), [255]));
});

test("malformed_instruction: every instruction refuses one byte more and one byte less", async () => {
  const paid = await aPayment();
  for (const instruction of await everyInstruction(paid)) {
    const data = [...instruction.data];
    refuses(paid.chain, "malformed_instruction", withData(instruction, [...data, 0]));
    if (data.length > 1) refuses(paid.chain, "malformed_instruction", withData(instruction, data.slice(0, -1)));
  }
  refuses(paid.chain, "malformed_instruction", withData(await resolve(paid), [5, 2]));
});

test("missing_accounts: every instruction refuses a shorter list", async () => {
  const paid = await due();
  for (const [number, instruction] of (await everyInstruction(paid)).entries()) {
    if (INSTRUCTION_KINDS[number] === "refund_unresolved") continue; // Not disputed: its state is refused first.
    refuses(paid.chain, "missing_accounts", truncated(instruction, 0));
    refuses(paid.chain, "missing_accounts", truncated(instruction, instruction.accounts.length - 1));
  }
});

test("missing_signature: every party that must agree must sign", async () => {
  const fresh = await aWorld();
  const { programId } = fresh.chain;
  const another = { programId, authority: anyAddress(), arbiter: anyAddress(), payer: fresh.chain.feePayer };
  refuses(fresh.chain, "missing_signature", unsigned(await createOperatorInstruction(another), 1));
  // One payer for both would let the payer's signature count for the sender.
  const bySponsor = { ...fresh.offer, payer: fresh.chain.feePayer };
  refuses(fresh.chain, "missing_signature", unsigned(await createPaymentInstruction(bySponsor), 2));
  const sponsored = { ...fresh.offer, payer: anyAddress() };
  refuses(fresh.chain, "missing_signature", unsigned(await createPaymentInstruction(sponsored), 3));
  const propose = await proposeArbiterInstruction({ programId, authority: fresh.authority, arbiter: anyAddress() });
  refuses(fresh.chain, "missing_signature", unsigned(propose, 1));
  fresh.chain.done(
    await proposeArbiterInstruction({ programId, authority: fresh.authority, arbiter: another.arbiter }),
  );
  const accept = acceptArbiterInstruction({ programId, operator: fresh.operator, arbiter: another.arbiter });
  refuses(fresh.chain, "missing_signature", unsigned(accept, 1));

  const paid = await pay(fresh);
  refuses(fresh.chain, "missing_signature", unsigned(dispute(paid), 2));
  refuses(fresh.chain, "missing_signature", unsigned(await releaseInstruction(payout(paid)), 11));
  refuses(fresh.chain, "missing_signature", unsigned(await refundInstruction(payout(paid)), 11));
  fresh.chain.done(dispute(paid));
  refuses(fresh.chain, "missing_signature", unsigned(await resolve(paid), 11));
  const gone = await paidOut();
  const close = closePaymentInstruction({ programId, payment: gone.payment });
  refuses(gone.chain, "missing_signature", unsigned(close, 2));

  const owed = await due();
  const settle = await settleInstruction({ ...payout(owed), payer: anyAddress() });
  refuses(owed.chain, "missing_signature", unsigned(settle, 2));
});

test("not_an_operator: accounts of other owners, kinds, sizes and tags", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const bytes = chain.data(paid.operator)!;
  const foreign = anyAddress();
  chain.plant(foreign, SYSTEM_PROGRAM_ID, bytes);
  const [otherTag, otherVersion, longer] = [anyAddress(), anyAddress(), anyAddress()];
  chain.plant(otherTag, chain.programId, bytes.with(0, 2));
  chain.plant(otherVersion, chain.programId, bytes.with(1, 2));
  chain.plant(longer, chain.programId, Uint8Array.from([...bytes, 0]));
  for (const fake of [anyAddress(), paid.payment.address, foreign, otherTag, otherVersion, longer]) {
    for (const instruction of (await everyInstruction(paid)).slice(1)) {
      refuses(chain, "not_an_operator", withAccount(instruction, 0, fake));
    }
  }
});

test("not_a_payment: accounts of other owners, kinds, sizes and tags", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const bytes = chain.data(paid.payment.address)!;
  const [foreign, otherTag, otherVersion, longer] = [anyAddress(), anyAddress(), anyAddress(), anyAddress()];
  chain.plant(foreign, SYSTEM_PROGRAM_ID, bytes);
  chain.plant(otherTag, chain.programId, bytes.with(0, 1));
  chain.plant(otherVersion, chain.programId, bytes.with(1, 2));
  chain.plant(longer, chain.programId, Uint8Array.from([...bytes, 0]));
  for (const fake of [anyAddress(), paid.operator, foreign, otherTag, otherVersion, longer]) {
    for (const instruction of (await everyInstruction(paid)).slice(4)) {
      refuses(chain, "not_a_payment", withAccount(instruction, 1, fake));
    }
  }
});

test("wrong_operator: a payment answers only to its own operator", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const other = { programId: chain.programId, authority: anyAddress(), arbiter: paid.arbiter, payer: chain.feePayer };
  chain.done(await createOperatorInstruction(other));
  const operator = await findOperatorAddress(other);
  for (const instruction of (await everyInstruction(paid)).slice(4)) {
    refuses(chain, "wrong_operator", withAccount(instruction, 0, operator));
  }
});

test("wrong_address: new accounts stand only at their derived address", async () => {
  const { chain, offer } = await aWorld();
  const operator = {
    programId: chain.programId,
    authority: anyAddress(),
    arbiter: anyAddress(),
    payer: chain.feePayer,
  };
  refuses(chain, "wrong_address", withAccount(await createOperatorInstruction(operator), 0, anyAddress()));
  refuses(chain, "wrong_address", withAccount(await createPaymentInstruction(offer), 1, anyAddress()));
});

test("operator_exists: an authority has one operator", async () => {
  const { chain, authority } = await aWorld();
  const again = { programId: chain.programId, authority, arbiter: anyAddress() };
  refuses(chain, "operator_exists", await createOperatorInstruction(again));
});

test("invalid_arbiter: an operator begins with an arbiter", async () => {
  const { chain } = await aWorld();
  const without = { programId: chain.programId, authority: anyAddress(), payer: chain.feePayer };
  refuses(chain, "invalid_arbiter", await createOperatorInstruction({ ...without, arbiter: SYSTEM_PROGRAM_ID }));
});

test("wrong_authority: nobody else proposes an arbiter", async () => {
  const { chain, authority, sender } = await aWorld();
  const { programId } = chain;
  const propose = await proposeArbiterInstruction({ programId, authority, arbiter: sender });
  refuses(chain, "wrong_authority", withAccount(propose, 1, sender));
});

test("not_proposed: nobody else accepts, and nobody when nothing is proposed", async () => {
  const { chain, authority, operator, sender } = await aWorld();
  const { programId } = chain;
  refuses(chain, "not_proposed", acceptArbiterInstruction({ programId, operator, arbiter: sender }));
  refuses(chain, "not_proposed", acceptArbiterInstruction({ programId, operator, arbiter: SYSTEM_PROGRAM_ID }));
  chain.done(await proposeArbiterInstruction({ programId, authority, arbiter: anyAddress() }));
  refuses(chain, "not_proposed", acceptArbiterInstruction({ programId, operator, arbiter: sender }));
});

test("payment_exists: the same sender and id, open or paid out", async () => {
  for (const paid of [await aPayment(), await paidOut()]) {
    refuses(paid.chain, "payment_exists", await createPaymentInstruction({ ...paid.offer, amount: 1n }));
  }
});

test("payment_closed: nothing happens to a tombstone", async () => {
  const paid = await paidOut();
  const close = closePaymentInstruction({ programId: paid.chain.programId, payment: paid.payment });
  paid.chain.setTime(START + 90n * DAY);
  paid.chain.done(close);
  for (const instruction of (await everyInstruction(paid)).slice(4)) refuses(paid.chain, "payment_closed", instruction);
});

test("sender_is_recipient, invalid_recipient, zero_amount, invalid_period, offer_expired: impossible terms", async () => {
  const { chain, offer } = await aWorld();
  refuses(chain, "sender_is_recipient", await createPaymentInstruction({ ...offer, recipient: offer.sender }));
  const create = await createPaymentInstruction(offer);
  refuses(chain, "invalid_recipient", withAccount(create, 4, create.accounts[1]!.address));
  refuses(chain, "zero_amount", await createPaymentInstruction({ ...offer, amount: 0n }));
  for (const period of [6, 255]) {
    const data = [...create.data].with(17, period);
    refuses(chain, "invalid_period", withData(create, data));
  }
  for (const notAfter of [START - 1n, 1n, -1n, -(2n ** 63n)]) {
    refuses(chain, "offer_expired", await createPaymentInstruction({ ...offer, notAfter }));
  }
});

test("wrong_token_program, wrong_mint, wrong_vault: on creating", async () => {
  const world = await aWorld();
  const { chain, offer } = world;
  const create = await createPaymentInstruction(offer);
  refuses(chain, "wrong_token_program", withAccount(create, 8, SYSTEM_PROGRAM_ID));
  refuses(chain, "wrong_mint", withAccount(create, 8, TOKEN_2022_PROGRAM_ID));
  refuses(chain, "wrong_mint", withAccount(create, 5, anyAddress()));
  refuses(
    chain,
    "wrong_vault",
    withAccount(create, 7, anotherAccount(chain, world.token, create.accounts[1]!.address)),
  );
});

test("amount_not_received: a token that takes a fee", async () => {
  const { chain, offer } = await aWorld({ token: (on) => aFeeMint(on, 100) });
  refuses(chain, "amount_not_received", await createPaymentInstruction(offer));
});

test("wrong_sender, wrong_recipient, wrong_arbiter: nobody acts for another", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  refuses(chain, "wrong_sender", withAccount(dispute(paid), 2, paid.recipient));
  refuses(chain, "wrong_sender", withAccount(await releaseInstruction(payout(paid)), 11, paid.recipient));
  refuses(chain, "wrong_recipient", withAccount(await refundInstruction(payout(paid)), 11, paid.sender));
  chain.done(dispute(paid));
  for (const other of [paid.sender, paid.recipient, paid.authority, anyAddress()]) {
    refuses(chain, "wrong_arbiter", withAccount(await resolve(paid), 11, other));
  }
  const gone = await paidOut();
  const close = closePaymentInstruction({ programId: gone.chain.programId, payment: gone.payment });
  refuses(gone.chain, "wrong_sender", withAccount(close, 2, gone.recipient));
});

test("already_disputed: no second dispute, and no settling in a dispute", async () => {
  const paid = await disputed();
  refuses(paid.chain, "already_disputed", dispute(paid));
  paid.chain.setTime(START + DAY);
  refuses(paid.chain, "already_disputed", await settleInstruction(payout(paid)));
});

test("not_disputed: without a dispute the arbiter has no say, and nothing is unresolved", async () => {
  const paid = await aPayment();
  refuses(paid.chain, "not_disputed", await resolve(paid));
  refuses(paid.chain, "not_disputed", await refundUnresolvedInstruction(payout(paid)));
});

test("already_paid_out: the funds leave once", async () => {
  const paid = await paidOut();
  paid.chain.setTime(START + 200n * DAY);
  for (const instruction of (await everyInstruction(paid)).slice(4, -1)) {
    refuses(paid.chain, "already_paid_out", instruction);
  }
});

test("not_paid_out: an open payment cannot be closed", async () => {
  for (const paid of [await aPayment(), await disputed()]) {
    paid.chain.setTime(START + 200n * DAY);
    const close = closePaymentInstruction({ programId: paid.chain.programId, payment: paid.payment });
    refuses(paid.chain, "not_paid_out", close);
  }
});

test("protection_over, protection_running, arbitration_over, arbitration_running, retention_running: the wrong time", async () => {
  const paid = await aPayment();
  refuses(paid.chain, "protection_running", await settleInstruction(payout(paid)));
  paid.chain.setTime(START + DAY);
  refuses(paid.chain, "protection_over", dispute(paid));
  const open = await disputed();
  refuses(open.chain, "arbitration_running", await refundUnresolvedInstruction(payout(open)));
  open.chain.setTime(START + 90n * DAY);
  refuses(open.chain, "arbitration_over", await resolve(open));
  const gone = await paidOut();
  const close = closePaymentInstruction({ programId: gone.chain.programId, payment: gone.payment });
  refuses(gone.chain, "retention_running", close);
});

test("wrong_sender, wrong_beneficiary, wrong_mint, wrong_token_program: a payout's other accounts", async () => {
  const paid = await due();
  const { chain } = paid;
  const settle = await settleInstruction(payout(paid));
  refuses(chain, "wrong_sender", withAccount(settle, 3, chain.feePayer));
  refuses(chain, "wrong_beneficiary", withAccount(settle, 4, paid.sender));
  refuses(chain, "wrong_mint", withAccount(settle, 7, aMint(chain).mint));
  refuses(chain, "wrong_token_program", withAccount(settle, 8, TOKEN_2022_PROGRAM_ID));
});

test("wrong_vault: another token account of the payment's does not do", async () => {
  const paid = await due();
  const other = anotherAccount(paid.chain, paid.token, paid.payment.address);
  refuses(paid.chain, "wrong_vault", withAccount(await settleInstruction(payout(paid)), 6, other));
});

test("wrong_destination: neither another's account, nor another mint's, nor the beneficiary's own without their signature", async () => {
  const paid = await due();
  const { chain, token, recipient } = paid;
  const settle = await settleInstruction(payout(paid));
  const signed = await settleInstruction({ ...payout(paid), destination: anotherAccount(chain, token, paid.sender) });
  refuses(chain, "wrong_destination", signed);
  const otherMint = await give(chain, aMint(chain), recipient, 0n);
  refuses(chain, "wrong_destination", await settleInstruction({ ...payout(paid), destination: otherMint }));
  refuses(chain, "wrong_destination", await settleInstruction({ ...payout(paid), destination: anyAddress() }));
  refuses(chain, "wrong_destination", await settleInstruction({ ...payout(paid), destination: paid.vault }));
  refuses(chain, "wrong_destination", withAccount(settle, 5, anotherAccount(chain, token, recipient)));
  const [foreign, short] = [anyAddress(), anyAddress()];
  const bytes = chain.data(anotherAccount(chain, token, recipient))!;
  chain.plant(foreign, SYSTEM_PROGRAM_ID, bytes);
  chain.plant(short, token.tokenProgram, bytes.slice(0, -1));
  for (const destination of [foreign, short]) {
    refuses(chain, "wrong_destination", await settleInstruction({ ...payout(paid), destination }));
  }
});

test("wrong_destination: an associated account whose owner gave it away is not theirs any more", async () => {
  const paid = await due();
  const { chain, token, recipient } = paid;
  const account = await give(chain, token, recipient, 0n);
  const newOwner = new Uint8Array(32).fill(9);
  chain.done(tokenInstruction(token, [writable(account), signer(recipient)], [6, 2, 1, ...newOwner]));
  refuses(chain, "wrong_destination", await settleInstruction(payout(paid)));
});

test("vault_short: a vault someone emptied pays nothing out", async () => {
  const paid = await due();
  const vault = paid.chain.data(paid.vault)!;
  new DataView(vault.buffer).setBigUint64(64, AMOUNT - 1n, true);
  paid.chain.plant(paid.vault, paid.token.tokenProgram, vault);
  refuses(paid.chain, "vault_short", await settleInstruction(payout(paid)));
});

test("destination_frozen, vault_frozen: the token's issuer holds an account", async () => {
  const paid = await due();
  const { chain, token, recipient } = paid;
  const account = await give(chain, token, recipient, 0n);
  chain.done(freeze(token, account));
  refuses(chain, "destination_frozen", await settleInstruction(payout(paid)));
  chain.done(freeze(token, paid.vault));
  refuses(chain, "vault_frozen", await settleInstruction(payout(paid)));
});

test("the sender's own token account must hold the funds, and be theirs", async () => {
  const { chain, token, offer, recipient } = await aWorld();
  const tooMuch = chain.refused(await createPaymentInstruction({ ...offer, amount: 2n ** 64n - 1n }));
  assert.match(tooMuch, /Custom\(1\)/, "insufficient funds, in the token program's words");
  const source = await give(chain, token, recipient, AMOUNT);
  assert.match(chain.refused(await createPaymentInstruction({ ...offer, source })), /Custom\(4\)/, "owner mismatch");
  assert.equal(chain.tokens(await tokenAccountOf(token, offer.sender)) > 0n, true);
});

after(() => {
  const unseen = Object.values(PROGRAM_ERRORS)
    .map(([name]) => name)
    .filter((name) => !seen.has(name));
  assert.deepEqual(unseen, [], "refusals that no test provoked");
});
