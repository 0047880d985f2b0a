import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPaymentInstruction,
  createTokenAccountInstruction,
  findPaymentAddress,
  findVaultAddress,
  openDisputeInstruction,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
  settleInstruction,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
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
  giveTo,
  NATIVE_MINT,
  type Paid,
  pay,
  START,
  type Token,
  thaw,
  tokenAccountOf,
  tokenInstruction,
  transferLamports,
  writable,
  writableSigner,
} from "./chain.ts";

const DAY = 86_400n;
const TOKENS: Readonly<Record<string, (chain: Chain) => Token>> = {
  "SPL Token": (chain) => aMint(chain),
  "Token-2022": (chain) => aMint(chain, TOKEN_2022_PROGRAM_ID),
  "Token-2022 with a fee of nothing": (chain) => aFeeMint(chain, 0),
  "wrapped SOL": () => ({ mint: NATIVE_MINT, tokenProgram: TOKEN_PROGRAM_ID, authority: anyAddress() }),
};

const payout = (paid: Paid) => ({ programId: paid.chain.programId, payment: paid.payment, payer: paid.chain.feePayer });

async function due(paid: Promise<Paid>): Promise<Paid> {
  const it = await paid;
  it.chain.setTime(START + DAY);
  return it;
}

for (const [name, token] of Object.entries(TOKENS)) {
  test(`${name}: in, and out to each side, to the last unit`, async () => {
    const world = await aWorld({ token });
    const { chain } = world;
    const [source, destination] = await Promise.all([
      tokenAccountOf(world.token, world.sender),
      tokenAccountOf(world.token, world.recipient),
    ]);
    const funds = chain.tokens(source);

    const refunded = await pay(world);
    assert.equal(chain.tokens(source), funds - AMOUNT);
    chain.done(await refundInstruction(payout(refunded)));
    assert.equal(chain.tokens(source), funds);

    const settled = await pay(world, { paymentId: 2n });
    chain.setTime(START + DAY);
    chain.done(await settleInstruction(payout(settled)));
    assert.deepEqual([chain.tokens(source), chain.tokens(destination)], [funds - AMOUNT, AMOUNT]);
    for (const paid of [refunded, settled]) assert.equal(chain.exists(paid.vault), false);
  });

  test(`${name}: dust sent to the vault before the payment does not count as its amount, and leaves with it`, async () => {
    const world = await aWorld({ token });
    const { chain } = world;
    const payment = await findPaymentAddress(world.offer);
    assert.equal(await give(chain, world.token, payment, 7n), await findVaultAddress({ ...world.offer, payment }));
    const paid = await pay(world);
    assert.equal(chain.payment(payment).amount, AMOUNT);
    assert.equal(chain.tokens(paid.vault), AMOUNT + 7n);
    chain.done(await releaseInstruction(payout(paid)));
    assert.equal(chain.tokens(await tokenAccountOf(world.token, world.recipient)), AMOUNT + 7n);
    assert.equal(chain.exists(paid.vault), false);
  });

  test(`${name}: dust sent to the vault after the payment leaves with it`, async () => {
    const paid = await aPayment({ token });
    const { chain } = paid;
    giveTo(chain, paid.token, paid.vault, 9n);
    // Lamports too: for wrapped SOL they are tokens nobody synced.
    chain.done(transferLamports(chain.feePayer, paid.vault, 11n));
    chain.done(await releaseInstruction(payout(paid)));
    assert.equal(chain.tokens(await tokenAccountOf(paid.token, paid.recipient)), AMOUNT + 9n);
    assert.equal(chain.exists(paid.vault), false);
  });
}

test("a vault address that was sent lamports before can still become the vault", async () => {
  const world = await aWorld();
  const payment = await findPaymentAddress(world.offer);
  const vault = await findVaultAddress({ ...world.offer, payment });
  world.chain.fund(vault, 1_000_000n);
  const paid = await pay(world);
  assert.equal(world.chain.tokens(paid.vault), AMOUNT);
});

test("a Token-2022 mint whose fee begins later cannot lock a payment in: the fee falls on the payout, the vault stays", async () => {
  const paid = await aPayment({ token: (chain) => aFeeMint(chain, 0) });
  const { chain, token } = paid;
  const set = [26, 5, ...[100, 0], ...new Uint8Array(8).fill(255)];
  chain.done(tokenInstruction(token, [writable(token.mint), writableSigner(token.authority)], set));
  chain.setEpoch(3n);
  const owner = anyAddress();
  const other = await give(chain, token, owner, 1_000n);
  const dust = [12, 0xe8, 3, 0, 0, 0, 0, 0, 0, 6];
  const transfer = [writable(other), writable(token.mint), writable(paid.vault), writableSigner(owner)];
  chain.done(tokenInstruction(token, transfer, dust));
  assert.equal(chain.tokens(paid.vault), AMOUNT + 990n, "ten of a thousand are withheld in the vault");
  chain.done(await releaseInstruction(payout(paid)));
  const sent = AMOUNT + 990n;
  assert.equal(chain.tokens(await tokenAccountOf(token, paid.recipient)), sent - (sent + 99n) / 100n);
  assert.equal(chain.payment(paid.payment.address).status, "released");
  assert.deepEqual([chain.exists(paid.vault), chain.tokens(paid.vault)], [true, 0n]);
});

test("a frozen token account delays the settlement until it is thawed", async () => {
  const paid = await due(aPayment());
  const { chain, token } = paid;
  const account = await give(chain, token, paid.recipient, 0n);
  chain.done(freeze(token, account));
  assert.equal(chain.refused(await settleInstruction(payout(paid))), "destination_frozen");
  assert.equal(chain.payment(paid.payment.address).status, "protected");
  chain.done(thaw(token, account));
  chain.done(await settleInstruction(payout(paid)));
  assert.equal(chain.tokens(account), AMOUNT);
});

test("a beneficiary who signs takes the funds into any token account of that mint they own", async () => {
  const paid = await due(aPayment());
  const { chain, token, recipient, sender } = paid;
  chain.done(freeze(token, await give(chain, token, recipient, 0n)));
  const destination = anotherAccount(chain, token, recipient);
  const vaultRent = chain.balance(paid.vault);
  const before = chain.balance(sender);
  chain.done(await settleInstruction({ ...payout(paid), destination }));
  assert.equal(chain.tokens(destination), AMOUNT);
  assert.equal(chain.balance(sender) - before, vaultRent, "nothing was created here, so the rent is the sender's");
});

test("a beneficiary who signs can take a decision's funds elsewhere too, together with the arbiter", async () => {
  const paid = await aPayment();
  const { chain, token, sender, arbiter } = paid;
  const { programId } = chain;
  chain.done(freeze(token, await tokenAccountOf(token, sender)));
  chain.done(openDisputeInstruction({ programId, payment: paid.payment }));
  const ruling = { ...payout(paid), arbiter, to: "sender" } as const;
  assert.equal(chain.refused(await resolveInstruction(ruling)), "destination_frozen");
  const destination = anotherAccount(chain, token, sender);
  chain.done(await resolveInstruction({ ...ruling, destination }));
  assert.equal(chain.tokens(destination), AMOUNT);
});

test("a sender whose token account is gone is refunded into a new one", async () => {
  const paid = await aPayment();
  const { chain, token, sender, recipient } = paid;
  const account = await tokenAccountOf(token, sender);
  const elsewhere = anotherAccount(chain, token, sender);
  const rest = new Uint8Array(8);
  new DataView(rest.buffer).setBigUint64(0, chain.tokens(account), true);
  chain.done(
    tokenInstruction(token, [writable(account), writable(elsewhere), writableSigner(sender)], [3, ...rest]),
    tokenInstruction(token, [writable(account), writable(sender), writableSigner(sender)], [9]),
  );
  assert.equal(chain.exists(account), false);
  const before = chain.balance(recipient);
  chain.done(await refundInstruction({ ...payout(paid), payer: recipient }));
  assert.equal(chain.tokens(account), AMOUNT);
  assert.equal(chain.balance(recipient), before, "the recipient paid for it and got the vault's rent");
});

test("a mint's accounts that begin frozen cannot be paid in", async () => {
  const world = await aWorld({ token: (chain) => aMint(chain, TOKEN_2022_PROGRAM_ID) });
  const { chain, token, offer } = world;
  const payment = await findPaymentAddress(offer);
  chain.done(await createTokenAccountInstruction({ ...token, payer: chain.feePayer, owner: payment }));
  chain.done(freeze(token, await findVaultAddress({ ...offer, payment })));
  assert.match(chain.refused(await createPaymentInstruction(offer)), /Custom\(17\)/, "the token program's own refusal");
});
