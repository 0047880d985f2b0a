import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  acceptInstruction,
  createOperatorInstruction,
  createPaymentInstruction,
  findOperatorAddress,
  HOOK_ACCOUNTS_MAX,
  INSTRUCTION_KINDS,
  PROGRAM_ERRORS,
  type ProgramErrorName,
  type ProgramInstruction,
  payOutInstruction,
  proposeInstruction,
  SYSTEM_PROGRAM_ID,
  TOKEN_2022_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address, getAddressEncoder } from "@solana/kit";
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
import {
  close,
  closeTokenAccount,
  DAY,
  dispute,
  emptyWallet,
  payOut,
  RETENTION,
  refund,
  release,
  resolve,
} from "./scenario.ts";

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

async function due(): Promise<Paid> {
  const paid = await aPayment();
  paid.chain.setTime(START + DAY);
  return paid;
}

async function disputed(): Promise<Paid> {
  const paid = await aPayment();
  paid.chain.done(dispute(paid));
  return paid;
}

async function paidOut(): Promise<Paid> {
  const paid = await aPayment();
  paid.chain.done(release(paid), await payOut(paid, "recipient"));
  return paid;
}

/** Paid out, and old enough to be closed. */
async function retained(): Promise<Paid> {
  const paid = await paidOut();
  paid.chain.setTime(START + RETENTION);
  return paid;
}

/** Builds each instruction once for this payment. */
async function everyInstruction(paid: Paid): Promise<ProgramInstruction[]> {
  const { programId } = paid.chain;
  const { authority, arbiter, operator } = paid;
  return [
    await createOperatorInstruction({ programId, authority, arbiter }),
    proposeInstruction({ programId, operator, authority, role: "arbiter", key: arbiter }),
    acceptInstruction({ programId, operator, role: "arbiter", key: arbiter }),
    await createPaymentInstruction(paid.offer),
    dispute(paid),
    resolve(paid, 1n),
    release(paid),
    refund(paid, 1n),
    await payOut(paid, "recipient"),
    await close(paid),
  ];
}

test("every payment instruction names the operator first, read-only, and the payment second, writable", async () => {
  const paid = await aPayment();
  const all = await everyInstruction(paid);
  assert.deepEqual(
    all.map(({ data }) => data[0]),
    [...INSTRUCTION_KINDS.keys()],
  );
  for (const { accounts } of all.slice(3)) {
    assert.deepEqual(accounts[0], { address: paid.operator, role: AccountRole.READONLY });
    assert.deepEqual(accounts[1], { address: paid.payment.address, role: AccountRole.WRITABLE });
  }
});

test("a decision names operator, payment and who decides, and nothing else", async () => {
  const paid = await aPayment();
  for (const { accounts } of (await everyInstruction(paid)).slice(4, 8)) {
    assert.equal(accounts.length, 3);
    assert.equal(accounts[2]!.role, AccountRole.READONLY_SIGNER);
  }
});

test("unknown_instruction: empty data and numbers past the last", async () => {
  const paid = await aPayment();
  for (const data of [[], [INSTRUCTION_KINDS.length], [255]]) {
    refuses(paid.chain, "unknown_instruction", withData(dispute(paid), data));
  }
});

test("malformed_instruction: every instruction refuses one byte more and one byte less, and a role or side that is none", async () => {
  const paid = await aPayment();
  const all = await everyInstruction(paid);
  for (const instruction of all) {
    const data = [...instruction.data];
    refuses(paid.chain, "malformed_instruction", withData(instruction, [...data, 0]));
    if (data.length > 1) refuses(paid.chain, "malformed_instruction", withData(instruction, data.slice(0, -1)));
  }
  for (const number of [1, 2, 8]) {
    refuses(paid.chain, "malformed_instruction", withData(all[number]!, [...all[number]!.data].with(1, 2)));
  }
});

test("missing_accounts: every instruction refuses a shorter list", async () => {
  const paid = await due();
  for (const instruction of await everyInstruction(paid)) {
    refuses(paid.chain, "missing_accounts", truncated(instruction, 0));
    refuses(paid.chain, "missing_accounts", truncated(instruction, instruction.accounts.length - 1));
  }
});

test("missing_accounts comes before malformed_instruction", async () => {
  const paid = await due();
  for (const instruction of await everyInstruction(paid)) {
    refuses(paid.chain, "missing_accounts", withData(truncated(instruction, 0), [...instruction.data, 0]));
  }
});

test("missing_signature: every party that must agree must sign", async () => {
  const fresh = await aWorld();
  const { chain, operator, authority } = fresh;
  const { programId } = chain;
  const another = { programId, authority: anyAddress(), arbiter: anyAddress(), payer: chain.feePayer };
  refuses(chain, "missing_signature", unsigned(await createOperatorInstruction(another), 1));
  const broke = await createOperatorInstruction({ ...another, payer: anyAddress() });
  refuses(chain, "missing_signature", unsigned(broke, 2));
  // Payer and sender must differ here, else the payer's signature would count for the sender.
  const bySponsor = { ...fresh.offer, payer: chain.feePayer };
  refuses(chain, "missing_signature", unsigned(await createPaymentInstruction(bySponsor), 2));
  const sponsored = { ...fresh.offer, payer: anyAddress() };
  refuses(chain, "missing_signature", unsigned(await createPaymentInstruction(sponsored), 3));
  for (const role of ["authority", "arbiter"] as const) {
    const proposal = proposeInstruction({ programId, operator, authority, role, key: another.arbiter });
    refuses(chain, "missing_signature", unsigned(proposal, 1));
    chain.done(proposal);
    const accept = acceptInstruction({ programId, operator, role, key: another.arbiter });
    refuses(chain, "missing_signature", unsigned(accept, 1));
  }

  const paid = await pay(fresh);
  for (const decision of [dispute(paid), release(paid), refund(paid, 1n), resolve(paid, 1n)]) {
    refuses(chain, "missing_signature", unsigned(decision, 2));
  }
});

test("not_an_operator: accounts of other owners, kinds, sizes, tags and versions", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const bytes = chain.data(paid.operator)!;
  const foreign = anyAddress();
  chain.plant(foreign, SYSTEM_PROGRAM_ID, bytes);
  const [otherTag, otherVersion, longer, first] = [anyAddress(), anyAddress(), anyAddress(), anyAddress()];
  chain.plant(otherTag, chain.programId, bytes.with(0, 2));
  chain.plant(otherVersion, chain.programId, bytes.with(1, 1));
  chain.plant(longer, chain.programId, Uint8Array.from([...bytes, 0]));
  chain.plant(first, chain.programId, bytes.slice(0, 104).with(1, 1));
  for (const fake of [anyAddress(), paid.payment.address, foreign, otherTag, otherVersion, longer, first]) {
    for (const instruction of (await everyInstruction(paid)).slice(1)) {
      refuses(chain, "not_an_operator", withAccount(instruction, 0, fake));
    }
  }
});

test("not_a_payment: accounts of other owners, kinds, sizes, tags and versions", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const bytes = chain.data(paid.payment.address)!;
  const [foreign, otherTag, otherVersion, longer] = [anyAddress(), anyAddress(), anyAddress(), anyAddress()];
  const [first, firstTombstone] = [anyAddress(), anyAddress()];
  chain.plant(foreign, SYSTEM_PROGRAM_ID, bytes);
  chain.plant(otherTag, chain.programId, bytes.with(0, 1));
  chain.plant(otherVersion, chain.programId, bytes.with(1, 1));
  chain.plant(longer, chain.programId, Uint8Array.from([...bytes, 0]));
  // Version 1 left a record of 216 bytes and a tombstone of 16.
  chain.plant(first, chain.programId, bytes.slice(0, 216).with(1, 1));
  chain.plant(firstTombstone, chain.programId, bytes.slice(0, 16).with(0, 3).with(1, 1));
  const fakes = [anyAddress(), paid.operator, foreign, otherTag, otherVersion, longer, first, firstTombstone];
  for (const fake of fakes) {
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
  const { programId } = chain;
  const operator = { programId, authority: anyAddress(), arbiter: anyAddress(), payer: chain.feePayer };
  refuses(chain, "wrong_address", withAccount(await createOperatorInstruction(operator), 0, anyAddress()));
  refuses(chain, "wrong_address", withAccount(await createPaymentInstruction(offer), 1, anyAddress()));
});

test("operator_exists: an authority has one operator, also after it handed it over", async () => {
  const { chain, authority, operator } = await aWorld();
  const { programId } = chain;
  const again = { programId, authority, arbiter: anyAddress() };
  refuses(chain, "operator_exists", await createOperatorInstruction(again));
  const key = anyAddress();
  const role = "authority";
  chain.done(
    proposeInstruction({ programId, operator, authority, role, key }),
    acceptInstruction({ programId, operator, role, key }),
  );
  refuses(chain, "operator_exists", await createOperatorInstruction(again));
});

test("invalid_arbiter: an operator begins with an arbiter", async () => {
  const { chain } = await aWorld();
  const without = { programId: chain.programId, authority: anyAddress(), payer: chain.feePayer };
  refuses(chain, "invalid_arbiter", await createOperatorInstruction({ ...without, arbiter: SYSTEM_PROGRAM_ID }));
});

test("wrong_authority: nobody else proposes, neither the arbiter nor one who is proposed, nor the authority before", async () => {
  const { chain, authority, arbiter, operator, sender } = await aWorld();
  const { programId } = chain;
  const next = anyAddress();
  const proposal = (by: Address, role: "authority" | "arbiter", key: Address) =>
    proposeInstruction({ programId, operator, authority: by, role, key });
  chain.done(proposal(authority, "authority", next));
  for (const role of ["authority", "arbiter"] as const) {
    for (const other of [sender, arbiter, next]) refuses(chain, "wrong_authority", proposal(other, role, sender));
  }
  chain.done(acceptInstruction({ programId, operator, role: "authority", key: next }));
  refuses(chain, "wrong_authority", proposal(authority, "arbiter", sender));
  chain.done(proposal(next, "arbiter", sender));
});

test("not_proposed: nobody else accepts, nor for the other role, nor when nothing is proposed", async () => {
  const { chain, authority, operator, sender } = await aWorld();
  const { programId } = chain;
  const next = anyAddress();
  for (const role of ["authority", "arbiter"] as const) {
    const other = role === "authority" ? "arbiter" : "authority";
    for (const key of [sender, SYSTEM_PROGRAM_ID]) {
      refuses(chain, "not_proposed", acceptInstruction({ programId, operator, role, key }));
    }
    chain.done(proposeInstruction({ programId, operator, authority, role, key: next }));
    refuses(chain, "not_proposed", acceptInstruction({ programId, operator, role, key: sender }));
    refuses(chain, "not_proposed", acceptInstruction({ programId, operator, role: other, key: next }));
    chain.done(proposeInstruction({ programId, operator, authority, role, key: null }));
  }
});

test("arbiter_changed: the transaction names the arbiter its buyer was told", async () => {
  const { chain, offer, authority, operator, arbiter } = await aWorld();
  const { programId } = chain;
  const next = anyAddress();
  refuses(chain, "arbiter_changed", await createPaymentInstruction({ ...offer, arbiter: next }));
  chain.done(proposeInstruction({ programId, operator, authority, role: "arbiter", key: next }));
  chain.done(await createPaymentInstruction(offer));
  chain.done(acceptInstruction({ programId, operator, role: "arbiter", key: next }));
  refuses(chain, "arbiter_changed", await createPaymentInstruction({ ...offer, paymentId: 2n, arbiter }));
});

test("payment_exists: the same sender and id, open, paid out or closed", async () => {
  const closed = await retained();
  closed.chain.done(await close(closed));
  for (const paid of [await aPayment(), await paidOut(), closed]) {
    refuses(paid.chain, "payment_exists", await createPaymentInstruction({ ...paid.offer, amount: 1n }));
  }
});

test("payment_closed: nothing happens to a tombstone", async () => {
  const paid = await retained();
  paid.chain.done(await close(paid));
  for (const instruction of (await everyInstruction(paid)).slice(4)) refuses(paid.chain, "payment_closed", instruction);
});

test("sender_is_recipient, zero_amount, invalid_period, offer_expired: impossible terms", async () => {
  const { chain, offer } = await aWorld();
  refuses(chain, "sender_is_recipient", await createPaymentInstruction({ ...offer, recipient: offer.sender }));
  const create = await createPaymentInstruction(offer);
  refuses(chain, "zero_amount", await createPaymentInstruction({ ...offer, amount: 0n }));
  for (const period of [6, 255]) refuses(chain, "invalid_period", withData(create, [...create.data].with(17, period)));
  for (const notAfter of [START - 1n, 1n, -1n, -(2n ** 63n)]) {
    refuses(chain, "offer_expired", await createPaymentInstruction({ ...offer, notAfter }));
  }
});

test("invalid_recipient: neither the payment itself nor any account of the program", async () => {
  const closed = await retained();
  closed.chain.done(await close(closed));
  const open = await pay(closed, { paymentId: 2n });
  const { chain, offer } = closed;
  const create = await createPaymentInstruction({ ...offer, paymentId: 3n });
  const ours = [create.accounts[1]!.address, open.payment.address, closed.payment.address, closed.operator];
  for (const recipient of ours) refuses(chain, "invalid_recipient", withAccount(create, 4, recipient));
});

test("wrong_token_program, wrong_mint, wrong_vault: on creating", async () => {
  const world = await aWorld();
  const { chain, offer } = world;
  const create = await createPaymentInstruction(offer);
  const vault = anotherAccount(chain, world.token, create.accounts[1]!.address);
  refuses(chain, "wrong_token_program", withAccount(create, 8, SYSTEM_PROGRAM_ID));
  refuses(chain, "wrong_mint", withAccount(create, 8, TOKEN_2022_PROGRAM_ID));
  refuses(chain, "wrong_mint", withAccount(create, 5, anyAddress()));
  refuses(chain, "wrong_vault", withAccount(create, 7, vault));
});

test("amount_not_received: a token that takes a fee", async () => {
  const { chain, offer } = await aWorld({ token: (on) => aFeeMint(on, 100) });
  refuses(chain, "amount_not_received", await createPaymentInstruction(offer));
});

test("wrong_sender, wrong_recipient, wrong_arbiter: nobody acts for another", async () => {
  const paid = await aPayment();
  const { chain, sender, recipient, arbiter, authority } = paid;
  for (const other of [recipient, arbiter, authority, anyAddress()]) {
    refuses(chain, "wrong_sender", withAccount(dispute(paid), 2, other));
    refuses(chain, "wrong_sender", withAccount(release(paid), 2, other));
  }
  for (const other of [sender, arbiter, authority, anyAddress()]) {
    refuses(chain, "wrong_recipient", withAccount(refund(paid, 1n), 2, other));
  }
  chain.done(dispute(paid));
  for (const other of [sender, recipient, authority, anyAddress()]) {
    refuses(chain, "wrong_arbiter", withAccount(resolve(paid, 1n), 2, other));
  }
});

test("already_disputed, not_disputed: no second dispute, no settling in one, no ruling without", async () => {
  const paid = await aPayment();
  refuses(paid.chain, "not_disputed", resolve(paid, 1n));
  paid.chain.done(dispute(paid));
  refuses(paid.chain, "already_disputed", dispute(paid));
  paid.chain.setTime(START + DAY);
  refuses(paid.chain, "already_disputed", await payOut(paid, "recipient"));
});

test("already_decided, already_paid_out: one decision, and each part once", async () => {
  const paid = await disputed();
  const { chain } = paid;
  chain.done(resolve(paid, 1n));
  const decisions = [dispute(paid), resolve(paid, 2n), release(paid)];
  for (const decision of decisions) refuses(chain, "already_decided", decision);
  chain.done(await payOut(paid, "recipient"));
  refuses(chain, "already_paid_out", refund(paid, 2n));
  refuses(chain, "nothing_due", await payOut(paid, "recipient"));
  chain.done(await payOut(paid, "sender"));
  const parts = [await payOut(paid, "sender"), await payOut(paid, "recipient")];
  for (const instruction of [...decisions, refund(paid, 2n), ...parts]) {
    refuses(chain, "already_paid_out", instruction);
  }
});

test("nothing_due: no part before something is bound, nor an empty vault that cannot be closed", async () => {
  const paid = await aPayment();
  refuses(paid.chain, "nothing_due", await payOut(paid, "sender"));
  const gone = await paidOut();
  await give(gone.chain, gone.token, gone.payment.address, 0n);
  emptyWallet(gone.chain, gone.sender);
  gone.chain.setRent(1_000_000n);
  refuses(gone.chain, "nothing_due", await payOut(gone, "recipient"));
});

test("invalid_total, less_bound: totals above the amount, not above what is bound, or above it", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  for (const total of [0n, AMOUNT + 1n, 2n ** 64n - 1n]) refuses(chain, "invalid_total", refund(paid, total));
  chain.done(refund(paid, 5n));
  for (const total of [4n, 5n]) refuses(chain, "invalid_total", refund(paid, total));
  for (const total of [6n, 2n ** 64n - 1n]) refuses(chain, "less_bound", release(paid, total));
  chain.done(dispute(paid));
  for (const total of [AMOUNT + 1n, 2n ** 64n - 1n]) refuses(chain, "invalid_total", resolve(paid, total));
});

test("not_paid_out: an open payment cannot be closed, nor one with a part to leave", async () => {
  const half = await disputed();
  half.chain.done(resolve(half, 1n), await payOut(half, "recipient"));
  for (const paid of [await aPayment(), await disputed(), half]) {
    paid.chain.setTime(START + 200n * DAY);
    for (const signed of [false, true]) refuses(paid.chain, "not_paid_out", await close(paid, signed));
  }
});

test("protection_over, protection_running, arbitration_over, arbitration_running, retention_running: the wrong time", async () => {
  const paid = await aPayment();
  refuses(paid.chain, "protection_running", await payOut(paid, "recipient"));
  paid.chain.setTime(START + DAY);
  refuses(paid.chain, "protection_over", dispute(paid));
  const open = await disputed();
  refuses(open.chain, "arbitration_running", await payOut(open, "sender"));
  open.chain.setTime(START + 90n * DAY);
  refuses(open.chain, "arbitration_over", resolve(open, 1n));
  const gone = await paidOut();
  for (const signed of [false, true]) refuses(gone.chain, "retention_running", await close(gone, signed));
});

test("wrong_rent_payer, wrong_beneficiary, wrong_mint, wrong_token_program, wrong_vault: a payout's other accounts", async () => {
  const paid = await due();
  const { chain, token } = paid;
  const settle = await payOut(paid, "recipient");
  refuses(chain, "wrong_rent_payer", withAccount(settle, 2, chain.feePayer));
  refuses(chain, "wrong_beneficiary", withAccount(settle, 3, paid.sender));
  refuses(chain, "wrong_mint", withAccount(settle, 6, aMint(chain).mint));
  refuses(chain, "wrong_token_program", withAccount(settle, 7, TOKEN_2022_PROGRAM_ID));
  refuses(chain, "wrong_vault", withAccount(settle, 5, anotherAccount(chain, token, paid.payment.address)));
  chain.plant(paid.vault, SYSTEM_PROGRAM_ID, new Uint8Array(165));
  refuses(chain, "wrong_vault", settle);
});

test("wrong_destination: neither another's account, nor another mint's, nor the beneficiary's own without their signature", async () => {
  const paid = await due();
  const { chain, token, recipient } = paid;
  const settle = await payOut(paid, "recipient");
  const to = (destination: Address) => payOut(paid, "recipient", { destination });
  refuses(chain, "wrong_destination", await to(anotherAccount(chain, token, paid.sender)));
  refuses(chain, "wrong_destination", await to(await give(chain, aMint(chain), recipient, 0n)));
  refuses(chain, "wrong_destination", await to(anyAddress()));
  refuses(chain, "wrong_destination", await to(paid.vault));
  refuses(chain, "wrong_destination", withAccount(settle, 4, anotherAccount(chain, token, recipient)));
  const [foreign, short] = [anyAddress(), anyAddress()];
  const bytes = chain.data(anotherAccount(chain, token, recipient))!;
  chain.plant(foreign, SYSTEM_PROGRAM_ID, bytes);
  chain.plant(short, token.tokenProgram, bytes.slice(0, -1));
  for (const destination of [foreign, short]) refuses(chain, "wrong_destination", await to(destination));
});

test("wrong_destination: an associated account whose owner gave it away is not theirs any more", async () => {
  const paid = await due();
  const { chain, token, recipient } = paid;
  const account = await tokenAccountOf(token, recipient);
  const newOwner = getAddressEncoder().encode(anyAddress());
  chain.done(tokenInstruction(token, [writable(account), signer(recipient)], [6, 2, 1, ...newOwner]));
  refuses(chain, "wrong_destination", await payOut(paid, "recipient"));
});

test("destination_missing: a payout makes no account", async () => {
  const paid = await due();
  await closeTokenAccount(paid.chain, paid.token, paid.recipient);
  refuses(paid.chain, "destination_missing", await payOut(paid, "recipient"));
});

test("vault_short: nothing leaves unless everything that is still to leave is there", async () => {
  const paid = await due();
  const { chain } = paid;
  chain.done(refund(paid, 5n));
  const vault = chain.data(paid.vault)!;
  new DataView(vault.buffer).setBigUint64(64, AMOUNT - 1n, true);
  chain.plant(paid.vault, paid.token.tokenProgram, vault);
  for (const side of ["sender", "recipient"] as const) refuses(chain, "vault_short", await payOut(paid, side));
});

test("destination_frozen, vault_frozen: the token's issuer holds an account", async () => {
  const paid = await due();
  const { chain, token, recipient } = paid;
  chain.done(freeze(token, await tokenAccountOf(token, recipient)));
  refuses(chain, "destination_frozen", await payOut(paid, "recipient"));
  chain.done(freeze(token, paid.vault));
  refuses(chain, "vault_frozen", await payOut(paid, "recipient"));
});

test("wrong_rent_payer, wrong_vault: a closing's other accounts", async () => {
  const paid = await retained();
  const { chain, recipient } = paid;
  refuses(chain, "wrong_rent_payer", withAccount(await close(paid, true), 2, recipient));
  refuses(chain, "wrong_vault", withAccount(await close(paid), 3, anyAddress()));
});

test("vault_open, rent_risen, rent_payer_short: nobody closes at the rent payer's cost, but they themselves may", async () => {
  const open = await retained();
  await give(open.chain, open.token, open.payment.address, 1n);
  refuses(open.chain, "vault_open", await close(open));
  open.chain.done(await close(open, true));

  const dear = await retained();
  dear.chain.setRent(6_961n);
  refuses(dear.chain, "rent_risen", await close(dear));
  dear.chain.done(await close(dear, true));

  const short = await aWorld();
  short.chain.setRent(696n);
  const payer = anyAddress();
  short.chain.fund(payer);
  const paid = await pay(short, { payer });
  short.chain.done(release(paid), await payOut(paid, "recipient"));
  emptyWallet(short.chain, payer);
  short.chain.plant(payer, SYSTEM_PROGRAM_ID, new Uint8Array(1_000));
  const planted = short.chain.svm.getAccount(payer);
  assert.ok(planted.exists);
  short.chain.svm.setAccount({ ...planted, lamports: 1n as never });
  short.chain.setTime(START + RETENTION);
  refuses(short.chain, "rent_payer_short", await close(paid));
});

test("the sender's own token account must hold the funds, and be theirs", async () => {
  const { chain, token, offer, recipient } = await aWorld();
  const tooMuch = chain.refused(await createPaymentInstruction({ ...offer, amount: 2n ** 64n - 1n }));
  assert.match(tooMuch, /Custom\(1\)/, "insufficient funds, in the token program's words");
  const source = await give(chain, token, recipient, AMOUNT);
  assert.match(chain.refused(await createPaymentInstruction({ ...offer, source })), /Custom\(4\)/, "owner mismatch");
  assert.equal(chain.tokens(await tokenAccountOf(token, offer.sender)) > 0n, true);
});

test("the client refuses more accounts for a hook than the program hands on", async () => {
  const paid = await aPayment();
  const hookAccounts = Array.from({ length: HOOK_ACCOUNTS_MAX + 1 }, () => signer(anyAddress()));
  const payout = { programId: paid.chain.programId, payment: paid.payment, side: "sender" } as const;
  await assert.rejects(payOutInstruction({ ...payout, hookAccounts }), RangeError);
  const { accounts } = await payOutInstruction({ ...payout, hookAccounts: hookAccounts.slice(1) });
  assert.equal(
    accounts.slice(8).some(({ role }) => role !== AccountRole.READONLY),
    false,
    "none of them signs",
  );
});

after(() => {
  const unseen = Object.values(PROGRAM_ERRORS)
    .map(([name]) => name)
    .filter((name) => !seen.has(name));
  assert.deepEqual(unseen, [], "refusals that no test provoked");
});
