// Loaded before a process: the modules that a bug edits have its mistakes.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "../../..");
const edits = JSON.parse(process.env.PLANTED_EDITS!) as readonly (readonly [string, string, string])[];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const mine = edits.filter(([file]) => pathToFileURL(join(ROOT, file)).href === url);
    if (mine.length === 0) return loaded;
    let source = String(loaded.source);
    for (const [file, from, to] of mine) {
      if (source.split(from).length !== 2) throw new Error(`"${from}" does not stand in ${file} exactly once.`);
      source = source.replace(from, () => to);
    }
    return { ...loaded, source };
  },
});
