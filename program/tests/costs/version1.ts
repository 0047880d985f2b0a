import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Address, Instruction } from "@solana/kit";
import type { Chain } from "../chain.ts";
import { type Bound, type Cost, sizeOf } from "./measure.ts";

type Build = (input: object) => Promise<Instruction> | Instruction;

interface OldPaid {
  readonly chain: Chain;
  readonly sender: Address;
  readonly recipient: Address;
  readonly arbiter: Address;
  readonly operator: Address;
  readonly payment: { readonly address: Address };
  readonly vault: Address;
  readonly offer: object;
  readonly token: object;
}

/** What the tests and the client of version 1 offer, as far as it is used here. */
interface Version1 {
  readonly aPayment: () => Promise<OldPaid>;
  readonly aWorld: () => Promise<OldPaid>;
  readonly pay: (world: OldPaid, changes: object) => Promise<OldPaid>;
  readonly give: (chain: Chain, token: object, owner: Address, amount: bigint) => Promise<Address>;
  readonly anyAddress: () => Address;
  readonly START: bigint;
  readonly createPaymentInstructions: (input: object) => Promise<Instruction[]>;
  readonly openDisputeInstruction: Build;
  readonly resolveInstruction: Build;
  readonly releaseInstruction: Build;
  readonly refundInstruction: Build;
  readonly settleInstruction: Build;
  readonly closePaymentInstruction: Build;
}

const DAY = 86_400n;

/** The same transactions and the same rent, with the program and the client of a checkout that has version 1. */
export async function measureVersion1(
  folder: string,
): Promise<{ transactions: Readonly<Record<string, Cost>>; rent: Bound }> {
  const load = (path: string) => import(pathToFileURL(resolve(folder, path)).href);
  const old = { ...(await load("program/tests/chain.ts")), ...(await load("program/client/index.ts")) } as Version1;
  const spend = async (
    paid: OldPaid,
    feePayer: Address,
    ...instructions: readonly (Promise<Instruction> | Instruction)[]
  ) => {
    const all = await Promise.all(instructions);
    // Version 1's tests pay all fees with one wallet; the size is that of a transaction whose sender pays.
    const units = paid.chain.done(...all);
    return { units, bytes: sizeOf(feePayer, all) };
  };
  const a = () => old.aPayment();
  const [disputed, ruled, released, refunded, settled, made] = await Promise.all([a(), a(), a(), a(), a(), a()]);
  for (const { chain, token, recipient } of [released, settled]) await old.give(chain, token, recipient, 0n);
  const on = (paid: OldPaid, payer: Address) => ({ programId: paid.chain.programId, payment: paid.payment, payer });
  ruled.chain.done(await old.openDisputeInstruction(on(ruled, ruled.sender)));
  await old.give(ruled.chain, ruled.token, ruled.recipient, 0n);
  for (const { chain } of [settled, made]) chain.setTime(old.START + DAY);
  const keeper = (paid: OldPaid) => paid.chain.feePayer;
  const world = await old.aWorld();
  const sponsor = old.anyAddress();
  const sponsored = await old.aWorld();
  sponsored.chain.fund(sponsor);
  const create = { createRecipientAccount: true };
  const ruling = { ...on(ruled, ruled.arbiter), arbiter: ruled.arbiter, to: "recipient" };
  const transactions: Record<string, Cost> = {
    "pay, with the recipient's account": await spend(
      world,
      world.sender,
      ...(await old.createPaymentInstructions({ ...world.offer, ...create })),
    ),
    "the same, paid by a sponsor": await spend(
      sponsored,
      sponsor,
      ...(await old.createPaymentInstructions({ ...sponsored.offer, ...create, payer: sponsor })),
    ),
    "open a dispute": await spend(disputed, disputed.sender, old.openDisputeInstruction(on(disputed, disputed.sender))),
    "rule, alone": await spend(ruled, ruled.arbiter, old.resolveInstruction(ruling)),
    "release and part": await spend(released, released.sender, old.releaseInstruction(on(released, released.sender))),
    "refund a part, and part": await spend(
      refunded,
      refunded.recipient,
      old.refundInstruction(on(refunded, refunded.recipient)),
    ),
    settle: await spend(settled, keeper(settled), old.settleInstruction(on(settled, keeper(settled)))),
    "settle, making the account": await spend(made, keeper(made), old.settleInstruction(on(made, keeper(made)))),
  };
  settled.chain.setTime(old.START + 100n * DAY);
  transactions["close the record"] = await spend(
    settled,
    keeper(settled),
    old.closePaymentInstruction(on(settled, keeper(settled))),
  );
  return { transactions, rent: await measureOldRent(old) };
}

/** Of a sponsored payment: in version 1 the sender got what came back. */
async function measureOldRent(old: Version1): Promise<Bound> {
  const world = await old.aWorld();
  const { chain, sender, recipient, token } = world;
  await old.give(chain, token, recipient, 0n);
  const start = chain.balance(sender);
  const paid = await old.pay(world, {});
  const made = start - chain.balance(sender);
  const release = { programId: chain.programId, payment: paid.payment, payer: chain.feePayer };
  chain.done(await old.releaseInstruction(release));
  const after = start - chain.balance(sender);
  chain.setTime(old.START + 100n * DAY);
  chain.done(await old.closePaymentInstruction(release));
  const forEver = start - chain.balance(sender);
  return { forEver, for90Days: after - forEver, untilThePayout: made - after };
}
