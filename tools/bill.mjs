// Bills of materials (CycloneDX), drawn from the lockfile: `npm sbom --omit=dev` leaves out packages that tests name, too. It
// is plain JavaScript, since it runs on the machine's own Node.js.
import { createHash } from "node:crypto";

/** What a production installation has. */
const isProduction = (_path, { dev }) => dev !== true;

function showPackage([path, { version, license, integrity }]) {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const digest = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    type: "library",
    name,
    version,
    hashes: [{ alg: "SHA-512", content: digest }],
    licenses: [{ expression: license }],
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  };
}

/** The bill of a commit: its packages, then others. Its serial number and time are the commit's, so it is the same each time. */
export function drawBill(lockfile, { version, commit, seconds, isThere = isProduction, others = [] }) {
  const packages = Object.entries(lockfile.packages).filter(
    ([path, entry]) => path.includes("node_modules/") && entry.link !== true && isThere(path, entry),
  );
  const components = [...packages.map(showPackage), ...others];
  const digits = createHash("sha256").update(commit).update(JSON.stringify(components)).digest("hex");
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${[...parts, digits.slice(20, 32)].join("-")}`,
    version: 1,
    metadata: {
      timestamp: new Date(Number(seconds) * 1000).toISOString(),
      component: { type: "application", name: "holdfast", version, licenses: [{ expression: "Apache-2.0" }] },
    },
    components,
  };
}
