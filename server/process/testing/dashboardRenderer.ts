import { fileURLToPath } from "node:url";

/** Builds a script whose value is the dashboard's `render` for tests. It runs in a global world of its own. */
export async function bundleRenderer(): Promise<string> {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: fileURLToPath(import.meta.resolve("@holdfast/dashboard/testing.tsx")),
    // On a server the router waits for what a page needs, and nothing subscribes.
    platform: "node",
    onLog: (level, message, log) => {
      // "use client" is for frameworks that render on a server.
      if (message.code !== "MODULE_LEVEL_DIRECTIVE") log(level, message);
    },
    transform: {
      define: { "process.env.NODE_ENV": '"production"' },
      jsx: { runtime: "automatic", development: false },
    },
  });
  const { output } = await build.generate({ format: "iife", name: "pages", codeSplitting: false });
  await build.close();
  return `${output[0].code}\npages.render`;
}
