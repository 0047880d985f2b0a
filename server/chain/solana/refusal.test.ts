import assert from "node:assert/strict";
import { test } from "node:test";
import { SYSTEM_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { parseStop } from "./refusal.ts";
import { programId } from "./testing/chain.ts";

const failedIn = (program: string) => [
  `Program ${programId} invoke [1]`,
  `Program ${program} failed: custom program error: 0x11`,
  `Program ${programId} failed: custom program error: 0x11`,
];

const cases = [
  [
    "the program's own refusal, in its words",
    { InstructionError: [1, { Custom: 7031 }] },
    failedIn(programId),
    { kind: "instruction", index: 1, reason: "protection_running: The protection deadline has not been reached." },
  ],
  [
    "the same without logs",
    { InstructionError: [0, { Custom: 7028 }] },
    null,
    {
      kind: "overtaken",
      index: 0,
      name: "already_paid_out",
      reason: "already_paid_out: All that was due has already left the vault.",
    },
  ],
  [
    "a frozen account",
    { InstructionError: [2, { Custom: 17 }] },
    failedIn(TOKEN_PROGRAM_ID),
    { kind: "instruction", index: 2, reason: "token program error 17: the account is frozen" },
  ],
  [
    "a token error without a name",
    { InstructionError: [0, { Custom: 99 }] },
    failedIn(TOKEN_PROGRAM_ID),
    { kind: "instruction", index: 0, reason: "token program error 99" },
  ],
  [
    "a builtin error",
    { InstructionError: [0, "ComputationalBudgetExceeded"] },
    [],
    { kind: "instruction", index: 0, reason: "ComputationalBudgetExceeded" },
  ],
  [
    "the System program, which no part of ours calls",
    { InstructionError: [0, { Custom: 1 }] },
    failedIn(SYSTEM_PROGRAM_ID),
    { kind: "instruction", index: 0, reason: `error 1 of program ${SYSTEM_PROGRAM_ID}` },
  ],
  ["a payer without funds", "InsufficientFundsForFee", [], { kind: "fee_payer", reason: "InsufficientFundsForFee" }],
  ["a payer that was never funded", "AccountNotFound", [], { kind: "fee_payer", reason: "AccountNotFound" }],
  [
    "a payer left below its rent",
    { InsufficientFundsForRent: { account_index: 0 } },
    [],
    { kind: "fee_payer", reason: "InsufficientFundsForRent" },
  ],
  [
    "another account left below its rent",
    { InsufficientFundsForRent: { account_index: 3 } },
    [],
    { kind: "transaction", reason: "InsufficientFundsForRent" },
  ],
  [
    "accounts too large to load together",
    "MaxLoadedAccountsDataSizeExceeded",
    [],
    { kind: "transaction", reason: "MaxLoadedAccountsDataSizeExceeded" },
  ],
  [
    "a program that is not there",
    "ProgramAccountNotFound",
    [],
    { kind: "transaction", reason: "ProgramAccountNotFound" },
  ],
  ["an old blockhash", "BlockhashNotFound", [], { kind: "blockhash", reason: "BlockhashNotFound" }],
  ["nonsense", 7, [], { kind: "transaction", reason: "an unknown error" }],
  ["text that is no name", "<b>x</b>", [], { kind: "transaction", reason: "an unknown error" }],
] as const;

for (const [name, error, logs, expected] of cases) {
  test(`a simulation stopped by ${name} is explained`, () => {
    assert.deepEqual(parseStop(error, logs, programId), expected);
  });
}
