#!/usr/bin/env node
// Serves the tools over standard input and output, to clients of both protocol eras.
import { parseArgs } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./server.ts";

function readProfile(): string | undefined {
  try {
    return parseArgs({ options: { profile: { type: "string" } } }).values.profile;
  } catch (error) {
    console.error(`${(error as Error).message}\nusage: holdfast-mcp [--profile <name>]`);
    process.exit(2);
  }
}

const profile = readProfile();
serveStdio(() => createServer(profile));
