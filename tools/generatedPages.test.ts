import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ERROR_PARTS, EVENT_PARTS, fillPage } from "./generatedPages.ts";

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");

test("an edit of a generated part is undone, and one outside of it is kept", () => {
  for (const [name, parts] of [
    ["errors.md", ERROR_PARTS],
    ["events.md", EVENT_PARTS],
  ] as const) {
    const text = read(name);
    assert.equal(fillPage(text, parts), text, `${name}: run npm run openapi`);
    const edited = text.replace(/(?<=<!-- sections: .*-->)\n+/, "\n\nAn edit.\n\n");
    assert.notEqual(edited, text);
    assert.equal(fillPage(edited, parts), text);
    assert.equal(fillPage(`${text}\nBy hand.\n`, parts), `${text}\nBy hand.\n`);
  }
});

test("a page without the markers of a part is refused, so that no part is left out in silence", () => {
  assert.throws(() => fillPage("# Errors\n", ERROR_PARTS), /has no part between .*codes/);
  assert.throws(() => fillPage(read("events.md").replace("<!-- end of types -->", ""), EVENT_PARTS), /types/);
});
