// `node --test program/tests/mutants.ts`, or with a part of a name in MUTANTS: puts each hole into the sources, builds, and
// expects a red test. It takes minutes and the tools of the build, so it is not among the tests that `npm test` runs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));
const RUN_MS_MAX = 300_000;

interface Mutant {
  /** What the program would do. */
  readonly name: string;
  /** In `src/`: each text, which stands there exactly once, and what takes its place. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** The test files of which one must fail. */
  readonly tests: readonly string[];
}

const one = (name: string, file: string, from: string, to: string, ...tests: string[]): Mutant => ({
  name,
  edits: [[file, from, to]],
  tests,
});

const MUTANTS: readonly Mutant[] = [
  {
    name: "C1: the vault's rent is credited inside the call",
    edits: [
      ["payout.rs", "close(&movement, &signers)?;", "close(&Movement { to: rent_payer, ..movement }, &signers)?;"],
      ["payout.rs", "account.set_lamports(account.lamports() - freed);", ""],
      ["payout.rs", "rent_payer.set_lamports(rent_payer.lamports() + (freed - to_destination));", ""],
      [
        "token.rs",
        "InstructionAccount::writable(movement.authority.address()),",
        "InstructionAccount::writable(movement.to.address()),",
      ],
      [
        "token.rs",
        "&[movement.from, movement.authority, movement.authority]",
        "&[movement.from, movement.to, movement.authority]",
      ],
    ],
    tests: ["lamports"],
  },
  one(
    "M1: a native vault is paid by its balance",
    "token.rs",
    "native: *data.add(ACCOUNT_NATIVE) == 1,",
    "native: false,",
    "lamports",
  ),
  one("M3: withheld fees stop the last part", "payout.rs", "able && !holds_withheld_fees(vault)", "able", "extensions"),
  one("M6: the vault's rent goes with the part", "payout.rs", "if able { owed } else { freed }", "freed", "lamports"),
  one(
    "L1: the rent payer is credited whatever it then holds",
    "payout.rs",
    "let able = can_hold(rent_payer, freed - owed);",
    "let able = true;",
    "lamports",
  ),
  one(
    "L3: the sender gets a sponsor's rent",
    "create.rs",
    "rent_payer: *payer.address().as_array(),",
    "rent_payer: *sender.address().as_array(),",
    "lamports",
  ),
  one(
    "M4: the arbiter is the operator's of today",
    "create.rs",
    "            arbiter,\n",
    "            arbiter: *operator.address().as_array(),\n",
    "decisions",
  ),
  one(
    "M5: the first to come takes what an issuer left",
    "payout.rs",
    "(false, _) => held.amount >= left,",
    "(false, _) => held.amount >= due,",
    "extensions",
    "refusals",
  ),
  one("a hook gets nothing", "token.rs", "if hooked { movement.trailing } else { &[] }", "&[]", "extensions"),
  one(
    "an agreement can lose its refund",
    "state.rs",
    "require(total <= self.refund_total, Refusal::LessBound)?;",
    "",
    "decisions",
  ),
  one(
    "an old proposal survives",
    "operator.rs",
    "    operator.pending_arbiter = NO_KEY;\n",
    "    if role == role::ARBITER { operator.pending_arbiter = NO_KEY; }\n",
    "decisions",
  ),
  one(
    "a payment is made under any arbiter",
    "create.rs",
    "require(arbiter == offer.arbiter, Refusal::ArbiterChanged)?;",
    "",
    "refusals",
  ),
  one("a recipient may be another payment", "create.rs", " || recipient.owned_by(program)", "", "refusals"),
  one(
    "a part may go to anybody's account",
    "payout.rs",
    "require(own || beneficiary.is_signer(), Refusal::WrongDestination)?;",
    "",
    "refusals",
  ),
  one("the destination's owner is not looked at", "payout.rs", "holding.owner == *owner && ", "", "refusals"),
  one("dispute at the deadline", "state.rs", "require(now < self.deadline,", "require(now <= self.deadline,", "table"),
  one(
    "settled a second early",
    "state.rs",
    "require(now >= self.deadline,",
    "require(now + 1 >= self.deadline,",
    "table",
  ),
  one(
    "ruling at day 90",
    "state.rs",
    "require(now < self.disputed_at + ARBITRATION_SECONDS,",
    "require(now <= self.disputed_at + ARBITRATION_SECONDS,",
    "table",
  ),
  one(
    "a ruling takes back what was given",
    "state.rs",
    "self.refund_total = self.refund_total.max(total);",
    "self.refund_total = total;",
    "table",
  ),
  one(
    "a refund after the recipient was paid",
    "state.rs",
    " && self.amount_released == 0, Refusal::AlreadyPaidOut)?;",
    ", Refusal::AlreadyPaidOut)?;",
    "table",
  ),
  one(
    "swept to the other side",
    "state.rs",
    "let swept_to = if self.amount_released > 0 {",
    "let swept_to = if self.amount_released == 0 {",
    "table",
  ),
  one(
    "dust keeps the vault open",
    "payout.rs",
    "if last && !held.native { held.amount } else",
    "if false { held.amount } else",
    "tokens",
  ),
  one(
    "anyone closes while the vault is open",
    "close.rs",
    "require(signed || vault.is_data_empty(), Refusal::VaultOpen)?;",
    "",
    "refusals",
  ),
  one(
    "anyone closes when rent is dear",
    "close.rs",
    "require(signed || account.lamports() >= rent_minimum(PAYMENT_LEN)?, Refusal::RentRisen)?;",
    "",
    "refusals",
  ),
  one(
    "closed a second early",
    "close.rs",
    "require(now()? >= payment.retained_until()",
    "require(now()? + 1 >= payment.retained_until()",
    "table",
  ),
  one(
    "an address is used again",
    "create.rs",
    "require(!payment.owned_by(program), Refusal::PaymentExists)?;",
    "",
    "refusals",
  ),
  one(
    "less than the amount arrives",
    "create.rs",
    "require(after.wrapping_sub(before) == offer.amount, Refusal::AmountNotReceived)?;",
    "",
    "refusals",
  ),
  one("nobody signs a decision", "decide.rs", "    require_signer(actor)?;\n", "", "refusals"),
  one("anybody decides", "decide.rs", "    require(is_key(actor, key(payment)), wrong)?;\n", "", "refusals"),
];

async function survives(mutant: Mutant, target: string): Promise<string | null> {
  const aside = await mkdtemp(join(tmpdir(), "holdfast-mutant-"));
  try {
    const names = [
      "Cargo.toml",
      "Cargo.lock",
      "build.sh",
      "src",
      "golden/write.rs",
      "tests/smart_wallet.rs",
      "tests/transfer_hook.rs",
    ];
    for (const name of names) await cp(join(folder, name), join(aside, name), { recursive: true });
    for (const [file, from, to] of mutant.edits) {
      const path = join(aside, "src", file);
      const text = readFileSync(path, "utf8");
      if (text.split(from).length !== 2) return `${file} has its text ${text.split(from).length - 1} times`;
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
    }
    const program = join(aside, "mutant.so");
    const env = { ...process.env, CARGO_TARGET_DIR: target };
    const built = spawnSync(join(aside, "build.sh"), [program], { env, encoding: "utf8", timeout: RUN_MS_MAX });
    if (built.status !== 0) return `does not build: ${built.stderr.slice(-500)}`;
    const files = mutant.tests.map((name) => join(folder, "tests", `${name}.test.ts`));
    // Without the runner's mark the tests run on their own, not as a part of this one.
    const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
    const tested = spawnSync(process.execPath, ["--test", ...files], {
      env: { ...outside, ESCROW_PROGRAM: program },
      encoding: "utf8",
      timeout: RUN_MS_MAX,
    });
    return tested.status === 0 ? `no test of ${mutant.tests.join(", ")} is red` : null;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const wanted = process.env.MUTANTS ?? "";
let target = "";
before(async () => {
  target = await mkdtemp(join(tmpdir(), "holdfast-mutants-"));
});
after(() => rm(target, { recursive: true, force: true }));

for (const mutant of MUTANTS.filter(({ name }) => name.includes(wanted)))
  test(`a test is red where ${mutant.name}`, async () => {
    assert.equal(await survives(mutant, target), null);
  });
