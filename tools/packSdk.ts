// Builds the SDK as it is published (`npm run sdk`), into .data/sdk or the folder that is named.
import { fileURLToPath } from "node:url";
import { buildPackage } from "../sdk/build.ts";

const folder = process.argv[2] ?? fileURLToPath(new URL("../.data/sdk", import.meta.url));
await buildPackage(folder);
console.log(`The package is in ${folder}. Publish it from there.`);
