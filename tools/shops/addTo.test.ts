import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { copyPlugin } from "../../plugins/woocommerce/tests/install.ts";
import { addToWordPress, withVariables } from "./addTo.ts";

const VARIABLES = { HOLDFAST_API_URL: "http://localhost:3000/api/v1", HOLDFAST_API_KEY: "sk_test_1" };

test("a shop's variables stay, and those that it lacks come after them", () => {
  assert.equal(
    withVariables("JWT_SECRET=one\nHOLDFAST_API_KEY=own", VARIABLES),
    "JWT_SECRET=one\nHOLDFAST_API_KEY=own\nHOLDFAST_API_URL=http://localhost:3000/api/v1\n",
  );
  assert.equal(
    withVariables("", VARIABLES),
    "HOLDFAST_API_URL=http://localhost:3000/api/v1\nHOLDFAST_API_KEY=sk_test_1\n",
  );
});

test("adding a plugin again changes no variable", () => {
  const once = withVariables("A=1\n", VARIABLES);
  assert.equal(withVariables(once, VARIABLES), once);
});

test("a WordPress gets the plugin in place of an older one, and no other folder is touched", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-wordpress-"));
  try {
    await assert.rejects(addToWordPress(folder, copyPlugin, folder), /begin with `npm start`/);
    const ready = { apiUrl: "http://localhost:3000/api/v1", testKey: "sk_test_1", recipient: "Shop1" };
    await writeFile(join(folder, "ready.json"), JSON.stringify(ready));
    await assert.rejects(addToWordPress(folder, copyPlugin, folder), /There is no WordPress in .*: wp-load.php/);
    await writeFile(join(folder, "wp-load.php"), "");
    const plugin = join(folder, "wp-content/plugins/holdfast-for-woocommerce");
    await mkdir(plugin, { recursive: true });
    await writeFile(join(plugin, "old.php"), "");
    const said = await addToWordPress(folder, copyPlugin, folder);
    for (const value of Object.values(ready)) assert.ok(said.includes(value), said);
    assert.deepEqual((await readdir(plugin)).toSorted(), [
      "README.md",
      "assets",
      "holdfast-for-woocommerce.php",
      "src",
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
