import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  acceptInstruction,
  createOperatorInstruction,
  createPaymentInstruction,
  decodePaymentAccount,
  findOperatorAddress,
  findPaymentAddress,
  INSTRUCTION_KINDS,
  LOCAL_PROGRAM_ID,
  OUTCOMES,
  PROGRAM_ERRORS,
  type ProgramInstruction,
  proposeInstruction,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { isSignerRole, isWritableRole } from "@solana/kit";
import { aPayment, type Paid } from "./chain.ts";
import { deriveAddress, idl, readFields } from "./idl.ts";
import { close, dispute, payOut, refund, release, resolve } from "./scenario.ts";

const folder = new URL("../golden/", import.meta.url);
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test("the IDL reads every account that the Rust code wrote, and says of it what the client does", () => {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".bin"))) {
    const bytes = Uint8Array.from(readFileSync(new URL(name, folder)));
    const known = decodePaymentAccount(bytes)!;
    const described = idl.program.accounts.find((account) => account.name === known.kind)!;
    assert.equal(bytes.length, described.size);
    const read = readFields(described.data.fields, bytes);
    for (const [key, value] of Object.entries(known)) {
      if (key === "kind") continue;
      assert.deepEqual(shown(key, read[key]), value, `${name}: ${key}`);
    }
    const unknown = Object.keys(read).filter((key) => !(key in known));
    assert.deepEqual(
      unknown.filter((key) => !["tag", "version", "reserved"].includes(key)),
      [],
    );
  }
});

/** The value in the client's form: null if the account has zeros for "none", a name if it has a number. */
function shown(key: string, value: unknown): unknown {
  if (key === "outcome") return OUTCOMES.find((outcome) => camel(outcome) === value) ?? null;
  if (key === "tokenProgram")
    return value === "token" ? TOKEN_PROGRAM_ID : "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
  if (/^(disputed|settled|refunded)At$/.test(key)) return value === 0n ? null : value;
  if (key === "termsHash") return value === "00".repeat(32) ? null : value;
  if (key.startsWith("pending")) return value === "11111111111111111111111111111111" ? null : value;
  return value;
}

test("the IDL describes each instruction as the client builds it and the program takes it: number, arguments, accounts and their roles", async () => {
  const paid = await aPayment();
  const built = await everyInstruction(paid);
  assert.deepEqual(
    idl.program.instructions.map(({ name }) => name),
    INSTRUCTION_KINDS.map(camel),
  );
  for (const [number, { name, accounts, arguments: fields }] of idl.program.instructions.entries()) {
    const { instruction, expected } = built[number]!;
    const { discriminator, ...values } = readFields(fields, Uint8Array.from(instruction.data));
    assert.equal(discriminator, number, name);
    assert.deepEqual(values, expected, name);
    assert.equal(instruction.accounts.length, accounts.length, name);
    for (const [index, { name: account, isWritable, isSigner, defaultValue }] of accounts.entries()) {
      const meta = instruction.accounts[index]!;
      assert.equal(isWritableRole(meta.role), isWritable, `${name}: ${account}`);
      if (isSigner !== "either") assert.equal(isSignerRole(meta.role), isSigner, `${name}: ${account}`);
      if (defaultValue !== undefined) assert.equal(meta.address, defaultValue.publicKey, `${name}: ${account}`);
    }
  }
});

test("the IDL's addresses, refusals, program and version are the client's and the program's", async () => {
  const { chain, operator, authority, payment, sender } = await aPayment();
  const { programId } = chain;
  assert.equal(await deriveAddress("operator", programId, { firstAuthority: authority }), operator);
  assert.equal(operator, await findOperatorAddress({ programId, authority }));
  const derived = await deriveAddress("payment", programId, { operator, sender, paymentId: 1n });
  assert.equal(derived, payment.address);
  assert.equal(derived, await findPaymentAddress({ programId, operator, sender, paymentId: 1n }));
  assert.deepEqual(
    idl.program.errors.map(({ code, name, message }) => [code, name, message]),
    Object.entries(PROGRAM_ERRORS).map(([code, [name, message]]) => [Number(code), camel(name), message]),
  );
  assert.equal(idl.program.publicKey, LOCAL_PROGRAM_ID);
  const manifest = readFileSync(new URL("../Cargo.toml", import.meta.url), "utf8");
  assert.match(manifest, new RegExp(`^version = "${idl.program.version}"$`, "m"));
});

async function everyInstruction(
  paid: Paid,
): Promise<{ readonly instruction: ProgramInstruction; readonly expected: Readonly<Record<string, unknown>> }[]> {
  const { chain, operator, authority, arbiter, offer } = paid;
  const { programId } = chain;
  const terms = { ...offer, notAfter: 7n, termsHash: "ab".repeat(32) };
  const { paymentId, amount, period, notAfter, termsHash } = terms;
  return [
    { instruction: await createOperatorInstruction({ programId, authority, arbiter }), expected: { arbiter } },
    {
      instruction: proposeInstruction({ programId, operator, authority, role: "arbiter", key: arbiter }),
      expected: { role: "arbiter", key: arbiter },
    },
    {
      instruction: acceptInstruction({ programId, operator, role: "authority", key: arbiter }),
      expected: { role: "authority" },
    },
    {
      instruction: await createPaymentInstruction(terms),
      expected: { paymentId, amount, period, notAfter, arbiter, termsHash },
    },
    { instruction: dispute(paid), expected: {} },
    { instruction: resolve(paid, 3n), expected: { total: 3n } },
    { instruction: release(paid, 4n), expected: { total: 4n } },
    { instruction: refund(paid, 5n), expected: { total: 5n } },
    { instruction: await payOut(paid, "sender"), expected: { side: "sender" } },
    { instruction: await close(paid), expected: {} },
  ];
}
