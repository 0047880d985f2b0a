import assert from "node:assert/strict";
import { test } from "node:test";
import type { Receipt } from "@holdfast/receipt";
import type { Sealing } from "../../domain/sealing.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { publishDeployment, rotateReceiptKey, signAt } from "./actions.ts";

/** Seals by naming the owner, and opens for that owner alone. */
const SEALING: Sealing = {
  prefix: "receipt key",
  seal: (boundTo, text) => `${boundTo}: ${text}`,
  open: (boundTo, sealed) => {
    const start = `${boundTo}: `;
    if (!sealed.startsWith(start)) throw new Error("The key-encryption key of version 1 is missing.");
    return sealed.slice(start.length);
  },
};
const LOST: Sealing = { ...SEALING, open: () => SEALING.open("nobody", "") };

async function open(sealing: Sealing | null = SEALING) {
  const opened = await openTestDatabase();
  const lines: string[] = [];
  const { database } = opened;
  const ctx = { database, sealing, checkoutUrl: "https://pay.example", log: (line: string) => void lines.push(line) };
  return { opened, ctx, lines };
}
const draft = async (issuedAt: Date) => ({ issuedAt: issuedAt.toISOString() }) as Receipt;

test("§15 processes that need the first key at once make one, and all sign with it", async () => {
  const { opened, ctx } = await open();
  await using _ = opened;
  const published = await Promise.all(Array.from({ length: 8 }, () => publishDeployment(ctx)));
  const [first] = published;
  assert.equal(first!.keys.length, 1);
  for (const one of published) assert.deepEqual(one.keys, first!.keys);
  const signed = await signAt(ctx, draft);
  const header = JSON.parse(Buffer.from(signed!.signature.protected, "base64url").toString());
  assert.equal(header.kid, first!.keys[0]!.kid);
});

test("§15 a rotation deletes the secret of the key before, and publishes both", async () => {
  const { opened, ctx } = await open();
  await using _ = opened;
  assert.equal((await rotateReceiptKey(ctx.database, SEALING)).retired, null);
  const { kid } = (await publishDeployment(ctx)).keys[0]!;
  const { id, retired } = await rotateReceiptKey(ctx.database, SEALING);
  assert.equal(retired, kid);
  const rows = await ctx.database.rows(
    sql`select id, sealed_secret is null as gone, retired_at is null as active from receipt_signing_keys order by active`,
  );
  assert.deepEqual(rows, [
    { id: kid, gone: true, active: false },
    { id, gone: false, active: true },
  ]);
  assert.deepEqual(new Set((await publishDeployment(ctx)).keys.map((one) => one.kid)), new Set([kid, id]));
});

test("§15 a process without the keys of secrets signs nothing, and one that lost them says so", async () => {
  const { opened, ctx, lines } = await open(null);
  await using _ = opened;
  assert.equal(await signAt(ctx, draft), null);
  assert.deepEqual((await publishDeployment(ctx)).keys, [], "it makes no key that it could not encrypt");
  await rotateReceiptKey(ctx.database, SEALING);
  assert.equal(await signAt({ ...ctx, sealing: LOST }, draft), null);
  assert.match(lines.join(), /^The key of receipts .* cannot be decrypted\. Make another: npm run admin/);
  assert.notEqual(await signAt({ ...ctx, sealing: SEALING }, draft), null);
});
