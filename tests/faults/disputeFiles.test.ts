import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { aJpeg, aPng, jpegSegment, PLACE } from "../../server/lib/pictures/testing/pictures.ts";
import { act, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { assertError, type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

/** Hostile files against the whole service, in a process of its own whose memory is read from outside. */
let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

async function newDispute(): Promise<string> {
  const intent = await shop.create();
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  await act(service, service.wallets["buyer-1"], "dispute", payment.id);
  const list = () => shop.get(`/disputes?payment=${payment.id}`);
  return eventually("the dispute is open", async () => (await list()).json.data[0]?.id);
}
const announcementOf = (name: string, bytes: Buffer) => ({
  ...{ name, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") },
});
async function announce(id: string, name: string, bytes: Buffer): Promise<URL> {
  const { status, json, text } = await shop.call("POST", `/disputes/${id}/files`, announcementOf(name, bytes), []);
  assert.equal(status, 201, text);
  return new URL(json.uploadUrl);
}
const filesOf = async (id: string): Promise<Wire[]> => (await shop.get(`/disputes/${id}`)).json.files;

test("§4.20.2 a name that is a path, or that hides something, is refused by its field", async () => {
  const id = await newDispute();
  const names = [
    "../a.png",
    "/etc/passwd",
    "a\\b.txt",
    "..",
    " ",
    "a\nb.txt",
    "a\u0000.txt",
    "a\u202egnp.exe",
    "a\u2028b",
  ];
  for (const name of [...names, "a".repeat(101)]) {
    const answer = await shop.call("POST", `/disputes/${id}/files`, announcementOf(name, Buffer.from("a")), []);
    assertError(answer, 400, "invalid_request", "name");
  }
});

test("§4.20.6 scripts in files of every type, and files that are of two types, are sent as what they begin with, and run nowhere", async () => {
  const id = await newDispute();
  const script = "<script>alert(1)</script>";
  const [png, jpeg] = [aPng(3, 2), aJpeg()];
  const exif = jpegSegment(0xe1, Buffer.from(`Exif\0\0${PLACE}`));
  const comment = jpegSegment(0xfe, Buffer.from(script));
  const sent = [
    ["a.svg", Buffer.concat([png, Buffer.from(`<svg onload="alert(1)"/>`)]), "image/png", png],
    ["a.html", Buffer.concat([jpeg.subarray(0, 2), exif, comment, jpeg.subarray(2)]), "image/jpeg", jpeg],
    [
      "a.hta",
      Buffer.from(`%PDF-1.7\n<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>\n${script}`),
      "application/pdf",
      null,
    ],
    ["a.js", Buffer.from(`alert(1)//${script}`), "text/plain; charset=utf-8", null],
  ] as const;
  for (const [name, bytes, type, kept] of sent) {
    const put = await fetch(await announce(id, name, bytes), { method: "PUT", body: new Uint8Array(bytes) });
    assert.equal(put.status, 201, name);
    const { url, name: shown } = (await filesOf(id)).at(-1)!;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } });
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), kept ?? bytes, name);
    assert.equal(answer.headers.get("content-type"), type);
    assert.equal(answer.headers.get("content-security-policy"), "sandbox; default-src 'none'");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.match(
      answer.headers.get("content-disposition")!,
      /^attachment; filename="df_test_[0-9a-z]{4}[0-9a-f]{32}\.(png|jpg|pdf|txt)"; /,
    );
    assert.match(shown, /^a\.(svg\.png|html\.jpg|hta\.pdf|js\.txt)$/);
  }
});

const MEGABYTE = 1_000_000;
/** The memory of the service's process, in megabytes. */
const rssMb = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.process.pid}/status`, "utf8"))![1]) / 1_000;

/** Writes a body of 10 GB from an address of this machine without looking at the answer, until the service hangs up. Returns the bytes written and the answer. */
function flood({ hostname, port, pathname }: URL, framing: string, localAddress: string) {
  const { promise, resolve } = Promise.withResolvers<{ readonly sent: number; readonly answer: string }>();
  const piece = Buffer.alloc(MEGABYTE, 0x41);
  const framed = framing === "chunked" ? Buffer.concat([Buffer.from("f4240\r\n"), piece, Buffer.from("\r\n")]) : piece;
  const header = framing === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${framing}`;
  const socket = connect({ host: "127.0.0.1", port: Number(port), localAddress });
  let [sent, answer] = [0, ""];
  const write = () => {
    while (!socket.destroyed && sent < 10_000 * MEGABYTE) {
      sent += piece.length;
      if (!socket.write(framed)) return;
    }
  };
  socket.on("connect", () => {
    socket.write(`PUT ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${header}\r\n\r\n`);
    write();
  });
  socket.on("drain", write);
  socket.on("data", (part) => {
    answer += part.toString();
  });
  // The service hangs up while bytes are on their way.
  socket.on("error", () => undefined);
  socket.on("close", () => resolve({ sent, answer }));
  return promise;
}

const ROUNDS = 48;

test("§4.20.4 streams of 10 GB that ignore their refusal are cut off, and the memory of the process stays flat", async (t) => {
  const ids = [await newDispute(), await newDispute()];
  const whole = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(5 * MEGABYTE - 9)]);
  // Two of a side are under way at a time: four of the two disputes. A refusal leaves the address as it was.
  const urls = await Promise.all([...ids, ...ids].map((id) => announce(id, "a.pdf", whole)));
  const memory: number[] = [];
  let sent = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const framing = round % 3 === 0 ? String(10_000 * MEGABYTE) : "chunked";
    for (const one of await Promise.all(urls.map((url) => flood(url, framing, `127.0.0.${round}`)))) {
      assert.ok(one.sent < 60 * MEGABYTE, `${one.sent} bytes were taken`);
      if (one.answer !== "") assert.match(one.answer, /^HTTP\/1\.1 413 /);
      sent += one.sent;
    }
    memory.push(rssMb());
  }
  const [early, late] = [memory.slice(0, ROUNDS / 2), memory.slice(ROUNDS / 2)].map((part) => Math.max(...part));
  t.diagnostic(
    `${ROUNDS * urls.length} streams, ${sent / MEGABYTE} MB written; memory in MB: ${memory.map(Math.round).join(" ")}`,
  );
  assert.ok(late! - early! < 60, `${early} MB at most in the first half, ${late} MB in the second`);
  for (const id of ids) assert.deepEqual(await filesOf(id), []);
  assert.equal(
    (await fetch(urls[0]!, { method: "PUT", body: whole })).status,
    201,
    "the announced bytes are still taken",
  );
});
