import assert from "node:assert/strict";
import { test } from "node:test";
import { AccountRole, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { sql } from "../../server/store/sql.ts";
import { Stage } from "./stage.ts";

/** More than a page, in one slot after the other. */
const SHOUTS = 1_050;

function shout({ net }: Stage, number: number): void {
  const { "buyer-3": wallet } = net.wallets;
  const transfer = getTransferSolInstruction({
    source: wallet.signer,
    destination: wallet.address,
    amount: lamports(BigInt(number + 1)),
  });
  const accounts = [...transfer.accounts, { address: net.operator, role: AccountRole.READONLY }];
  net.chain.send([{ ...transfer, accounts }], wallet);
}

const findChain = async ({ database }: Stage) =>
  (await database.row<{ cursor_slot: string; page_before: string | null }>(
    sql`select cursor_slot, page_before from chains where environment = 'test'`,
  ))!;

test("a page of transactions none of which is final: the cursor still moves, and a fork that takes the page's end stops nothing", async () => {
  await using stage = await Stage.open();
  const { controls } = stage.net;
  const [early, late] = [await stage.create(), await stage.create()];
  await stage.pay(early);
  stage.tick(12);
  controls.freezeFinality(true);
  await stage.pay(late);
  for (let number = 0; number < SHOUTS; number++) {
    shout(stage, number);
    if (number % 25 === 0) stage.tick();
  }
  stage.tick(2);
  assert.equal(await stage.feed(), true, "there is more than a page");
  const { page_before: end } = await findChain(stage);
  assert.ok(controls.drop(end!), "the fork takes the transaction that paging goes on from");

  await stage.catchUp();
  const { cursor_slot, page_before } = await findChain(stage);
  assert.deepEqual([Number(cursor_slot) > 0, page_before], [true, null], "final is what lies behind the first page");
  assert.equal((await stage.intent(early)).status, "paid");
  assert.equal((await stage.intent(late)).status, "paid");
  controls.freezeFinality(false);
  await stage.settle();
  await stage.assertSound();
});
