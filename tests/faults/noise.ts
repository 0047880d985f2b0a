import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { AccountRole, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { sql } from "../../server/store/sql.ts";
import { newBuyer, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { newMerchant } from "../harness/merchant.ts";
import { assertSound } from "./checker.ts";
import { awaitQuiet } from "./quiet.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";

export interface Noise {
  readonly transactions: number;
  /** Real payments, spread over the noise. */
  readonly payments: number;
  /** RSS at the end over RSS one sixth of the way in. */
  readonly growthMax: number;
}

const BATCH = 50;

/** An attacker pays fees to fill the operator's history with transactions that are not payments. */
export async function runNoise({ transactions, payments, growthMax }: Noise): Promise<Figures> {
  const service = await StandaloneService.start();
  try {
    const shop = await newMerchant(service);
    const buyer = await newBuyer(service);
    const shout = await makeShout(service, BATCH);
    const payEvery = Math.max(1, Math.floor(transactions / payments));
    const waits: Promise<number>[] = [];
    const rssMb: number[] = [];
    let backlogMax = 0;
    const startedAt = performance.now();
    for (let sent = 0; sent < transactions; sent += BATCH) {
      await shout(sent);
      rssMb.push(readRssMb(service.process.pid!));
      if (Math.floor(sent / payEvery) === Math.floor((sent + BATCH) / payEvery)) continue;
      backlogMax = Math.max(backlogMax, await countUnread(service));
      const intent = await shop.create();
      await pay(service, intent, { buyer });
      const paidAt = performance.now();
      waits.push(awaitPaid(shop, intent.id).then(() => performance.now() - paidAt));
    }
    const sentMs = performance.now() - startedAt;
    const boundMs = Math.max(...(await Promise.all(waits)));
    await awaitQuiet(service);
    const drainedMs = performance.now() - startedAt - sentMs;

    const around = (share: number) => {
      const at = Math.floor(rssMb.length * share);
      return median(rssMb.slice(Math.max(0, at - rssMb.length / 50), at + 1));
    };
    const [early, late] = [around(1 / 6), around(1)];
    const report = await assertSound(service.database, service.evidence);
    const figures = {
      transactions,
      "transactions a second": Math.round(transactions / (sentMs / 1000)),
      payments: waits.length,
      "bound after, ms at most": Math.round(boundMs),
      "unread at most": backlogMax,
      "inbox drained after, ms": Math.round(drainedMs),
      "RSS one sixth of the way in, MB": early,
      "RSS at the end, MB": late,
      growth: (late / early).toFixed(3),
    };
    assert.ok(late <= early * growthMax, `memory grew: ${JSON.stringify(figures)}`);
    return { figures, report };
  } finally {
    await service.remove();
  }
}

/** Sends a batch of transfers that name the operator for nothing, each different from all others. */
export async function makeShout(service: StandaloneService, batch: number): Promise<(number: number) => Promise<void>> {
  const shouter = await newBuyer(service);
  const draft = (amount: number) => {
    const transfer = getTransferSolInstruction({
      source: shouter.signer,
      destination: shouter.address,
      amount: lamports(BigInt(amount)),
    });
    return { ...transfer, accounts: [...transfer.accounts, { address: service.operator, role: AccountRole.READONLY }] };
  };
  return async (number) => {
    const blockhash = await latestBlockhash(service.rpcUrl);
    const calls = Array.from({ length: batch }, (_, index) => {
      const { wire } = signTransaction({ instructions: [draft(number + index)], wallets: [shouter], blockhash });
      const params = [Buffer.from(wire).toString("base64"), { encoding: "base64", skipPreflight: true }];
      return { jsonrpc: "2.0", id: index, method: "sendTransaction", params };
    });
    const answer = await fetch(service.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(calls),
    });
    const results = (await answer.json()) as { error?: { message: string } }[];
    const refused = results.find((result) => result.error !== undefined);
    if (refused !== undefined) throw new Error(`The noise was refused: ${refused.error!.message}`);
  };
}

async function countUnread({ database }: StandaloneService): Promise<number> {
  const row = await database.row<{ count: string }>(sql`select count(*) from chain_inbox where not processed`);
  return Number(row!.count);
}

const readRssMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
