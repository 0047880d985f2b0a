import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { removeStaleReady } from "./ready.ts";

test("the ready.json of a run that was killed is taken away at the start, that of one that runs is not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-ready-"));
  const path = join(folder, "ready.json");
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    await removeStaleReady(folder);
    await writeFile(path, JSON.stringify({ controlUrl: `http://localhost:${port}` }));
    await removeStaleReady(folder);
    assert.equal(existsSync(path), true, "it runs");
    server.close();
    await once(server, "close");
    await removeStaleReady(folder);
    assert.equal(existsSync(path), false, "nobody listens there any more");
    for (const torn of ["", "{", "null", '{"controlUrl":7}', '{"controlUrl":"x"}']) {
      await writeFile(path, torn);
      await removeStaleReady(folder);
      assert.equal(existsSync(path), false, torn);
    }
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
