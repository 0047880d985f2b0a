import { dirname, join, normalize } from "node:path";

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
