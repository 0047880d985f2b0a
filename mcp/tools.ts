import { describeError } from "@holdfast/cli/exit.ts";
import { findInstance, type Instance } from "@holdfast/cli/profiles.ts";
import { Holdfast } from "@holdfast/sdk";
import type { McpServer } from "@modelcontextprotocol/server";
import type { z } from "zod";

const TIMEOUT_MS = 60_000;

/** The surroundings of a call. */
export interface Context {
  readonly instance: Instance;
  readonly client: Holdfast;
}

interface Declared<Input extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The shape of the answer. The server refuses to send another. */
  readonly output: z.ZodObject;
  /** The tools that write, and whether it can be undone. */
  readonly writes?: "adds" | "changes";
}

/** Registers a tool. At each call it finds service and key anew. */
export type Tools = <Input extends z.ZodObject>(
  name: string,
  declared: Declared<Input>,
  run: (input: z.output<Input>, context: Context) => PromiseLike<object>,
) => void;

export const toolsOf =
  (server: McpServer, profile: string | undefined): Tools =>
  (name, { title, description, input, output, writes }, run) => {
    const annotations = {
      readOnlyHint: writes === undefined,
      destructiveHint: writes === "changes",
      openWorldHint: false,
    };
    const inputSchema: z.ZodObject = input;
    const config = { title, description, inputSchema, outputSchema: output, annotations };
    server.registerTool(name, config, async (given) => {
      try {
        const instance = findInstance(profile);
        const { apiKey, url: baseUrl } = instance;
        const client = new Holdfast({ apiKey, baseUrl, timeoutMs: TIMEOUT_MS });
        const value = await run(given as z.output<typeof input>, { instance, client });
        return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: { ...value } };
      } catch (error) {
        const text = describeError(error)?.text ?? (error as Error).message;
        return { content: [{ type: "text", text }], isError: true };
      }
    });
  };
