import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { buildPackage } from "../../tools/packages.ts";
import { EXPECTED } from "./expected.ts";
import { RUNTIMES, reasonToSkip } from "./runtimes.ts";
import { SECRET, standard, VECTORS, v1 } from "./vectors.ts";

const GZIP_BYTES_MAX = { webhooks: 2_304, whole: 10_240 };

let folder: string;
let bundle: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-sdk-"));
  await buildPackage("sdk", join(folder, "package"), folder);
  await writeFile(join(folder, "vectors.json"), JSON.stringify(VECTORS));
  await writeFile(
    join(folder, "entry.ts"),
    `import vectors from "./vectors.json";
import { checkClient, checkVectors } from ${JSON.stringify(fileURLToPath(new URL("./portable.ts", import.meta.url)))};
export default async () => JSON.stringify({ vectors: await checkVectors(vectors), client: await checkClient() });`,
  );
  bundle = join(folder, "bundle.js");
  await writeFile(bundle, await bundleOf(join(folder, "entry.ts"), false));
});
after(() => rm(folder, { recursive: true, force: true }));

/** One module with the package as it is published. */
async function bundleOf(input: string, minify: boolean): Promise<string> {
  const dist = join(folder, "package/dist");
  const alias = { "@holdfast/sdk/webhooks": `${dist}/webhooks.js`, "@holdfast/sdk": `${dist}/index.js` };
  const build = await rolldown({ input, resolve: { alias }, platform: "neutral", logLevel: "warn" });
  const { output } = await build.generate({ format: "esm", minify });
  await build.close();
  assert.equal(output.length, 1);
  return output[0].code;
}

for (const runtime of RUNTIMES)
  test(`signatures and calls are the same in ${runtime.name}`, { skip: reasonToSkip(runtime) ?? false }, async () => {
    const { vectors, client } = JSON.parse(await runtime.run(runtime.path, bundle, folder));
    assert.deepEqual(vectors, Object.fromEntries(VECTORS.map(({ name, expected }) => [name, expected])));
    assert.deepEqual(client, EXPECTED);
  });

test("the vectors are what Stripe's and Standard Webhooks' own libraries accept and refuse", async () => {
  const at = { timestamp: 1_795_230_000, body: '{"object":"event"}' };
  const header = `t=${at.timestamp},v1=${v1(SECRET, at.body)}`;
  const event = Stripe.webhooks.constructEvent(at.body, header, SECRET, 300, undefined, at.timestamp * 1000);
  assert.equal(event.object, "event");
  const now = Math.floor(Date.now() / 1000);
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(now),
    "webhook-signature": standard(SECRET, at.body, now, "evt_1"),
  };
  assert.deepEqual(new Webhook(SECRET).verify(at.body, headers), { object: "event" });
});

test("the package is small, and has no dependency and no telemetry", async () => {
  const sizeOf = async (entry: string) => gzipSync(await bundleOf(join(folder, "package/dist", entry), true)).length;
  const webhooks = await sizeOf("webhooks.js");
  assert.ok(webhooks <= GZIP_BYTES_MAX.webhooks, `webhooks: ${webhooks} bytes`);
  const whole = (await sizeOf("index.js")) + (await sizeOf("checkout.js"));
  assert.ok(whole <= GZIP_BYTES_MAX.whole, `all of it: ${whole} bytes`);
  const manifest = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
  for (const group of ["dependencies", "peerDependencies", "optionalDependencies", "scripts", "private"])
    assert.equal(manifest[group], undefined, group);
  // Only the caller's own service is ever named.
  assert.deepEqual((await bundleOf(join(folder, "package/dist/index.js"), true)).match(/https?:\/\/[a-z]/g), null);
});
