import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPaymentInstruction,
  payOutInstructions,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole } from "@solana/kit";
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
  giveTo,
  type Paid,
  pay,
  readonly,
  START,
  signer,
  thaw,
  tokenAccountOf,
  tokenInstruction,
  writable,
  writableSigner,
} from "./chain.ts";
import {
  aMintWithFeeLast,
  anIssuerMint,
  beginFee,
  type IssuerToken,
  pause,
  replaceToken2022,
  requireMemos,
  resume,
  seize,
  setHook,
  transferInto,
} from "./mints.ts";
import { ARBITRATION, close, DAY, dispute, has, payOut, RETENTION, refund, release, resolve } from "./scenario.ts";

const PART = 10_000_000n;

async function anIssuersPayment(): Promise<Paid & { readonly token: IssuerToken }> {
  const tokens: IssuerToken[] = [];
  const token = (chain: Chain) => {
    tokens.push(anIssuerMint(chain));
    return tokens[0]!;
  };
  const paid = await aPayment({ token });
  return { ...paid, token: tokens[0]! };
}

/** Asserts that a ruling that splits, made under this obstacle, still pays both sides long after, when the obstacle is removed. */
async function rulesUnder(paid: Paid, obstacle: () => void, relief: () => void, refusal: RegExp): Promise<void> {
  const { chain, sender, recipient } = paid;
  const senderHad = await has(paid, sender);
  chain.done(dispute(paid));
  obstacle();
  chain.setTime(START + ARBITRATION - 1n);
  chain.done(resolve(paid, PART));
  chain.setTime(START + ARBITRATION + 30n * DAY);
  for (const side of ["sender", "recipient"] as const) assert.match(chain.refused(await payOut(paid, side)), refusal);
  relief();
  chain.done(await payOut(paid, "recipient"), await payOut(paid, "sender"));
  assert.deepEqual([(await has(paid, sender)) - senderHad, await has(paid, recipient)], [PART, AMOUNT - PART]);
}

test("an issuer's pause over day 90 does not undo a ruling", async () => {
  const paid = await anIssuersPayment();
  const { chain, token } = paid;
  await rulesUnder(
    paid,
    () => chain.done(pause(token)),
    () => chain.done(resume(token)),
    /Custom\(67\)/,
  );
});

test("an issuer's freeze of the vault over day 90 does not undo a ruling", async () => {
  const paid = await anIssuersPayment();
  const { chain, token, vault } = paid;
  await rulesUnder(
    paid,
    () => chain.done(freeze(token, vault)),
    () => chain.done(thaw(token, vault)),
    /^vault_frozen$/,
  );
});

test("a release and a refund bind as well while the mint is paused, and the parts leave afterwards", async () => {
  const paid = await anIssuersPayment();
  const { chain, token } = paid;
  chain.done(pause(token), refund(paid, PART), release(paid, PART));
  assert.equal(chain.payment(paid.payment.address).outcome, "released_by_sender");
  chain.done(resume(token), await payOut(paid, "sender"), await payOut(paid, "recipient"));
  assert.equal(await has(paid, paid.recipient), AMOUNT - PART);
});

test("a token account that wants memos delays its owner alone, who may sign for another", async () => {
  const paid = await aPayment({ token: (chain) => aMint(chain, TOKEN_2022_PROGRAM_ID) });
  const { chain, token, recipient } = paid;
  requireMemos(chain, token, await tokenAccountOf(token, recipient), recipient);
  chain.done(dispute(paid), resolve(paid, PART), await payOut(paid, "sender"));
  assert.match(chain.refused(await payOut(paid, "recipient")), /Custom\(36\)/, "the token program's own refusal");
  const destination = anotherAccountOf2022(paid);
  chain.done(await payOut(paid, "recipient", { destination }));
  assert.equal(chain.tokens(destination), AMOUNT - PART);
});

const anotherAccountOf2022 = (paid: Paid) => anotherAccount(paid.chain, paid.token, paid.recipient);

test("a hook named after the payment gets its accounts, and no signature of any caller", async () => {
  const paid = await anIssuersPayment();
  const { chain, token, recipient, sender } = paid;
  const wanted = [writable(anyAddress())];
  const hookAccounts = await setHook(chain, token, []);
  chain.done(dispute(paid), resolve(paid, PART));
  assert.notEqual(chain.refused(await payOut(paid, "sender")), "nothing_due", "without its accounts it fails");
  const before = await has(paid, sender);
  chain.done(await payOut(paid, "sender", { hookAccounts }));
  assert.equal((await has(paid, sender)) - before, PART);
  // A caller who can sign for the same accounts passes them as signers: none reaches the hook as a signer.
  const last = await payOut(paid, "recipient", { hookAccounts: [...hookAccounts, ...wanted] });
  const signed = last.accounts.map((meta, index) =>
    index < 8 ? meta : { ...meta, role: meta.role === AccountRole.WRITABLE ? AccountRole.WRITABLE_SIGNER : meta.role },
  );
  chain.done({ ...last, accounts: signed });
  assert.equal(await has(paid, recipient), AMOUNT - PART);
});

test("a hook that wants an account of the caller's gets it without the caller's signature", async () => {
  const paid = await anIssuersPayment();
  const { chain, token } = paid;
  const hookAccounts = await setHook(chain, token, [writable(chain.feePayer)]);
  chain.done(release(paid), await payOut(paid, "recipient", { hookAccounts }));
  assert.equal(await has(paid, paid.recipient), AMOUNT);
});

test("a hook that asks for the caller's signature does not get it", async () => {
  const paid = await anIssuersPayment();
  const { chain, token } = paid;
  const wanted = [writableSigner(chain.feePayer)];
  const hookAccounts = await setHook(chain, token, wanted);
  chain.done(release(paid));
  const { accounts, ...rest } = await payOut(paid, "recipient");
  // The hook of these tests fails where one of its accounts signs.
  chain.done({ ...rest, accounts: [...accounts, ...hookAccounts] });
  assert.equal(await has(paid, paid.recipient), AMOUNT);
});

test("a hook that calls back into the program in mid-payment fails, and the part waits", async () => {
  const paid = await anIssuersPayment();
  const { chain, token } = paid;
  chain.done(refund(paid, PART), release(paid, PART));
  const inner = await payOut(paid, "recipient");
  const wanted = [readonly(chain.programId), ...inner.accounts];
  const hookAccounts = await setHook(chain, token, wanted);
  assert.match(chain.refused(await payOut(paid, "recipient", { hookAccounts })), /ReentrancyNotAllowed/);
  const { amountReleased, status } = chain.payment(paid.payment.address);
  assert.deepEqual([amountReleased, status], [0n, "protected"]);
});

test("a payment is made under a hook too, with its accounts", async () => {
  const world = await aWorld({ token: anIssuerMint });
  const { chain, token, offer } = world;
  const hookAccounts = await setHook(chain, token, [writable(world.recipient)]);
  assert.equal(chain.send(await createPaymentInstruction(offer)).ok, false);
  const paid = await pay(world, { hookAccounts });
  chain.done(release(paid), await payOut(paid, "recipient", { hookAccounts }));
  assert.equal(await has(paid, paid.recipient), AMOUNT);
});

test("where the issuer took a unit, neither side can hurry to take the other's; made whole, both are paid", async () => {
  const paid = await anIssuersPayment();
  const { chain, token } = paid;
  chain.done(dispute(paid), resolve(paid, PART));
  await seize(chain, token, paid.vault, 1n);
  for (const side of ["sender", "recipient"] as const)
    assert.equal(chain.refused(await payOut(paid, side)), "vault_short");
  giveTo(chain, token, paid.vault, 1n);
  chain.done(await payOut(paid, "sender"), await payOut(paid, "recipient"));
  assert.equal(await has(paid, paid.recipient), AMOUNT - PART);
});

test("a fee begun later falls on who is paid; withheld fees keep the vault open until it is swept, by anyone", async () => {
  const paid = await aPayment({ token: (chain) => aFeeMint(chain, 0) });
  const { chain, token, recipient, sender } = paid;
  beginFee(chain, token, 100);
  await transferInto(chain, token, paid.vault, 1_000n);
  assert.equal(chain.tokens(paid.vault), AMOUNT + 990n, "ten of a thousand are withheld in the vault");
  chain.done(release(paid), await payOut(paid, "recipient"));
  const sent = AMOUNT + 990n;
  assert.equal(await has(paid, recipient), sent - (sent + 99n) / 100n);
  assert.deepEqual([chain.payment(paid.payment.address).status, chain.tokens(paid.vault)], ["released", 0n]);
  assert.equal(chain.refused(await payOut(paid, "recipient")), "nothing_due");
  chain.setTime(START + RETENTION);
  assert.equal(chain.refused(await close(paid)), "vault_open");
  const [had, rent] = [chain.balance(sender), chain.balance(paid.vault)];
  const payout = { programId: chain.programId, payment: paid.payment, side: "recipient" } as const;
  chain.done(...(await payOutInstructions({ ...payout, harvest: true })));
  assert.deepEqual([chain.exists(paid.vault), chain.balance(sender) - had], [false, rent]);
  chain.done(await close(paid));
});

test("withheld fees are found behind other extensions' content too", async () => {
  const paid = await aPayment({ token: aMintWithFeeLast });
  const { chain, token, vault } = paid;
  beginFee(chain, token, 100);
  await transferInto(chain, token, vault, 1_000n);
  chain.done(release(paid), await payOut(paid, "recipient"));
  assert.deepEqual([chain.payment(paid.payment.address).status, chain.tokens(vault)], ["released", 0n]);
  assert.equal(chain.exists(vault), true, "closed with fees in it, the whole part would fail");
});

test("harvested in front, the vault closes with the last part", async () => {
  const paid = await aPayment({ token: (chain) => aFeeMint(chain, 0) });
  const { chain, token } = paid;
  beginFee(chain, token, 100);
  await transferInto(chain, token, paid.vault, 1_000n);
  chain.done(release(paid));
  const payout = { programId: chain.programId, payment: paid.payment, side: "recipient" } as const;
  chain.done(...(await payOutInstructions({ ...payout, harvest: true })));
  assert.equal(chain.exists(paid.vault), false);
});

test("a vault that is frozen after the payout is still closed once it is empty", async () => {
  const paid = await aPayment({ token: (chain) => aFeeMint(chain, 0) });
  const { chain, token } = paid;
  beginFee(chain, token, 100);
  await transferInto(chain, token, paid.vault, 1_000n);
  chain.done(release(paid), await payOut(paid, "recipient"), freeze(token, paid.vault));
  const payout = { programId: chain.programId, payment: paid.payment, side: "recipient" } as const;
  chain.done(...(await payOutInstructions({ ...payout, harvest: true })));
  assert.equal(chain.exists(paid.vault), false);
});

test("tokens in a frozen vault after the payout wait for the thaw", async () => {
  const paid = await anIssuersPayment();
  const { chain, token } = paid;
  chain.done(release(paid), await payOut(paid, "recipient"));
  chain.done(
    ...(
      await payOutInstructions({
        programId: chain.programId,
        payment: { ...paid.payment, recipient: paid.payment.address },
        side: "recipient",
        accountPayer: chain.feePayer,
      })
    ).slice(0, 1),
  );
  giveTo(chain, token, paid.vault, 5n);
  chain.done(freeze(token, paid.vault));
  assert.equal(chain.refused(await payOut(paid, "recipient")), "vault_frozen");
  chain.done(thaw(token, paid.vault), await payOut(paid, "recipient"));
  assert.equal(chain.exists(paid.vault), false);
});

test("a delegate of the destination's owner changes nothing for the program", async () => {
  const paid = await aPayment();
  const { chain, token, recipient } = paid;
  const account = await tokenAccountOf(token, recipient);
  const approve = [4, 232, 3, 0, 0, 0, 0, 0, 0];
  chain.done(tokenInstruction(token, [writable(account), readonly(anyAddress()), signer(recipient)], approve));
  chain.done(release(paid), await payOut(paid, "recipient"));
  assert.equal(chain.tokens(account), AMOUNT);
});

test("of what is given behind, Token-2022 is handed sixteen accounts and no signature; SPL Token is handed nothing", async () => {
  for (const tokenProgram of [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]) {
    const paid = await aPayment({ token: (chain) => aMint(chain, tokenProgram) });
    const { chain } = paid;
    chain.done(refund(paid, 1n), release(paid, 1n));
    const { accounts, ...rest } = await payOut(paid, "sender");
    const behind = Array.from({ length: 18 }, () => writableSigner(chain.feePayer));
    if (tokenProgram === TOKEN_2022_PROGRAM_ID) replaceToken2022(chain);
    const sent = chain.send({ ...rest, accounts: [...accounts, ...behind] });
    if (!sent.ok) assert.fail(sent.text);
    const [transfer] = sent.calls();
    assert.equal(transfer!.length, tokenProgram === TOKEN_2022_PROGRAM_ID ? 4 + 16 : 4);
  }
});
