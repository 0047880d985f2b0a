import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PAYMENT_ACTIONS } from "../../../chain/acts.ts";
import { ENGLISH_TEXTS } from "./english.ts";

const folderOf = (file: string): string => fileURLToPath(new URL(".", import.meta.resolve(file)));
const CODE = [
  `${import.meta.dirname}/../**/*.ts`,
  `${import.meta.dirname}/../../../edge/**/*.ts`,
  `${import.meta.dirname}/../../receipts/*.ts`,
  `${import.meta.dirname}/../../emails/*.ts`,
  `${import.meta.dirname}/../../disputes/**/*.ts`,
  ...["@holdfast/checkout/main.ts", "@holdfast/wallet/wallet.ts", "@holdfast/ui/amount.ts"].map(
    (file) => `${folderOf(file)}*.ts`,
  ),
]
  .flatMap((pattern) => globSync(pattern))
  .filter((file) => !/\.test\.ts$|\/languages\/|[a-z]Texts\.ts$/.test(file))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** Texts that are named after an act (`web/checkout/actionText.ts`). */
const OF_ACTS = PAYMENT_ACTIONS.flatMap((act) =>
  ["Title", "Text", "With"].map((part) => act.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase()) + part),
);

const { tag: _, name: __, locale: ___, direction: ____, readBy: _____, ...PARTS } = ENGLISH_TEXTS;
for (const [part, texts] of Object.entries(PARTS))
  test(`every text of the ${part} is shown somewhere`, () => {
    // The state of the form of a dispute chooses its heading.
    const names = Object.keys("script" in texts ? { ...texts, ...texts.script } : texts);
    const unused = names.filter((name) => !OF_ACTS.includes(name) && !new RegExp(`[.?"{ ]${name}\\b`).test(CODE));
    assert.deepEqual(
      unused.filter((name) => part !== "disputeForm" || !["open", "disputed", "over"].includes(name)),
      [],
    );
  });

test("every refusal of a buyer's route is a text of the language", () => {
  const files = globSync(`${import.meta.dirname}/../../../**/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  const made = files.flatMap((file) => readFileSync(file, "utf8").match(/new (Buyer|Upload)Error\([^;]*/g) ?? []);
  assert.ok(made.length > 50);
  assert.deepEqual(
    made.filter((call) => !/\btexts\.|\btexts\[|,\s*say\b/.test(call)),
    [],
  );
});

test("no text of a buyer's page calls the dispute a case", () => {
  const files = globSync(`${import.meta.dirname}/*Texts.ts`);
  assert.ok(files.length > 4);
  for (const file of files) {
    const lines = readFileSync(file, "utf8").split("\n");
    assert.deepEqual(
      lines.filter((line) => /\bcases?\b/i.test(line) && !/^\s*(\/?\*|case ")/.test(line)),
      [],
      file,
    );
  }
});
