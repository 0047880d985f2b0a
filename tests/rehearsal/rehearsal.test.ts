import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { ChainProcess } from "../faults/chainProcess.ts";
import { rehearse } from "./rehearse.ts";
import { examineReport, type Report, signReport } from "./report.ts";

/** So far apart are the bytes that are changed. */
const STEP = 97;
/** With its name, in base64: each byte of it is changed, since the last digit of base64 has bits that decode to nothing. */
const SIGNATURE_LENGTH = 104;

test("a rehearsal on the local chain runs whole, its report verifies, and with a byte changed it does not", async () => {
  const said: string[] = [];
  const text = await rehearse({
    openNodes: (folder) => ChainProcess.start(join(folder, "devnet"), { slotMs: 40, finalizedSlots: 8 }),
    people: [],
    commit: "0".repeat(40),
    say: (line) => said.push(line),
  });
  assert.deepEqual(await examineReport(text), []);
  const { payments } = JSON.parse(text);
  assert.deepEqual(
    payments.map(({ act }: { act: string }) => act),
    ["ruled", "refunded", "released", "protected"],
  );
  assert.equal(said.filter((line) => line.startsWith("✔")).length, 2 * payments.length);
  const signature = text.lastIndexOf('"signature":"');
  const places = Array.from({ length: text.length }, (_, at) => at);
  for (const at of places.filter((at) => at % STEP === 0 || (at > signature && at < signature + SIGNATURE_LENGTH))) {
    const changed = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) + 1)}${text.slice(at + 1)}`;
    assert.notDeepEqual(await examineReport(changed), [], `byte ${at}`);
  }
  // Whoever rehearsed may sign anything: what is signed has to hold together.
  for (const nothing of ["{}\n", "null\n"])
    assert.deepEqual(await examineReport(nothing), ["The file is no report of a rehearsal, version 1."]);
});

test("a signed report without its payments proves nothing", async () => {
  const authority = newWallet();
  const report = { object: "rehearsal", v: 1, authority: authority.address, chain: {}, receipts: [] };
  for (const lacking of [report, { ...report, payments: [null] }])
    assert.deepEqual(await examineReport(signReport(lacking as unknown as Report, authority)), [
      "The report lacks its chain, its payments or its receipts.",
    ]);
});
