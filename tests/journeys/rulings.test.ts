import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { admin } from "../harness/admin.ts";
import { act, newBuyer, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, listEvents } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PART = "2000000";
const REASONS = "The parcel came three weeks late, and unopened.\nSo each side bears a part.";

let service: Service;
let shop: Merchant;
let arbiter: Browser;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-rulings-"));
  service = await startService();
  shop = await newMerchant(service);
  const login = { email: "arbiter@desk.example", password: "correct horse battery" };
  const { link } = await admin(service, "user", "add", login.email, "--arbiter");
  const { dashboardUrl } = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
  arbiter = new Browser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  const completed = { link: link.split("#link=")[1], password: login.password };
  assert.equal((await arbiter.post("/password-resets/complete", completed)).status, 200);
  assert.equal((await arbiter.post("/sign-in", login)).status, 200);
});
after(async () => {
  await service?.remove();
  await rm(folder, { recursive: true });
});

/** A disputed payment whose case the arbiter decides. */
async function deciding(): Promise<{ payment: Wire; dispute: Wire }> {
  const created = await shop.create();
  const buyer = await newBuyer(service);
  await pay(service, created, { buyer });
  const { payment } = await awaitPaid(shop, created.id);
  await act(service, buyer, "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  const { data } = (await shop.get(`/disputes?payment=${payment.id}`)).json;
  await toDeciding(data[0].id);
  return { payment, dispute: data[0] };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const pathOf = ({ id }: Wire) => `/desk/disputes/${id}/decisions`;
const freeze = (dispute: Wire, total = PART, reasons = REASONS) =>
  arbiter.post(pathOf(dispute), { total, reasons, noInterest: true });
const ended = (dispute: Wire): Promise<Wire> =>
  eventually("the case is closed", async () => {
    const { json } = await shop.get(`/disputes/${dispute.id}`);
    return json.status === "closed" && json.decision !== null && json;
  });

let files = 0;
async function verify(receipt: unknown, ...options: readonly string[]): Promise<{ code: number; output: string }> {
  const file = join(folder, `${++files}.json`);
  await writeFile(file, JSON.stringify(receipt));
  return new Promise((done) => {
    const command = ["receipt/main.ts", "verify", file, ...options];
    execFile(process.execPath, command, { cwd: ROOT }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}
