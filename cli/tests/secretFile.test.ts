import assert from "node:assert/strict";
import { test } from "node:test";
import { putSecret } from "../secretFile.ts";

const NAME = "HOLDFAST_WEBHOOK_SECRET";
const put = (text: string) => putSecret(text, "whsec_new", new Set(["whsec_ours", "whsec_new"]));

test("a settings file gets the secret where its last assignment counts, and keeps its line ends and every other line", () => {
  for (const [before, after] of [
    ["", `${NAME}=whsec_new\n`],
    ["A=1", `A=1\n${NAME}=whsec_new\n`],
    [`A=1\n${NAME}=whsec_ours\nB=2\n`, `A=1\n${NAME}=whsec_new\nB=2\n`],
    [`${NAME}=whsec_ours\nA=1\n${NAME}="whsec_ours"\n`, `A=1\n${NAME}=whsec_new\n`],
    [`export ${NAME}='whsec_ours'\n`, `export ${NAME}=whsec_new\n`],
    [`  ${NAME} = whsec_ours\n`, `${NAME}=whsec_new\n`],
    [`A=1\r\n${NAME}=whsec_ours\r\nB=2\r\n`, `A=1\r\n${NAME}=whsec_new\r\nB=2\r\n`],
    [`A=1\r\n`, `A=1\r\n${NAME}=whsec_new\r\n`],
    [
      `WEBHOOK_SECRET=whsec_other\nMY_${NAME}=x\n# ${NAME}=y\n`,
      `WEBHOOK_SECRET=whsec_other\nMY_${NAME}=x\n# ${NAME}=y\n${NAME}=whsec_new\n`,
    ],
    [`${NAME}=\n`, `${NAME}=whsec_new\n`],
  ] as const) {
    assert.deepEqual(put(before), { text: after, kept: 0 });
    assert.deepEqual(put(after), { text: after, kept: 0 }, "a second run changes nothing");
  }
});

test("a value that listen did not write is kept, as a comment", () => {
  assert.deepEqual(put(`${NAME}=whsec_live\nA=1\nexport ${NAME}=whsec_old\n`), {
    text: `# ${NAME}=whsec_live\nA=1\n# export ${NAME}=whsec_old\nexport ${NAME}=whsec_new\n`,
    kept: 2,
  });
});
