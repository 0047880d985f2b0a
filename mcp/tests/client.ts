import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
/** The eras of the protocol, each with the way in which the official client connects. */
export const ERAS = { legacy: "legacy", modern: { pin: "2026-07-28" } } as const;

// biome-ignore lint/suspicious/noExplicitAny: tests read into it and assert what they find.
type Structured = any;

/** The official client, connected to the tools as a process of its own. */
export interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool; its answer has been checked against the schema that the tool declares. */
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Structured>;
  /** Calls a tool that refuses, and returns its sentence. */
  refusal(name: string, given?: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function startAgent(
  env: Readonly<Record<string, string>>,
  { mode = ERAS.modern, words = [] }: { mode?: (typeof ERAS)[keyof typeof ERAS]; words?: readonly string[] } = {},
): Promise<Agent> {
  const { HOLDFAST_API_KEY: _, HOLDFAST_API_URL: __, NODE_TEST_CONTEXT: ___, ...inherited } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, ...words],
    // Neither a profile nor a run of this machine's developer.
    cwd: "/",
    env: { ...(inherited as Record<string, string>), XDG_CONFIG_HOME: "/nowhere", ...env },
  });
  const client = new Client({ name: "test", version: "0.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  // The client checks answers by what it has read of the tools.
  await client.listTools();
  const ask = (name: string, given: Readonly<Record<string, unknown>>) =>
    client.callTool({ name, arguments: { ...given } });
  return {
    client,
    call: async (name, given = {}) => {
      const answer = await ask(name, given);
      if (answer.isError === true) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
      return answer.structuredContent;
    },
    refusal: async (name, given = {}) => {
      const { isError, content } = await ask(name, given);
      if (isError !== true) throw new Error(`${name} did what it was asked.`);
      return content.map((one) => (one.type === "text" ? one.text : "")).join("");
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
