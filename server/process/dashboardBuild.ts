import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DashboardFiles } from "../edge/staff/dashboard.ts";
import { hashSources, keepBuilt } from "./builtAssets.ts";

const pathOf = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
const DASHBOARD = dirname(fileURLToPath(import.meta.resolve("@holdfast/dashboard/main.tsx")));
const UI = dirname(fileURLToPath(import.meta.resolve("@holdfast/ui/theme.css")));
/** The folders whose sources the pages contain. A folder that is missing here leaves pages of before as they are. */
export const SOURCES = [
  ...[DASHBOARD, UI],
  ...["@holdfast/decoder", "@holdfast/wallet/signing.ts"].map((one) => dirname(pathOf(one))),
];

/**
 * Builds the dashboard's pages for browsers, once for each state of their sources, in a second or two, and keeps them.
 */
export async function buildDashboard(): Promise<DashboardFiles> {
  // This builder itself, and the modules that a page can leave out.
  const files = [fileURLToPath(import.meta.url), join(DASHBOARD, "package.json")];
  const hash = await hashSources(SOURCES, /\.(tsx?|css)$/, files);
  return keepBuilt("dashboard", hash, build);
}

async function build(): Promise<DashboardFiles> {
  const [scripts, style] = await Promise.all([bundleScripts(), compileStyles()]);
  const styleName = `main-${createHash("sha256").update(style).digest("base64url").slice(0, 8)}.css`;
  const main = scripts.find(({ isEntry }) => isEntry)!;
  return {
    script: main.name,
    style: styleName,
    // Further files of the first page: the browser loads them together with the script.
    preloads: main.imports,
    files: [...scripts.map(({ name, text }) => ({ name, text })), { name: styleName, text: style }],
  };
}

async function bundleScripts() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: { main: join(DASHBOARD, "main.tsx") },
    platform: "browser",
    onLog: (level, message, log) => {
      // "use client" is for frameworks that render on a server.
      if (message.code !== "MODULE_LEVEL_DIRECTIVE") log(level, message);
    },
    transform: {
      define: { "process.env.NODE_ENV": '"production"' },
      jsx: { runtime: "automatic", development: false },
    },
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  return output
    .filter((one) => one.type === "chunk")
    .map(({ fileName, code, isEntry, imports }) => ({ name: fileName, text: code, isEntry, imports }));
}

/** Tailwind generates the styles only of classes that the pages name. */
export async function compileStyles(dashboard = DASHBOARD, ui = UI): Promise<string> {
  const { compile } = await import("tailwindcss");
  const { Scanner } = await import("@tailwindcss/oxide");
  const entry = join(dashboard, "styles.css");
  const loadStylesheet = async (id: string, base: string) => {
    const path = id.startsWith(".") ? join(base, id) : pathOf(id);
    return { path, base: dirname(path), content: await readFile(path, "utf8") };
  };
  const compiler = await compile(await readFile(entry, "utf8"), { base: dashboard, from: entry, loadStylesheet });
  const scanner = new Scanner({
    sources: [dashboard, ui].map((base) => ({ base, pattern: "**/*.{ts,tsx}", negated: false })),
  });
  return compiler.build(scanner.scan());
}
