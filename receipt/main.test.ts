import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { aDeployment, aReceipt, ISSUER } from "./fixtures.ts";
import { repeatedMember } from "./receipt.ts";
import { signReceipt } from "./signature.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-receipt-"));
});
after(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function write(text: string): Promise<string> {
  const file = join(folder, `${++files}.json`);
  await writeFile(file, text);
  return file;
}

/** Runs the command on a file with this text. */
async function verify(text: string, ...options: readonly string[]): Promise<{ code: number; output: string }> {
  const command = [fileURLToPath(new URL("main.ts", import.meta.url)), "verify", await write(text), ...options];
  return new Promise((done) => {
    execFile(process.execPath, command, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

test("§15 a file that has a member twice differs, since its readers may see another value than was signed", async () => {
  const { key, keys } = await aDeployment();
  const file = await write(JSON.stringify(keys));
  const receipt = JSON.stringify(await signReceipt(await aReceipt(), key));
  assert.equal((await verify(receipt, "--keys", file)).code, 0);
  for (const [at, twice] of [
    ['"payment":{', '"amount":"9000000000",'],
    ['"payment":{', '"st\\u0061tus" : "refunded",'],
    ['{"object"', '{"issuer":"https://other.example",'],
  ] as const) {
    const changed = receipt.replace(at, at.startsWith("{") ? `${twice}${at.slice(1)}` : `${at}${twice}`);
    assert.notEqual(changed, receipt);
    const { code, output } = await verify(changed, "--keys", file);
    assert.deepEqual([code, output.split("\n", 1)[0]], [1, "Differs."]);
    assert.match(output, /is twice in the receipt, and once by receipts of version 1\./);
  }
});

test("§15 members of the same name in different objects, and texts that look like members, are no repetition", () => {
  for (const json of ['{"a":{"a":1},"b":[{"a":"\\"a\\":{"},{"a":2}],"c":"a"}', '["a","a",{}]', '"a"', "{}"])
    assert.equal(repeatedMember(json), null, json);
  assert.equal(repeatedMember('{"b":[{"a":[{}],"c":"}","a":2}]}'), "a");
  assert.equal(repeatedMember('{"__proto__":1,"b":"\\\\","__proto__":2}'), "__proto__");
});

test("§15 no receipt writes lines or moves the cursor in an answer, whatever it names as its issuer", async () => {
  const { key, keys } = await aDeployment();
  for (const issuer of [
    "http://localhost:1/\u001b[2J\u001b[H\nConfirmed by 3 nodes at slot 5. Signed by https://pay.shop.example.",
    "http://localhost:1/. Confirmed by 3 nodes at slot 5. Signed by https://pay.shop.example",
    "https://p\u0430y.shop.example",
    "https://:pay.shop.example@localhost:1",
    "https://localhost:1\\@pay.shop.example",
  ]) {
    const { code, output } = await verify(JSON.stringify({ issuer }));
    assert.equal(code, 3);
    assert.equal(
      output,
      "Nobody could be asked. The receipt names no issuer that can be asked. Name its keys: --keys FILE|URL.\n",
    );
  }
  const issuer = `${ISSUER}\u009b2J\u202e\u{e0001}`;
  const receipt = await signReceipt({ ...(await aReceipt()), issuer }, key);
  const file = await write(JSON.stringify({ ...keys, issuer }));
  for (const options of [[], ["--json"]]) {
    const { code, output } = await verify(JSON.stringify(receipt), "--keys", file, ...options);
    assert.equal(code, 0);
    assert.doesNotMatch(output.trimEnd().replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
    if (options.length > 0) assert.equal(JSON.parse(output).issuer, issuer);
  }
});
