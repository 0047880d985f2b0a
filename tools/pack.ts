// Packs the packages as they are published (`npm run pack`), into .data/packages or the folder that is named. Nothing is
// published from here: `npm publish <archive>` does that.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packPackages } from "./packages.ts";

const folder = process.argv[2] ?? fileURLToPath(new URL("../.data/packages", import.meta.url));
await mkdir(folder, { recursive: true });
for (const path of Object.values(await packPackages(folder))) console.log(path);
