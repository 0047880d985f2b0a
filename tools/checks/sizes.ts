import { isModule, isTest, readText } from "./files.ts";

const LINES_MAX = { code: 400, test: 600 };
const LINES_WARN = { code: 300, test: 500 };

/** These files are generated from the routes: nobody reads or splits them. */
const GENERATED = ["web/dashboard/api/schema.ts", "sdk/schema.ts"];

/** Modules that are too long: split them by meaning. `warnings` are modules close to the limit. */
export function checkSizes(root: string, files: readonly string[]): { problems: string[]; warnings: string[] } {
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const path of files.filter((one) => isModule(one) && !GENERATED.includes(one))) {
    const lines = readText(root, path).split("\n").length - 1;
    const kind = isTest(path) ? "test" : "code";
    if (lines > LINES_MAX[kind]) problems.push(`${path} has ${lines} lines; ${LINES_MAX[kind]} are the most.`);
    else if (lines > LINES_WARN[kind]) warnings.push(`${path} has ${lines} lines.`);
  }
  return { problems, warnings };
}
