// Runs test files in one process, one after another. Each is a suite of its own, so that its hooks are its own.
import { suite } from "node:test";
import { pathToFileURL } from "node:url";

// The last argument names the group.
for (const path of process.argv.slice(2, -1))
  suite(path, async () => {
    await import(pathToFileURL(path).href);
  });
