import {
  createPaymentInstructions,
  HOOK_ACCOUNTS_MAX,
  type NewPayment,
  payOutInstructions,
} from "@holdfast/escrow-client";
import { type Address, address, type Instruction } from "@solana/kit";
import {
  anyAddress,
  aPayment,
  aWorld,
  type Chain,
  give,
  type Paid,
  pay,
  RENT_PRICE,
  START,
  writable,
} from "../chain.ts";
import { bytesOf, compileMessage } from "../message.ts";
import { close, DAY, dispute, payOut, RETENTION, refund, release, resolve } from "../scenario.ts";

const SIGNATURE_BYTES = 64;
const PART = 10_000_000n;
const COMPUTE_BUDGET = address("ComputeBudget111111111111111111111111111111");
/** A limit and a price, as every wallet and every builder adds them. */
const BUDGET: readonly Instruction[] = [
  { programAddress: COMPUTE_BUDGET, data: Uint8Array.of(2, 0x40, 0x0d, 3, 0) },
  { programAddress: COMPUTE_BUDGET, data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0) },
];

export interface Cost {
  readonly units: number;
  /** Signed, with limit and price of the compute budget. */
  readonly bytes: number;
}

/** The size of a transaction that these instructions make, all signatures in it. */
function sizeOf(feePayer: Address, instructions: readonly Instruction[]): number {
  const { messageBytes, signatures } = compileMessage(feePayer, [...BUDGET, ...instructions], bytesOf(feePayer));
  return messageBytes.length + 1 + SIGNATURE_BYTES * Object.keys(signatures).length;
}

/** Sends it as this wallet would, and returns its cost. */
function spend(chain: Pick<Chain, "sendAs">, feePayer: Address, ...instructions: readonly Instruction[]): Cost {
  const sent = chain.sendAs(feePayer, ...instructions);
  if (!sent.ok) throw new Error(sent.text);
  return { units: sent.units, bytes: sizeOf(feePayer, instructions) };
}

const sides = ["sender", "recipient"] as const;
const on = (paid: Paid) => ({ programId: paid.chain.programId, payment: paid.payment });

/** Measures each transaction, composed by the client and sent by the party that wants it. */
export async function measureTransactions(): Promise<Record<string, Cost>> {
  const world = await aWorld();
  const sponsored = await aWorld();
  const sponsor = anyAddress();
  sponsored.chain.fund(sponsor);
  const make = (offer: NewPayment) => createPaymentInstructions({ ...offer, createRecipientAccount: true });
  const [disputed, split, released, refunded, settled, twoParts, hooked] = (await Promise.all(
    Array.from({ length: 7 }, () => aPayment()),
  )) as [Paid, Paid, Paid, Paid, Paid, Paid, Paid];
  split.chain.done(dispute(split));
  settled.chain.setTime(START + DAY);
  hooked.chain.setTime(START + DAY);
  twoParts.chain.done(dispute(twoParts), resolve(twoParts, PART));
  const hookAccounts = Array.from({ length: HOOK_ACCOUNTS_MAX / 2 }, () => writable(anyAddress()));
  const keeper = anyAddress();
  for (const { chain } of [settled, twoParts, hooked]) chain.fund(keeper);
  const costs = {
    "pay, with the recipient's account": spend(world.chain, world.sender, ...(await make(world.offer))),
    "the same, paid by a sponsor": spend(
      sponsored.chain,
      sponsor,
      ...(await make({ ...sponsored.offer, payer: sponsor })),
    ),
    "open a dispute": spend(disputed.chain, disputed.sender, dispute(disputed)),
    "rule, alone": spend(split.chain, split.arbiter, resolve(split, PART)),
    "release and part": spend(released.chain, released.sender, release(released), await payOut(released, "recipient")),
    "refund a part, and part": spend(
      refunded.chain,
      refunded.recipient,
      refund(refunded, PART),
      await payOut(refunded, "sender"),
    ),
    settle: spend(settled.chain, keeper, await payOut(settled, "recipient")),
    "settle, making the account": spend(
      hooked.chain,
      keeper,
      ...(await payOutInstructions({ ...on(hooked), side: "recipient", accountPayer: keeper })),
    ),
    "both parts of a split": spend(
      twoParts.chain,
      keeper,
      ...(await Promise.all(sides.map((side) => payOut(twoParts, side)))),
    ),
  };
  settled.chain.setTime(START + DAY + RETENTION);
  const largest = await payOutInstructions({
    ...on(settled),
    side: "recipient",
    accountPayer: keeper,
    harvest: true,
    hookAccounts,
  });
  return {
    ...costs,
    "close the record": spend(settled.chain, keeper, await close(settled)),
    [`settle, making the account, harvesting, a hook of ${hookAccounts.length}`]: {
      units: 0,
      bytes: sizeOf(keeper, largest),
    },
  };
}

/** Lamports that the rent payer is without, in the end and until then; what others get of them is lost too. */
interface Bound {
  readonly forEver: bigint;
  /** The rent that stays away after the last part. */
  readonly for90Days: bigint;
  readonly untilThePayout: bigint;
}

/** Measured on one payment from beginning to end, sponsored, at the price of rent with which the chain begins. */
export async function measureRent(): Promise<Bound> {
  const world = await aWorld();
  const { chain, token, recipient } = world;
  const sponsor = anyAddress();
  chain.fund(sponsor);
  await give(chain, token, recipient, 0n);
  const start = chain.balance(sponsor);
  const paid = await pay(world, { payer: sponsor });
  const made = start - chain.balance(sponsor);
  chain.done(release(paid), await payOut(paid, "recipient"));
  const after = start - chain.balance(sponsor);
  chain.setTime(START + RETENTION);
  chain.done(await close(paid));
  const forEver = start - chain.balance(sponsor);
  return { forEver, for90Days: after - forEver, untilThePayout: made - after };
}

/** The same sum at another price: rent is a price times bytes. */
export const atPrice = ({ forEver, for90Days, untilThePayout }: Bound, price: bigint): Bound => ({
  forEver: (forEver / RENT_PRICE) * price,
  for90Days: (for90Days / RENT_PRICE) * price,
  untilThePayout: (untilThePayout / RENT_PRICE) * price,
});
