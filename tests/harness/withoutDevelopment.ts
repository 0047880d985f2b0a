// Preloaded into a process of the service: every package that `npm ci --omit=dev` leaves out is missing, and so is the
// bundled PostgreSQL, which an image leaves out.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const lockfile = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"));
const missing = Object.entries<{ dev?: boolean }>(lockfile.packages)
  .filter(([path, { dev }]) => dev === true && path.startsWith("node_modules/"))
  .map(([path]) => `/${path}/`);

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const found = nextResolve(specifier, context);
    const isMissing =
      missing.some((path) => found.url.includes(path)) || /\/embedded-postgres\/\w+\.ts$/.test(found.url);
    if (!isMissing) return found;
    const error: NodeJS.ErrnoException = new Error(`Cannot find package '${specifier}'`);
    error.code = "ERR_MODULE_NOT_FOUND";
    throw error;
  },
});
