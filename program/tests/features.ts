// `node program/tests/features.ts --write` records the features of the runtime that are active on mainnet-beta. litesvm takes
// them from the cluster with each release. The tests then use the list, even if a later litesvm begins with other features.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Address, getAddressDecoder, getAddressEncoder } from "@solana/kit";
import { FeatureSet, LiteSVM } from "litesvm";

const file = new URL("mainnet-features.json", import.meta.url);
const [decoder, encoder] = [getAddressDecoder(), getAddressEncoder()];

interface MainnetFeatures {
  readonly source: string;
  /** Address of the feature and the slot at which it began, the latest last. */
  readonly active: readonly (readonly [feature: Address, slot: number])[];
}

export const known = (): Address[] =>
  FeatureSet.allEnabled()
    .getActiveFeatures()
    .map((bytes) => decoder.decode(bytes));

export const readMainnetFeatures = (): MainnetFeatures => JSON.parse(readFileSync(file, "utf8"));

/** Mainnet's features, and these besides. */
export function mainnetAnd(...others: readonly Address[]): FeatureSet {
  const set = new FeatureSet();
  const bytes = (feature: Address) => Uint8Array.from(encoder.encode(feature));
  for (const [feature, slot] of readMainnetFeatures().active) set.activate(bytes(feature), BigInt(slot));
  for (const feature of others) set.activate(bytes(feature), 0n);
  return set;
}

/** Reads litesvm's initial features: it keeps an account for each active one, as clusters do. */
function readActive(): (readonly [Address, number])[] {
  const svm = new LiteSVM();
  return known()
    .flatMap((feature) => {
      const account = svm.getAccount(feature);
      if (!account.exists || account.data[0] !== 1) return [];
      return [[feature, Number(Buffer.from(account.data).readBigUInt64LE(1))] as const];
    })
    .sort(([one, slot], [other, later]) => slot - later || (one < other ? -1 : 1));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.resolve("litesvm")), "utf8"));
  const source = `litesvm ${version}, which took it from mainnet-beta`;
  const active = readActive();
  if (process.argv.includes("--write")) {
    const rows = active.map((row) => `    ${JSON.stringify(row).replace(",", ", ")}`).join(",\n");
    writeFileSync(file, `{\n  "source": ${JSON.stringify(source)},\n  "active": [\n${rows}\n  ]\n}\n`);
  }
  console.log(
    `${active.length} of ${known().length} features are active on mainnet-beta; the latest since slot ${active.at(-1)![1]}.`,
  );
}
