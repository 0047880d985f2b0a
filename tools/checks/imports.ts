import { dirname, join, normalize } from "node:path";
import { isModule, isTest, packageOf, readText } from "./files.ts";
import { rules } from "./importRules.ts";

export interface Import {
  /** The importing module, from the root of the project. */
  readonly from: string;
  /** A path from the root, or the name of a package. */
  readonly to: string;
  /** The specifier in the module's own spelling. */
  readonly specifier: string;
  readonly isPackage: boolean;
  readonly isTypeOnly: boolean;
  /** True for `import()`. */
  readonly isOnDemand: boolean;
}

/** Packages that lie in web/. */
const IN_WEB = /^(ui|checkout|decoder|wallet)(?=\/|$)/;
const STATEMENT = /^[ \t]*(import|export)(\s+type\b)?(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*(?:["']([^"'`]+)["']\s*\)|([^)]*))/g;

/** The imports of a module's text. Biome has laid the text out, so a statement begins its line. */
export function readImports(from: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean, isOnDemand = false) => {
    const own = /^@holdfast\/(.+)$/.exec(specifier)?.[1]?.replace(IN_WEB, "web/$&");
    const isPackage = own === undefined && !specifier.startsWith(".");
    // A package named alone is its index.ts.
    const path =
      own === undefined
        ? join(dirname(from), specifier)
        : own.replace(/^web\//, "").includes("/")
          ? own
          : `${own}/index.ts`;
    found.push({ from, to: isPackage ? specifier : normalize(path), specifier, isPackage, isTypeOnly, isOnDemand });
  };
  for (const [, , type, specifier] of text.matchAll(STATEMENT)) add(specifier!, type !== undefined);
  for (const [, specifier, computed] of withoutComments(text).matchAll(DYNAMIC))
    add(specifier ?? `(computed: ${computed})`, false, true);
  return found;
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** Every import that a rule forbids, with the rule's reason. A tree without modules of server/ is a problem too. */
export function checkImports(root: string, files: readonly string[]): string[] {
  const modules = files.filter((path) => isModule(path) && !isTest(path) && packageOf(path) !== "tools");
  if (!modules.some((path) => path.startsWith("server/"))) return ["The import check saw no modules of server/."];
  const imports = modules.flatMap((path) => readImports(path, readText(root, path)));
  return imports.flatMap((one) =>
    rules
      .filter((rule) => rule.forbids(one))
      .map((rule) => `${one.from} imports ${one.to}${one.isTypeOnly ? " (types)" : ""}: ${rule.why}`),
  );
}
