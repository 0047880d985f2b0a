import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { addressSealing } from "../../server/domain/buyerAddress.ts";
import type { Visitor } from "../../server/domain/callers.ts";
import { openMailboxes, requireSecret } from "../../server/features/buyerEmails/actions.ts";
import { hashMailbox, keyOfMailbox } from "../../server/features/buyerEmails/buyerEmail.ts";
import { pay } from "../../server/features/buyerEmails/testing.ts";
import { actNow, insertDispute } from "../../server/features/disputes/testing.ts";
import { DAY_MS } from "../../server/features/disputes/waits.ts";
import { notifyUser } from "../../server/features/staff/fragments.ts";
import { requestReset } from "../../server/features/staff/signIn/actions.ts";
import { insertIntent } from "../../server/features/staff/testing/objects.ts";
import { showKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { type StaffServer, startStaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { inForm } from "../harness/form.ts";
import { startMailServer } from "../harness/mailServer.ts";
import { eventually } from "../harness/wait.ts";
import { Random } from "./random.ts";

const PROCESS = fileURLToPath(new URL("./emailProcess.ts", import.meta.url));
const KILLS = inForm({ short: 4, long: 200 });
/** What the mail server has just read of an email when its sender is killed. */
const MOMENTS = ["EHLO", "MAIL", "RCPT", "DATA", "."] as const;
/** The sender lives for so many ms more at most: the mail server may have answered, and the row may be gone. */
const LIVES_MS_MAX = 8;
const ARBITER = "arbiter@desk.example";

/** What people do in one round. Returns the emails that it causes, one text for each. */
async function act(staff: StaffServer, round: number): Promise<string[]> {
  const { database } = staff;
  const [email, other] = [`user${round}@shop.example`, `other${round}@shop.example`];
  const [id, otherId] = [await staff.addUser(email), await staff.addUser(other)];
  const visitor = { address: `network ${round}` };
  // Five of one kind in an hour go to one user.
  for (let count = 0; count < 7; count++)
    await database.transaction((db) => notifyUser(db, { id, email }, { notice: "signed_in" }, visitor));
  await requestReset(staff.ctx, visitor as Visitor, email);
  const businessId = await staff.addBusiness(`shop ${round}`, { [id]: "owner", [otherId]: "disputes" });
  const tenant = { businessId, environment: "test" } as const;
  const dispute = await insertDispute(database, tenant, 84 * DAY_MS);
  await actNow(database, dispute, () => ({ happening: { kind: "clock" } }));
  return [
    ...Array<string>(5).fill(`${email} Your account was signed in to from a new browser`),
    `${email} Set a new password`,
    ...[email, other].map((to) => `${to} [Test] A dispute was opened`),
    `${ARBITER} ${dispute.id}`,
    ...(await payAsBuyers(staff, businessId, round)),
  ];
}

/** Buyers of an order, of whom one has confirmed the mailbox and another has ended emails. */
async function payAsBuyers({ database, ctx }: StaffServer, businessId: string, round: number): Promise<string[]> {
  const tenant = { businessId, environment: "test" } as const;
  const sealing = ctx.sealing!;
  const mailboxes = openMailboxes(ctx, sealing);
  const secret = await requireSecret(database, sealing);
  const [told, asked, ended] = ["told", "asked", "ended"].map((name) => `${name}${round}@buyer.example`);
  const set = (email: string, consent: "confirmed" | "stopped") =>
    mailboxes.set(keyOfMailbox(secret, hashMailbox(secret, email)), consent);
  await Promise.all([set(told!, "confirmed"), set(ended!, "stopped")]);
  for (const email of [told!, asked!, ended!]) {
    const sealedEmail = addressSealing(sealing).seal(businessId, email);
    const { intent } = await insertIntent(database, tenant, { sealedEmail, protectionPeriod: "threeDays" });
    const { move } = await pay(database, intent, new Date(Date.now() - 36 * 3_600_000));
    if (email === told) await move({ refundTotal: "1", amountRefunded: "1", refundedAt: new Date() });
  }
  return [
    `${told} [Test] You paid: your receipt`,
    `${told} [Test] Your protection ends soon`,
    `${told} [Test] You got a refund`,
    `${asked} [Test] Confirm your email address`,
  ];
}

const countOf = (all: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(all, (one) => one)].map(([one, { length }]) => [one, length]));

test(`§13.3.4 an email is sent though its sender is killed ${KILLS} times, at most one more for each kill`, async () => {
  const random = new Random(1);
  await using staff = await startStaffServer();
  await using mail = await startMailServer("127.0.0.1");
  const { database } = staff;
  await staff.addUser(ARBITER);
  await database.rows(sql`update users set is_arbiter = true where email = ${ARBITER}`);

  const received: string[] = [];
  let onRead = (_: string): void => undefined;
  mail.answer = (line) => {
    onRead(line);
    // Now and then the server is too busy for an email, or for all.
    if (line.startsWith("RCPT") && random.whole(1, 6) === 1) return "451 later";
    if (line.startsWith("MAIL") && random.whole(1, 12) === 1) return "421 closing";
    if (line === ".") received.push(readLast(mail.lines));
    return null;
  };
  let sender: ChildProcess | null = null;
  const start = () => {
    sender = spawn(
      process.execPath,
      [...process.execArgv, PROCESS, staff.databaseUrl, mail.url, JSON.stringify(showKeyRing(staff.ring))],
      {
        stdio: "inherit",
        env: { ...process.env, HOLDFAST_PARENT: String(process.pid) },
      },
    );
    return sender;
  };
  try {
    const caused: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      caused.push(...(await act(staff, round)));
      const child = start();
      const moment = random.pick(MOMENTS);
      let left = random.whole(1, 3);
      const livesMs = random.whole(0, LIVES_MS_MAX);
      onRead = (line) => {
        if (!line.startsWith(moment) || --left > 0) return;
        if (livesMs === 0) child.kill("SIGKILL");
        else setTimeout(() => child.kill("SIGKILL"), livesMs);
      };
      const [, signal] = await once(child, "exit");
      assert.equal(signal, "SIGKILL");
      // As hours later.
      await database.rows(
        sql`update emails set due_at = now(), leased_until = case when leased_until is not null then now() end`,
      );
    }
    onRead = () => undefined;
    start();
    await eventually("all is sent", async () => {
      await database.rows(sql`update emails set due_at = now() where leased_until is null`);
      return !(await isWaiting(staff));
    });
    const [wanted, got] = [countOf(caused), countOf(received)];
    assert.deepEqual([...got.keys()].toSorted(), [...wanted.keys()].toSorted());
    const lost = [...wanted].filter(([one, count]) => got.get(one)! < count);
    assert.deepEqual(lost, []);
    const repeated = received.length - caused.length;
    assert.ok(repeated <= KILLS, `${repeated} emails were repeated by ${KILLS} kills`);
    console.log(`${caused.length} emails, ${KILLS} kills, ${repeated} repeated`);
  } finally {
    (sender as ChildProcess | null)?.kill("SIGKILL");
  }
});

/** True while an email waits, or news or a date that has none yet. */
const isWaiting = ({ database }: StaffServer): Promise<boolean> =>
  database.has(sql`
    select true where exists (select from emails) or exists (select from buyer_notices where due_at <= now())
      or exists (select from dispute_notices where side = 'merchant' and coalesce(due_at, created_at) <= now())
      or exists (select from disputes d where not exists (select from arbiter_emails l where l.dispute_id = d.id))`);

/** The address and the subject of the email that has just been read; of a warning the dispute. */
function readLast(lines: readonly string[]): string {
  const text = lines.slice(lines.findLastIndex((line) => line.startsWith("RCPT TO:")));
  const to = /<(.*)>/.exec(text[0]!)![1]!;
  const dispute = to === ARBITER ? /\/desk\/(\w+)/.exec(text.join("\n").replaceAll("=\n", ""))?.[1] : undefined;
  return `${to} ${dispute ?? text.find((line) => line.startsWith("Subject: "))!.slice("Subject: ".length)}`;
}
