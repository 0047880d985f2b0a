import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPaymentInstruction,
  findPaymentAddress,
  PAYMENT_ACCOUNT_SIZE,
  payOutInstructions,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import { type Address, getAddressEncoder, type Instruction } from "@solana/kit";
import { FeatureSet } from "litesvm";
import { inForm } from "../../tests/harness/form.ts";
import {
  AMOUNT,
  aFeeMint,
  anotherAccount,
  anyAddress,
  aPayment,
  aWorld,
  type Chain,
  FUNDS,
  give,
  type Paid,
  pay,
  RENT_PRICE,
  START,
  signer,
  tokenAccountOf,
  tokenInstruction,
  transferLamports,
  UNREADABLE,
  writable,
} from "./chain.ts";
import { mainnetAnd } from "./features.ts";
import { beginFee, transferInto, wrappedSol, wrappedSol2022 } from "./mints.ts";
import {
  ARBITRATION,
  assignAway,
  close,
  closeTokenAccount,
  DAY,
  dispute,
  emptyWallet,
  has,
  makeClosedProgram,
  makeExecutable,
  makeHuge,
  payOut,
  RETENTION,
  refund,
  release,
  resolve,
  syncNative,
} from "./scenario.ts";

const PART = 10_000_000n;
/** The fee of a transaction with one signature. */
const FEE = 5_000n;
const RENTS = [6_960n, 5_080n, 2_575n, 696n, 69_600n, UNREADABLE] as const;

type Kind =
  | "a key"
  | "executable"
  | "a closed program"
  | "emptied"
  | "huge"
  | "assigned away"
  | "emptied at ten times the rent";
/** The states into which a buyer may bring the wallet that paid the rent, at any time after paying. */
const KINDS: Readonly<Record<Kind, (chain: Chain, wallet: Address) => void | Promise<void>>> = {
  "a key": () => {},
  executable: makeExecutable,
  "a closed program": makeClosedProgram,
  emptied: emptyWallet,
  huge: makeHuge,
  "assigned away": assignAway,
  "emptied at ten times the rent": (chain, wallet) => {
    emptyWallet(chain, wallet);
    chain.setRent(10n * RENT_PRICE);
  },
};

/** An ending that must pay everyone who is owed, in any state of the wallet that paid the rent. */
interface Ending {
  readonly decide: (paid: Paid) => readonly Instruction[];
  readonly at: bigint;
  readonly sides: readonly ("sender" | "recipient")[];
  readonly back: bigint;
}
const ENDINGS: Readonly<Record<string, Ending>> = {
  released: { decide: (paid) => [release(paid)], at: START, sides: ["recipient"], back: 0n },
  settled: { decide: () => [], at: START + DAY, sides: ["recipient"], back: 0n },
  refunded: { decide: (paid) => [refund(paid, AMOUNT)], at: START, sides: ["sender"], back: AMOUNT },
  "ruled for the recipient": {
    decide: (paid) => [dispute(paid), resolve(paid, 0n)],
    at: START + ARBITRATION,
    sides: ["recipient"],
    back: 0n,
  },
  "ruled for the sender": {
    decide: (paid) => [dispute(paid), resolve(paid, AMOUNT)],
    at: START + ARBITRATION,
    sides: ["sender"],
    back: AMOUNT,
  },
  split: {
    decide: (paid) => [dispute(paid), resolve(paid, PART)],
    at: START + ARBITRATION,
    sides: ["recipient", "sender"],
    back: PART,
  },
  "given back at day 90": {
    decide: (paid) => [dispute(paid)],
    at: START + ARBITRATION,
    sides: ["sender"],
    back: AMOUNT,
  },
};

const FEATURES = inForm({
  short: { "mainnet's": mainnetAnd() },
  long: { "mainnet's": mainnetAnd(), all: FeatureSet.allEnabled() },
});
for (const [features, set] of Object.entries(FEATURES)) {
  for (const kind of Object.keys(KINDS) as Kind[]) {
    test(`a buyer's wallet that is ${kind} stops no ending, with ${features} features`, async () => {
      const world = await aWorld({ features: set });
      const { chain, sender, recipient } = world;
      const paids: Paid[] = [];
      const offers = Object.keys(ENDINGS).map((_, index) => ({ amount: AMOUNT, paymentId: BigInt(index + 1) }));
      await give(chain, world.token, sender, AMOUNT * BigInt(offers.length));
      for (const offer of offers) paids.push(await pay(world, offer));
      for (const [index, { decide }] of Object.values(ENDINGS).entries()) {
        const decisions = decide(paids[index]!);
        if (decisions.length > 0) chain.done(...decisions);
      }
      await KINDS[kind](chain, sender);
      for (const [index, [name, { at, sides, back }]] of Object.entries(ENDINGS).entries()) {
        const paid = paids[index]!;
        chain.setTime(at);
        const before = [await has(paid, sender), await has(paid, recipient)] as const;
        const lamports = chain.balance(sender) + chain.balance(paid.vault) + chain.balance(paid.payment.address);
        for (const side of sides) chain.done(await payOut(paid, side));
        const got = [(await has(paid, sender)) - before[0], (await has(paid, recipient)) - before[1]];
        assert.deepEqual(got, [back, AMOUNT - back], name);
        const after = chain.balance(sender) + chain.balance(paid.vault) + chain.balance(paid.payment.address);
        assert.equal(after, lamports, `${name}: no lamport goes elsewhere`);
      }
    });
  }
}

test("C1: an executable buyer cannot outlast a ruling for the merchant, nor lock an undisputed payment", async () => {
  for (const when of ["before paying", "after paying"]) {
    const world = await aWorld();
    const { chain, sender, recipient } = world;
    const payer = chain.feePayer;
    if (when === "before paying") await makeExecutable(chain, sender);
    const [disputed, quiet] = [await pay(world, { payer }), await pay(world, { payer, paymentId: 2n })];
    if (when === "after paying") await makeExecutable(chain, sender);
    chain.done(dispute(disputed));
    chain.setTime(START + ARBITRATION - 1n);
    chain.done(resolve(disputed, 0n));
    chain.setTime(START + ARBITRATION);
    await closeTokenAccount(chain, world.token, sender);
    assert.equal(chain.refused(await payOut(disputed, "sender")), "nothing_due");
    chain.done(await payOut(disputed, "recipient"), await payOut(quiet, "recipient"));
    assert.equal(await has(disputed, recipient), 2n * AMOUNT);
  }
});

test("C1: an executable wallet that paid the rent gets vault's and record's rent back", async () => {
  const paid = await aPayment();
  const { chain, sender } = paid;
  await makeExecutable(chain, sender);
  const account = chain.svm.getAccount(sender);
  assert.equal(account.exists && account.executable, true);
  const before = chain.balance(sender);
  const held = chain.balance(paid.vault) + chain.balance(paid.payment.address);
  chain.done(release(paid), await payOut(paid, "recipient"));
  chain.setTime(START + RETENTION);
  chain.done(await close(paid));
  assert.equal(chain.balance(sender) - before, held - chain.rent(TOMBSTONE_ACCOUNT_SIZE));
});

test("L1: where the rent payer cannot take the rent, tokens leave and the vault waits until somebody tops the wallet up", async () => {
  const world = await aWorld();
  const { chain, sender, recipient } = world;
  chain.setRent(696n);
  const paid = await pay(world);
  emptyWallet(chain, sender);
  chain.setRent(6_960n);
  chain.setTime(START + DAY);
  chain.done(await payOut(paid, "recipient"));
  assert.equal(await has(paid, recipient), AMOUNT);
  assert.deepEqual([chain.exists(paid.vault), chain.balance(sender)], [true, 0n]);
  assert.equal(chain.refused(await payOut(paid, "recipient")), "nothing_due");
  const rent = chain.balance(paid.vault);
  chain.done(transferLamports(chain.feePayer, sender, 890_880n), await payOut(paid, "recipient"));
  assert.deepEqual([chain.exists(paid.vault), chain.balance(sender)], [false, 890_880n + rent]);
});

test("L1: a rent payer who then holds just the minimum takes the rent; with a lamport less the vault stays open", async () => {
  for (const short of [0n, 1n]) {
    const world = await aWorld();
    const { chain, sender } = world;
    chain.setRent(696n);
    const paid = await pay(world);
    const kept = 890_880n - chain.balance(paid.vault) - short;
    chain.done(transferLamports(sender, anyAddress(), chain.balance(sender) - kept));
    chain.setRent(6_960n);
    chain.done(release(paid), await payOut(paid, "recipient"));
    const after = short === 0n ? [false, chain.rent(0)] : [true, kept];
    assert.deepEqual([chain.exists(paid.vault), chain.balance(sender)], after);
  }
});

for (const [name, token] of Object.entries({ wrappedSol, wrappedSol2022 })) {
  for (const [from, to] of [
    [696n, 6_960n],
    [5_080n, 6_960n],
    [6_960n, 696n],
    [5_080n, 696n],
  ] as const) {
    test(`M1: ${name}, rent from ${from} to ${to}: a stranger's sync neither stops an ending nor moves a lamport to the wrong side`, async () => {
      for (const synced of [false, true]) {
        const world = await aWorld({ token });
        const { chain, sender, recipient } = world;
        chain.setRent(from);
        const paids: Paid[] = [];
        await give(chain, world.token, sender, AMOUNT * BigInt(Object.keys(ENDINGS).length));
        for (const index of Object.keys(ENDINGS).keys()) paids.push(await pay(world, { paymentId: BigInt(index + 1) }));
        const held = chain.balance(paids[0]!.vault);
        for (const [index, { decide }] of Object.values(ENDINGS).entries())
          for (const one of decide(paids[index]!)) chain.done(one);
        // In lamports: a sync also moves a token account's own reserve with the price of rent.
        const mine = await tokenAccountOf(world.token, sender);
        const theirs = await tokenAccountOf(world.token, recipient);
        chain.setRent(to);
        for (const [index, [name, { at, sides, back }]] of Object.entries(ENDINGS).entries()) {
          const paid = paids[index]!;
          if (synced) chain.done(syncNative(paid.token, paid.vault));
          chain.setTime(at);
          const [had, before] = [chain.balance(sender), [chain.balance(mine), chain.balance(theirs)] as const];
          for (const side of sides) {
            const payout = { programId: chain.programId, payment: paid.payment, side };
            chain.done(...(await payOutInstructions(payout)));
          }
          const got = [chain.balance(mine) - before[0], chain.balance(theirs) - before[1]];
          assert.deepEqual(got, [back, AMOUNT - back], `${name}, synced ${synced}`);
          assert.equal(chain.balance(sender) - had, held - AMOUNT, "the vault's rent, to the last lamport");
          assert.equal(chain.exists(paid.vault), false);
        }
      }
    });
  }
}

test("M1: without a sync behind it, a part arrives in tokens, all but what a rent change took from the vault's balance", async () => {
  const world = await aWorld({ token: wrappedSol });
  const { chain, recipient } = world;
  chain.setRent(696n);
  const paid = await pay(world);
  chain.setRent(6_960n);
  chain.done(syncNative(paid.token, paid.vault), release(paid));
  const account = await tokenAccountOf(paid.token, recipient);
  const [lamports, short] = [chain.balance(account), AMOUNT - chain.tokens(paid.vault)];
  chain.done(await payOut(paid, "recipient"));
  assert.deepEqual([chain.tokens(account), chain.balance(account)], [AMOUNT - short, lamports + AMOUNT]);
  chain.done(syncNative(paid.token, account));
  assert.equal(chain.tokens(account), AMOUNT);
});

test("M1, what is left of it: a native part that is not the last waits, after rent rose, for a loan of the difference", async () => {
  const world = await aWorld({ token: wrappedSol });
  const { chain, sender } = world;
  chain.setRent(696n);
  const amount = 3_000_000n;
  const paid = await pay(world, { amount });
  const held = chain.balance(paid.vault);
  chain.done(dispute(paid), resolve(paid, 1_500_000n));
  chain.setRent(6_960n);
  for (const side of ["sender", "recipient"] as const) {
    assert.match(
      chain.refused(await payOut(paid, side)),
      /InsufficientFundsForRent/,
      "the vault would be left too small",
    );
  }
  chain.done(syncNative(paid.token, paid.vault));
  assert.equal(chain.refused(await payOut(paid, "recipient")), "vault_short");
  const loan = 165n * (6_960n - 696n) + 128n * (6_960n - 696n);
  chain.done(transferLamports(chain.feePayer, paid.vault, loan), syncNative(paid.token, paid.vault));
  const had = chain.balance(sender);
  chain.done(await payOut(paid, "recipient"), await payOut(paid, "sender"));
  assert.equal(chain.balance(sender) - had, held - amount + loan, "it comes back to the rent payer");
});

test("M1: where the rent payer cannot take a native vault's rent, it goes with the last part", async () => {
  for (const rent of [69_600n, UNREADABLE] as const) {
    const paid = await aPayment({ token: wrappedSol });
    const { chain, sender, recipient } = paid;
    const held = chain.balance(paid.vault);
    emptyWallet(chain, sender);
    chain.done(transferLamports(chain.feePayer, await tokenAccountOf(paid.token, recipient), 50_000_000n));
    chain.setRent(rent);
    const had = chain.balance(await tokenAccountOf(paid.token, recipient));
    chain.done(release(paid), await payOut(paid, "recipient"));
    assert.equal(chain.balance(await tokenAccountOf(paid.token, recipient)) - had, held);
    assert.deepEqual([chain.exists(paid.vault), chain.balance(sender)], [false, 0n]);
  }
});

test("M1: what a rent change took from a native part is not counted as the rent payer's, who could not hold the rest", async () => {
  const world = await aWorld({ token: wrappedSol });
  const { chain, sender, recipient } = world;
  chain.setRent(696n);
  const paid = await pay(world);
  const held = chain.balance(paid.vault);
  emptyWallet(chain, sender);
  chain.setRent(6_960n);
  chain.done(syncNative(paid.token, paid.vault), release(paid));
  const account = await tokenAccountOf(paid.token, recipient);
  const had = chain.balance(account);
  chain.done(await payOut(paid, "recipient"));
  assert.deepEqual([chain.balance(account) - had, chain.balance(sender)], [held, 0n]);
});

test("M1: a native part that is all the vault's balance shows leaves, though it is not the last", async () => {
  const world = await aWorld({ token: wrappedSol });
  const { chain } = world;
  chain.setRent(696n);
  const paid = await pay(world, { amount: 3_000_000n });
  // A synced balance falls by this much when storage is ten times as dear.
  const fall = (128n + 165n) * (6_960n - 696n);
  const part = 3_000_000n - fall;
  chain.done(dispute(paid), resolve(paid, part));
  chain.setRent(6_960n);
  chain.done(syncNative(paid.token, paid.vault));
  assert.equal(chain.tokens(paid.vault), part);
  chain.done(await payOut(paid, "sender"), await payOut(paid, "recipient"));
  assert.equal(chain.exists(paid.vault), false);
});

test("an empty native vault made again stays while its rent payer cannot take the rent, and no other account gets it", async () => {
  const paid = await aPayment({ token: wrappedSol });
  const { chain, sender } = paid;
  chain.done(release(paid), await payOut(paid, "recipient"));
  await give(chain, paid.token, paid.payment.address, 0n);
  emptyWallet(chain, sender);
  chain.setRent(69_600n);
  const thief = anyAddress();
  const sweep = await payOut(paid, "recipient");
  const toThief = { ...sweep, accounts: sweep.accounts.with(4, writable(thief)) };
  for (const one of [sweep, toThief]) assert.equal(chain.refused(one), "nothing_due");
  assert.deepEqual([chain.balance(thief), chain.exists(paid.vault)], [0n, true]);
});

test("M3: dust with a fee costs the settler the fee of the transaction, and no more", async () => {
  const paid = await aPayment({ token: (chain) => aFeeMint(chain, 0) });
  const { chain, token } = paid;
  beginFee(chain, token, 100);
  await transferInto(chain, token, paid.vault, 1_000n);
  await closeTokenAccount(chain, token, paid.recipient);
  chain.setTime(START + DAY);
  const keeper = anyAddress();
  chain.fund(keeper);
  const before = chain.balance(keeper);
  const settle = await payOut(paid, "recipient");
  assert.equal(chain.nameOf(chain.sendAs(keeper, settle)), "destination_missing");
  await give(chain, token, paid.recipient, 0n);
  assert.equal(chain.sendAs(keeper, settle).ok, true);
  assert.equal(before - chain.balance(keeper), 2n * FEE);
});

for (const rent of RENTS) {
  test(`P8, M6: rent at ${rent} after the payment: the sender of a part loses the fee, gains nothing, and the rent waits for its payer`, async () => {
    const world = await aWorld();
    const { chain, sender } = world;
    const paid = await pay(world);
    chain.setRent(rent);
    chain.done(dispute(paid), resolve(paid, PART));
    const bot = anyAddress();
    chain.fund(bot, 100_000_000n);
    const [had, start] = [chain.balance(sender) + chain.balance(paid.vault), chain.balance(bot)];
    const record = chain.balance(paid.payment.address);
    for (const side of ["recipient", "sender"] as const) {
      assert.equal(chain.sendAs(bot, await payOut(paid, side)).ok, true);
    }
    assert.equal(start - chain.balance(bot), 2n * FEE);
    assert.equal(chain.balance(sender) + chain.balance(paid.vault), had);
    assert.equal(chain.balance(paid.payment.address), record, "the record keeps what it had");
    assert.equal(chain.exists(paid.vault), rent === UNREADABLE);
    if (rent !== UNREADABLE) return;
    chain.setRent(RENT_PRICE);
    chain.done(await payOut(paid, "recipient"));
    assert.equal(chain.balance(sender), had);
  });
}

test("L3: a sponsor gets both rents back, all but the tombstone's, and the buyer none of it", async () => {
  const world = await aWorld();
  const { chain, sender } = world;
  const sponsor = anyAddress();
  chain.fund(sponsor);
  const before = [chain.balance(sponsor), chain.balance(sender)] as const;
  const paid = await pay(world, { payer: sponsor, amount: 1n });
  chain.done(release(paid), await payOut(paid, "recipient"));
  chain.setTime(START + RETENTION);
  chain.done(await close(paid));
  assert.equal(before[0] - chain.balance(sponsor), chain.rent(TOMBSTONE_ACCOUNT_SIZE));
  assert.equal(chain.balance(sender), before[1]);
});

test("B5: closing after rent rose burns nobody's lamports; after it fell, all above the new minimum comes back", async () => {
  const rose = await aWorld();
  rose.chain.setRent(696n);
  const dear = await pay(rose);
  rose.chain.done(release(dear), await payOut(dear, "recipient"));
  rose.chain.setRent(6_960n);
  rose.chain.setTime(START + RETENTION);
  assert.equal(rose.chain.refused(await close(dear)), "rent_risen");
  rose.chain.setRent(696n);
  rose.chain.done(await close(dear));

  const fell = await aPayment();
  const { chain, sender } = fell;
  chain.done(release(fell), await payOut(fell, "recipient"));
  const held = chain.balance(fell.payment.address);
  chain.setRent(696n);
  chain.setTime(START + RETENTION);
  const before = chain.balance(sender);
  chain.done(await close(fell));
  assert.equal(chain.balance(sender) - before, held - chain.rent(TOMBSTONE_ACCOUNT_SIZE));
});

test("an unreadable price of rent stops new payments and closings, and no payout", async () => {
  const world = await aWorld();
  const { chain } = world;
  const [paid, gone] = [await pay(world), await pay(world, { paymentId: 2n })];
  chain.done(release(gone), await payOut(gone, "recipient"));
  chain.setRent(UNREADABLE);
  assert.match(chain.refused(await createPaymentInstruction({ ...world.offer, paymentId: 3n })), /UnsupportedSysvar/);
  chain.setTime(START + RETENTION);
  assert.match(chain.refused(await close(gone)), /UnsupportedSysvar/);
  chain.done(await payOut(paid, "recipient"));
  assert.equal(await has(paid, paid.recipient), 2n * AMOUNT);
});

test("two parts of payments whose wallets are as large as accounts can be still fit into one transaction", async () => {
  const world = await aWorld();
  const { chain, token } = world;
  const paids: Paid[] = [];
  for (const paymentId of [1n, 2n]) {
    const [payer, recipient] = [anyAddress(), anyAddress()];
    chain.fund(payer);
    await give(chain, token, recipient, 0n);
    paids.push(await pay(world, { payer, recipient, paymentId, amount: 1n }));
    for (const wallet of [payer, recipient]) makeHuge(chain, wallet);
  }
  chain.setTime(START + DAY);
  chain.done(...(await Promise.all(paids.map((paid) => payOut(paid, "recipient")))));
});

test("four parts in one transaction leave together, one rent payer executable, one emptied at a higher rent, one assigned away", async () => {
  const world = await aWorld();
  const { chain, token } = world;
  chain.setRent(696n);
  const paids: Paid[] = [];
  for (const paymentId of [1n, 2n, 3n, 4n]) {
    const [sender, recipient] = [anyAddress(), anyAddress()];
    chain.fund(sender);
    await give(chain, token, sender, 10n);
    await give(chain, token, recipient, 0n);
    paids.push(await pay(world, { sender, recipient, paymentId, amount: 10n }));
  }
  await makeExecutable(chain, paids[1]!.payment.sender);
  emptyWallet(chain, paids[2]!.payment.sender);
  assignAway(chain, paids[3]!.payment.sender);
  chain.setRent(6_960n);
  chain.setTime(START + DAY);
  chain.done(...(await Promise.all(paids.map((paid) => payOut(paid, "recipient")))));
  for (const paid of paids) assert.equal(await has(paid, paid.payment.recipient), 10n);
});

test("a vault that a stranger made while rent was dear holds exactly the amount, and the rest goes to the rent payer", async () => {
  const world = await aWorld({ token: wrappedSol });
  const { chain, offer, sender, recipient } = world;
  await give(chain, world.token, await findPaymentAddress(offer), 0n);
  chain.setRent(696n);
  const paid = await pay(world);
  assert.equal(chain.payment(paid.payment.address).amount, AMOUNT);
  chain.done(syncNative(paid.token, paid.vault));
  const [had, held] = [chain.balance(sender), chain.balance(paid.vault)];
  chain.done(release(paid), await payOut(paid, "recipient"));
  assert.equal(await has(paid, recipient), AMOUNT);
  assert.equal(chain.balance(sender) - had, held - AMOUNT);
});

test("a native account with another's close authority, given to the beneficiary, is no trap: giving it away clears that", async () => {
  const paid = await aPayment({ token: wrappedSol });
  const { chain, token, recipient } = paid;
  const crook = anyAddress();
  const trap = anotherAccount(chain, token, crook);
  const set = (kind: number, key: Address) =>
    tokenInstruction(token, [writable(trap), signer(crook)], [6, kind, 1, ...getAddressEncoder().encode(key)]);
  chain.done(set(3, crook), set(2, recipient), release(paid), await payOut(paid, "recipient", { destination: trap }));
  const closeIt = tokenInstruction(token, [writable(trap), writable(crook), signer(crook)], [9]);
  assert.match(chain.refused(closeIt), /Custom\(4\)/, "owner mismatch");
  assert.equal(chain.tokens(trap), AMOUNT);
});

test("I13: what lies in the vaults of a mint is at least what is still to leave", async () => {
  const world = await aWorld();
  const { chain } = world;
  const paids: Paid[] = [];
  for (const paymentId of [1n, 2n, 3n]) paids.push(await pay(world, { paymentId }));
  chain.done(refund(paids[0]!, PART), await payOut(paids[0]!, "sender"), dispute(paids[1]!), resolve(paids[1]!, PART));
  chain.done(await payOut(paids[1]!, "recipient"), release(paids[2]!), await payOut(paids[2]!, "recipient"));
  const sum = (of: (paid: Paid) => bigint) => paids.reduce((total, paid) => total + of(paid), 0n);
  const left = sum((paid) => {
    const { amount, amountRefunded, amountReleased } = chain.payment(paid.payment.address);
    return amount - amountRefunded - amountReleased;
  });
  assert.equal(
    sum((paid) => chain.tokens(paid.vault)),
    left,
  );
  assert.equal(await has(paids[0]!, world.sender), FUNDS - 3n * AMOUNT + PART);
  assert.equal(chain.balance(paids[0]!.payment.address), chain.rent(PAYMENT_ACCOUNT_SIZE));
});
