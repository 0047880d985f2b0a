import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { HUNG_MS } from "../../tests/harness/wait.ts";
import { createServer } from "../server.ts";

/**
 * Those of the suite that are about a server with tools alone, by the protocol's version; the others need tools, prompts and
 * resources of its own.
 */
const SCENARIOS = {
  "2025-11-25": ["server-initialize", "ping", "tools-list"],
  "2026-07-28": ["server-stateless", "tools-list", "http-header-validation"],
} as const;
const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/** The suite speaks HTTP, so the same tools are served by it here. */
async function serveHttp() {
  const handler = createMcpHandler(() => createServer());
  const toRequest = ({ method = "GET", url, headers }: IncomingMessage, body: string) =>
    new Request(`http://localhost${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body === "" ? {} : { body }),
    });
  const server = createHttpServer(async (incoming, outgoing) => {
    const answer = await handler.fetch(toRequest(incoming, await text(incoming)));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(answer.body as never), outgoing).catch(() => undefined);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    await handler.close();
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}/mcp`, close };
}

test("the protocol's own conformance suite finds nothing in the tools, in both eras", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-conformance-"));
  const { url, close } = await serveHttp();
  t.after(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  for (const [version, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios) {
      const words = [SUITE, "server", "--url", url, "--scenario", scenario, "--spec-version", version];
      // It ends with 1 for a check that has failed, or that needs a diagnostic tool, which only its own servers have.
      const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, timeout: HUNG_MS }).catch(
        (ended: { readonly stdout: string }) => ended,
      );
      const [, failed] = /Passed: [1-9]\d*\/[1-9]\d*, (\d+) failed/.exec(stdout) ?? [];
      const untested = stdout.match(/Error: Not testable: server does not list the diagnostic tool/g) ?? [];
      assert.equal(Number(failed), untested.length, stdout);
    }
});
