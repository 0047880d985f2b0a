import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The Node.js the lockfile pins; npm puts it first in the PATH of scripts once it is installed. */
export const bundledNode = join(root, "node_modules", `node-linux-${process.arch}`, "bin", "node");

export const watchParentModule = join(root, "tools", "bootstrap", "watchParent.mjs");
