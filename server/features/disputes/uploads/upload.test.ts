import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import { after, before, test } from "node:test";
import type { BuyerBrowser } from "../../../../tests/harness/buyerBrowser.ts";
import { eventually } from "../../../../tests/harness/wait.ts";
import { openLanguages } from "../../../app/languages/languages.ts";
import { aJpeg, aPng, jpegSegment, PLACE } from "../../../lib/pictures/testing/pictures.ts";
import { sql } from "../../../store/sql.ts";
import { insertKey, listKeys } from "../../keys/queries.ts";
import { actIn, askArbiter, sendStatement } from "../actions.ts";
import { openWorld, pagePathOf, prove, type TestDispute } from "../testing/disputes.ts";
import { announceFile } from "./actions.ts";

let world: Awaited<ReturnType<typeof openWorld>>;
before(async () => {
  world = await openWorld({ languages: openLanguages(["de"]) });
});
after(() => world?.[Symbol.asyncDispose]());

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const announcementOf = (bytes: Buffer, name = "note.txt") => ({ name, size: bytes.length, sha256: hashOf(bytes) });
const tenantOf = ({ businessId }: TestDispute) => ({ businessId, environment: "test" }) as const;
const NOTE = Buffer.from("The parcel is empty.\n");

async function aProvenDispute(): Promise<{ one: TestDispute; browser: BuyerBrowser }> {
  const one = await world.aDispute();
  const browser = world.aBrowser();
  await prove(browser, one);
  return { one, browser };
}

async function announce(browser: BuyerBrowser, one: TestDispute, bytes: Buffer, name?: string): Promise<string> {
  const answer = await browser.post(`${pagePathOf(one)}/files`, announcementOf(bytes, name));
  assert.equal(answer.status, 201, JSON.stringify(answer.json));
  return answer.json.uploadUrl;
}
/** The merchant's announcement, as a key makes it. */
async function announceOfShop(one: TestDispute, bytes: Buffer, name = "note.txt", at = world): Promise<string> {
  const known = await listKeys(at.database, one.businessId);
  const { id } = known[0] ?? (await insertKey(at.database, one.businessId, "test"))!.key;
  const by = { side: "merchant", author: id, authorKind: "key", sessionId: null } as const;
  const announced = await at.database.transaction((db) =>
    announceFile(db, tenantOf(one), one.disputeId, by, announcementOf(bytes, name)),
  );
  return `/pay/uploads/${announced!.token}`;
}
const put = async (path: string, body: Buffer, headers = {}) => {
  const answer = await fetch(`${world.url}${path}`, { method: "PUT", body: new Uint8Array(body), headers });
  return {
    status: answer.status,
    json: (await answer.json()) as never as Record<string, never> & {
      error: { code: string; message: string; reason?: string; details?: { reason: string } };
    },
  };
};
const countOf = async (table: "dispute_files" | "dispute_file_parts", { disputeId }: TestDispute) =>
  (await world.database.row<{ count: number }>(
    table === "dispute_files"
      ? sql`select count(*)::int as count from dispute_files where dispute_id = ${disputeId}`
      : sql`select count(*)::int as count from dispute_file_parts where dispute_id = ${disputeId}`,
  ))!.count;
/** Sends a body piece by piece, without an announced length; resolves with the answer and the bytes that were taken. */
function stream(path: string, pieces: Iterable<Buffer>, end = true) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | null; text: string; sent: number }>();
  const { hostname, port } = new URL(world.url);
  const call = request({ host: hostname, port, path, method: "PUT", headers: { "transfer-encoding": "chunked" } });
  let [sent, answered] = [0, false];
  call.on("response", (answer) => {
    answered = true;
    const parts: Buffer[] = [];
    answer.on("data", (part: Buffer) => parts.push(part));
    answer.on("end", () => resolve({ status: answer.statusCode!, text: Buffer.concat(parts).toString(), sent }));
    answer.on("error", reject);
  });
  // The server hangs up on what it does not read. A client that still writes may see that before it reads the answer.
  call.on("error", (error: NodeJS.ErrnoException) => {
    if (answered) return;
    if (error.code === "EPIPE" || error.code === "ECONNRESET") resolve({ status: null, text: "", sent });
    else reject(error);
  });
  const write = async () => {
    for (const piece of pieces) {
      if (answered || call.destroyed) return;
      sent += piece.length;
      if (!call.write(piece)) await new Promise((next) => call.once("drain", next).once("close", next));
    }
    if (end) call.end();
  };
  write().catch(reject);
  return promise.finally(() => call.destroy());
}

test("§4.20.4 a picture is kept without its place, and both sides are sent it as an attachment that runs nothing", async () => {
  const { one, browser } = await aProvenDispute();
  const plain = aJpeg();
  const sent = Buffer.concat([plain.subarray(0, 2), jpegSegment(0xe1, Buffer.from(PLACE)), plain.subarray(2)]);
  const url = await announce(browser, one, sent, 'Mein "Foto" (1).jpg');
  const kept = await put(url, sent);
  assert.equal(kept.status, 201, JSON.stringify(kept.json));
  const { id, ...rest } = kept.json;
  assert.deepEqual(rest, {
    ...{ object: "dispute_file", name: 'Mein "Foto" (1).jpg', type: "image/jpeg", size: plain.length },
    ...{ sha256: hashOf(plain), sentSha256: hashOf(sent) },
  });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${world.url}${pagePathOf(one)}/files/${id}`, {
    headers: { cookie, "sec-fetch-site": "same-origin" },
  });
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), plain);
  const header = (name: string) => answer.headers.get(name);
  assert.equal(header("content-security-policy"), "sandbox; default-src 'none'");
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.equal(header("content-type"), "image/jpeg");
  assert.equal(header("cache-control"), "no-store");
  assert.equal(
    header("content-disposition"),
    `attachment; filename="${id}.jpg"; filename*=UTF-8''Mein%20%22Foto%22%20%281%29.jpg`,
  );
  assert.equal((await put(url, sent)).status, 404, "a token is used once");
  const row = await world.database.row<{ turn: string; buyer: number; event: string }>(sql`
    select d.turn, d.buyer_files as buyer, e.body as event from disputes d join events e on e.business_id = d.business_id
    where d.id = ${one.disputeId} order by e.sequence desc limit 1`);
  assert.deepEqual([row!.turn, row!.buyer], ["merchant", 1]);
  assert.match(row!.event, /"files":\{"buyer":1,"merchant":0\}/);
  assert.doesNotMatch(row!.event, /Foto/);
});

test("§4.20.4 a large file is kept in parts and sent byte by byte the same", async () => {
  const { one, browser } = await aProvenDispute();
  const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(5_000_000 - 9)]);
  const { id } = (await put(await announce(browser, one, bytes, "scan.html"), bytes)).json;
  assert.equal(await countOf("dispute_file_parts", one), 20);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${world.url}${pagePathOf(one)}/files/${id}`, {
    headers: { cookie, "sec-fetch-site": "same-origin" },
  });
  assert.equal(hashOf(Buffer.from(await answer.arrayBuffer())), hashOf(bytes));
  assert.match(answer.headers.get("content-disposition")!, /scan\.html\.pdf$/);
});

test("§4.20.4 longer, shorter, other, late, packed and wrong bytes are refused, and nothing of them is kept", async () => {
  const { one, browser } = await aProvenDispute();
  const url = await announce(browser, one, NOTE);
  const svg = Buffer.from("<svg onload=alert(1)/>");
  const svgUrl = await announce(browser, one, svg, "harmless.png");
  const huge = aPng(50_000, 50_000);
  const hugeUrl = await announce(browser, one, huge, "huge.png");
  const other = Buffer.from(NOTE).fill("x");
  const statusOf = async (path: string, bytes: Buffer, headers = {}) => (await put(path, bytes, headers)).status;
  assert.equal(await statusOf(url, Buffer.concat([NOTE, NOTE])), 413);
  assert.equal(await statusOf(url, NOTE.subarray(1)), 400);
  assert.equal(await statusOf(url, other), 400);
  assert.equal(await statusOf(url, NOTE, { "content-encoding": "gzip" }), 415);
  assert.equal(await statusOf(svgUrl, svg), 415);
  assert.equal(await statusOf(hugeUrl, huge), 400);
  assert.equal((await stream(url, [NOTE.subarray(0, 5)])).status, 400, "shorter, in chunks");
  const late = await stream(url, [NOTE.subarray(0, 5)], false);
  assert.match(late.text, /did not arrive in time/);
  assert.equal(await countOf("dispute_files", one), 0);
  assert.equal(await countOf("dispute_file_parts", one), 0);
  assert.equal(await statusOf(url, NOTE), 201, "the announced bytes are still taken");
});

test("§4.20.4 a stream of 10 GB is cut off once it is longer than announced, and memory stays flat", async () => {
  const { one, browser } = await aProvenDispute();
  const url = await announce(browser, one, randomBytes(4_000_000), "a.pdf");
  const piece = Buffer.alloc(1_000_000, 0x41);
  function* endless() {
    for (let sent = 0; sent < 10_000; sent++) yield piece;
  }
  const before = process.memoryUsage.rss();
  const answer = await stream(url, endless());
  assert.ok(answer.status === 413 || answer.status === null, String(answer.status));
  assert.ok(answer.sent < 40_000_000, `${answer.sent} bytes were taken`);
  // Other tests of the process let it grow, too, but by no part of 10 GB.
  assert.ok(process.memoryUsage.rss() - before < 300_000_000);
  assert.equal(await countOf("dispute_files", one), 0);
});

test("§4.20.1 ten files a side are reserved: one side uses up its own, the other still has all of its", async () => {
  const { one, browser } = await aProvenDispute();
  const urls: string[] = [];
  for (let count = 0; count < 10; count++) urls.push(await announce(browser, one, NOTE));
  const eleventh = await browser.post(`${pagePathOf(one)}/files`, announcementOf(NOTE));
  assert.deepEqual([eleventh.status, eleventh.json.error.details.reason], [409, "limit_reached"]);
  for (const url of urls) assert.equal((await put(url, NOTE)).status, 201);
  assert.equal((await browser.post(`${pagePathOf(one)}/files`, announcementOf(NOTE))).status, 409);
  await announceOfShop(one, NOTE, "ours.txt").then((url) => put(url, NOTE));
  assert.equal(await countOf("dispute_files", one), 11);
  await assert.rejects(
    world.database.rows(sql`
      insert into dispute_files select business_id, dispute_id, 'df_x', 20, side, 10, author, author_kind, name, type, size,
        sha256, salt, salted_sha256, created_at from dispute_files where dispute_id = ${one.disputeId} and side = 'buyer'
        and of_side = 1`),
    /dispute_files_business_id_dispute_id_side_of_side_key/,
  );
  await assert.rejects(
    world.database.rows(sql`delete from dispute_files where dispute_id = ${one.disputeId}`),
    /never/,
  );
});

test("§4.20.4 of the same upload at once one is kept, and slow ones of a side leave room for its next", async () => {
  const { one, browser } = await aProvenDispute();
  const url = await announce(browser, one, NOTE);
  const answers = await Promise.all(Array.from({ length: 6 }, () => put(url, NOTE)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const { status } of answers) assert.ok([201, 404].includes(status), String(status));
  assert.equal(await countOf("dispute_files", one), 1);
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => announce(browser, one, NOTE)));
  const slow = [first, second].map((path) => hold(world.url, path!, "192.0.2.1"));
  assert.equal((await put(third!, NOTE)).status, 201);
  for (const { end } of slow) end();
});

/** Sends the headers of an upload and its first byte, from a network; the rest never comes. */
function hold(url: string, path: string, network: string) {
  const { hostname, port } = new URL(url);
  const headers = { "content-length": NOTE.length, "x-address": network };
  const call = request({ host: hostname, port, path, method: "PUT", headers });
  const answer = new Promise<number | null>((done) => {
    call.on("response", ({ statusCode }) => done(statusCode!)).on("error", () => done(null));
  });
  call.write(NOTE.subarray(0, 1));
  return { answer, end: () => call.destroy() };
}

test("§4.20.4 slow files from 64 networks and of one's own disputes make room for each other side", async () => {
  // Room for 16 small files.
  await using world = await openWorld({ uploadBytesMax: 16 * 65_536 });
  const greedy = await world.aDispute();
  const paths: string[] = [];
  for (let count = 0; count < 8; count++) {
    const one = await world.aDispute({ businessId: greedy.businessId });
    for (let file = 0; file < 8; file++) paths.push(await announceOfShop(one, NOTE, "a.txt", world));
  }
  const held = paths.map((path, at) => hold(world.url, path, `2001:db8:5:${at.toString(16)}::1`));
  await eventually("the room is full", async () => {
    const answered = await Promise.all(held.map(({ answer }) => Promise.race([answer, null])));
    return answered.filter((status) => status === 429).length === 64 - 16;
  });
  for (const network of ["2001:db8:5:ff::1", "2001:db8:5:ff00::1", "2001:db8:6::1", "192.0.2.1"]) {
    const url = await announceOfShop(await world.aDispute(), NOTE, "evidence.txt", world);
    const answer = await fetch(`${world.url}${url}`, {
      ...{ method: "PUT", body: new Uint8Array(NOTE), headers: { "x-address": network } },
    });
    assert.equal(answer.status, 201, `${network}: ${await answer.text()}`);
  }
  for (const { end } of held) end();
});

test("§4.20.4 files whose bytes have all arrived keep their room until they are kept or refused", async () => {
  // Room for two.
  await using world = await openWorld({ uploadBytesMax: 2 * 65_536 });
  const [greedy, modest] = [await world.aDispute(), await world.aDispute()];
  const urls: string[] = [];
  for (const one of [greedy, greedy, modest]) urls.push(await announceOfShop(one, NOTE, "a.txt", world));
  const send = async (path: string | undefined) =>
    (await fetch(`${world.url}${path}`, { method: "PUT", body: new Uint8Array(NOTE) })).status;
  const whole = await world.database.transaction(async (db) => {
    await db.rows(sql`lock table dispute_file_parts`);
    const sent = urls.slice(0, 2).map(send);
    await eventually("both have arrived, and wait for the database", () =>
      db.has(sql`
        select from pg_locks l join pg_database d on d.oid = l.database
        where not l.granted and d.datname = current_database() having count(*) >= 2`),
    );
    assert.equal(await send(urls[2]), 429);
    return { sent };
  });
  assert.deepEqual(await Promise.all(whole.sent), [201, 201]);
  assert.equal(await send(urls[2]), 201);
});

test("§4.20.4 an upload that breaks at once gives its room back at once", async () => {
  // Room for one.
  await using world = await openWorld({ uploadBytesMax: 65_536 });
  const one = await world.aDispute();
  const [broken, whole] = [
    await announceOfShop(one, NOTE, "a.txt", world),
    await announceOfShop(one, NOTE, "b.txt", world),
  ];
  for (let tries = 0; tries < 20; tries++) {
    const { hostname, port } = new URL(world.url);
    const call = request({
      host: hostname,
      port,
      path: broken,
      method: "PUT",
      headers: { "content-length": NOTE.length },
    });
    call.on("error", () => undefined).flushHeaders();
    await new Promise((done) => call.on("socket", (socket) => socket.once("connect", done)));
    call.destroy();
  }
  await eventually("the room is free", async () => {
    const answer = await fetch(`${world.url}${whole}`, { method: "PUT", body: new Uint8Array(NOTE) });
    return [201, 404].includes(answer.status);
  });
});

test("§4.20.4 an upload and its place end with the session or the key that announced it", async () => {
  const { one, browser } = await aProvenDispute();
  const url = await announce(browser, one, NOTE);
  for (let count = 1; count < 10; count++) await announce(browser, one, NOTE);
  const [own] = (await browser.get(`${pagePathOf(one)}/sessions`)).json.sessions;
  assert.equal((await browser.post(`${pagePathOf(one)}/sessions/${own.id}/end`)).status, 200);
  assert.equal((await put(url, NOTE)).status, 404);
  const next = world.aBrowser();
  await prove(next, one);
  await announce(next, one, NOTE);
  const ofKey = await announceOfShop(one, NOTE);
  const [key] = await listKeys(world.database, one.businessId);
  await world.database.rows(sql`update api_keys set revoked_at = now(), slot = null where id = ${key!.id}`);
  assert.equal((await put(ofKey, NOTE)).status, 404);
});

test("§4.20.1 while the arbiter decides, files follow the side's one word within an hour, and its end ends them", async () => {
  const { one, browser } = await aProvenDispute();
  const act = (draft: Parameters<typeof actIn>[3]) =>
    world.database.transaction((db) => actIn(db, tenantOf(one), one.disputeId, draft));
  const early = await announceOfShop(one, NOTE);
  await act(sendStatement("merchant", { author: "key_1", authorKind: "key" }, "We sent it."));
  await act(askArbiter("buyer"));
  await act(askArbiter("merchant"));
  const refused = await put(early, NOTE);
  assert.deepEqual([refused.status, refused.json.error.reason], [409, "not_your_turn"]);
  assert.equal((await put(await announce(browser, one, NOTE), NOTE)).status, 201, "the buyer's one word");
  assert.equal((await put(await announce(browser, one, NOTE), NOTE)).status, 201, "follows it");
  assert.equal((await put(early, NOTE)).status, 201, "the merchant's answer");
  assert.equal((await browser.post(`${pagePathOf(one)}/statements`, { text: "More." })).status, 409);
  await world.database.rows(sql`update clocks set ahead = ahead + interval '61 minutes' where environment = 'test'`);
  const late = await browser.post(`${pagePathOf(one)}/files`, announcementOf(NOTE));
  assert.deepEqual([late.status, late.json.error.details.reason], [409, "not_your_turn"]);
});

test("§4.20.4 a token ends after ten minutes, and an unknown one is nobody's", async () => {
  const { one, browser } = await aProvenDispute();
  const url = await announce(browser, one, NOTE);
  await world.database.rows(sql`update clocks set ahead = ahead + interval '601 seconds' where environment = 'test'`);
  for (const path of [url, `/pay/uploads/${"a".repeat(43)}`, "/pay/uploads/a", "/staff/v1/uploads/%00"])
    assert.equal((await put(path, NOTE)).status, 404, path);
});

test("§12.19 a buyer is refused in the language of the page, a merchant and the staff in English", async () => {
  const { one, browser } = await aProvenDispute();
  const german = world.aBrowser({ ...browser.headers, "accept-language": "de" });
  const unproven = await german.post(`${pagePathOf(one)}/statements`, { text: "Leer." });
  assert.match(unproven.json.error.message, /^Weisen Sie zuerst nach/);
  const bytes = Buffer.from([0, 1, 2]);
  const refusalOf = async (path: string) => (await put(path, bytes, { "accept-language": "de" })).json.error.message;
  assert.match(await refusalOf(await announce(browser, one, bytes)), /^Senden Sie ein Bild/);
  assert.match(await refusalOf(await announceOfShop(one, bytes)), /^Send a PNG/);
  assert.match(await refusalOf("/pay/uploads/a"), /^Der Upload ist beendet/);
  assert.match(await refusalOf("/staff/v1/uploads/a"), /^This upload has ended/);
});

test("§16.8 files of a dispute are for who has proven its wallet, and for no other dispute", async () => {
  const { one, browser } = await aProvenDispute();
  const { id } = (await put(await announce(browser, one, NOTE), NOTE)).json;
  const { one: second, browser: other } = await aProvenDispute();
  const path = `${pagePathOf(one)}/files`;
  assert.equal((await world.aBrowser().get(`${path}/${id}`)).status, 401);
  assert.equal((await world.aBrowser().post(path, announcementOf(NOTE))).status, 401);
  assert.equal((await other.get(`${path}/${id}`)).status, 401);
  assert.equal((await other.get(`${pagePathOf(second)}/files/${id}`)).status, 404);
  assert.equal((await browser.get(`${path}/df_test_${"0".repeat(36)}`)).status, 404);
  const elsewhere = await fetch(`${world.url}${path}/${id}`, {
    headers: { "sec-fetch-site": "cross-site", cookie: [...browser.cookies].map((one) => one.join("=")).join("; ") },
  });
  assert.equal(elsewhere.status, 403);
  for (const input of [
    { ...announcementOf(NOTE), name: "../a.txt" },
    { ...announcementOf(NOTE), name: "a\u202etxt.exe" },
    { ...announcementOf(NOTE), name: `a${"\u0489".repeat(90)}.txt` },
    { ...announcementOf(NOTE), name: `invoice.pdf${" ".repeat(30)}.exe` },
    { ...announcementOf(NOTE), size: 5_000_001 },
    { ...announcementOf(NOTE), size: 0 },
    { ...announcementOf(NOTE), sha256: "A".repeat(64) },
  ]) {
    const answer = await browser.post(path, input);
    assert.equal(answer.status, 400, JSON.stringify(input));
    assert.ok(answer.json.error.message.length <= 80);
  }
});
