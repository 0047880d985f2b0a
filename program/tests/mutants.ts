// `node --test program/tests/mutants.ts`, or with a part of a name in MUTANTS: puts each hole into the sources, builds, and
// expects a red test, and of the holes that the audit found a red model too. It takes minutes and the tools of the build, so it
// is not among the tests that `npm test` runs. Every other small change is tried by `mutation/run.ts`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SOURCES, Workshop } from "./mutation/workshop.ts";

interface Mutant {
  /** The behaviour of the changed program. */
  readonly name: string;
  /** Edits in `src/`: each text, which stands there exactly once, and its replacement. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** The test files of which at least one must fail. */
  readonly tests: readonly string[];
  /** The model finds it too, within the steps of its long form. */
  readonly modelled?: true;
}

const one = (name: string, file: string, from: string, to: string, ...tests: string[]): Mutant => ({
  name,
  edits: [[file, from, to]],
  tests,
});
const modelled = (...mutant: Parameters<typeof one>): Mutant => ({ ...one(...mutant), modelled: true });

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
    modelled: true,
  },
  modelled(
    "M1: a native vault is paid by its balance",
    "token.rs",
    "native: *data.add(ACCOUNT_NATIVE) == 1,",
    "native: false,",
    "lamports",
  ),
  modelled(
    "M3: withheld fees stop the last part",
    "payout.rs",
    "able && !holds_withheld_fees(vault)",
    "able",
    "extensions",
  ),
  modelled(
    "M6: the vault's rent goes with the part",
    "payout.rs",
    "if able { owed } else { freed }",
    "freed",
    "lamports",
  ),
  modelled(
    "L1: the rent payer is credited whatever it then holds",
    "payout.rs",
    "let able = can_hold(rent_payer, freed - owed);",
    "let able = true;",
    "lamports",
  ),
  modelled(
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
  modelled(
    "both sides of a split: the sender's takes all",
    "state.rs",
    "let due = self.refund_total - self.amount_refunded;",
    "let due = self.amount - self.amount_refunded - self.amount_released;",
    "table",
  ),
  modelled(
    "both sides of a split: the recipient's takes all that is left",
    "state.rs",
    "let due = self.amount - self.refund_total - self.amount_released;",
    "let due = self.amount - self.amount_refunded - self.amount_released;",
    "table",
  ),
  one("a hook gets nothing", "token.rs", "if hooked { movement.trailing } else { &[] }", "&[]", "extensions"),
  one(
    "a caller's signature reaches the token program",
    "token.rs",
    "account.is_writable(), false)",
    "account.is_writable(), account.is_signer())",
    "extensions",
  ),
  one(
    "the rent of a native vault made again goes to any account",
    "payout.rs",
    "able || plan.due > 0 }",
    "able || plan.due >= 0 }",
    "lamports",
  ),
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

/** The sources with the mutant's edits in them. */
function changed({ edits }: Mutant): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [file, from, to] of edits) {
    const text = texts.get(file) ?? readFileSync(join(SOURCES, file), "utf8");
    assert.equal(text.split(from).length, 2, `${file} has this text once: ${from}`);
    texts.set(
      file,
      text.replace(from, () => to),
    );
  }
  return texts;
}

const wanted = process.env.MUTANTS ?? "";
let workshop: Workshop;
before(async () => {
  workshop = await Workshop.open();
});
after(() => workshop.close());

for (const mutant of MUTANTS.filter(({ name }) => name.includes(wanted)))
  test(`a test is red where ${mutant.name}`, async () => {
    assert.equal(await workshop.build(changed(mutant)), null);
    const green: string[] = [];
    for (const name of mutant.tests) if (await workshop.passes(name)) green.push(name);
    assert.ok(green.length < mutant.tests.length, `no test of ${mutant.tests.join(", ")} is red`);
    if (mutant.modelled) assert.equal(await workshop.passes("model"), false, "the model does not find it");
  });
