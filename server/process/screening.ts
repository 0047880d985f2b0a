import { readFile } from "node:fs/promises";
import type { ScreeningSettings } from "../features/checkout/paying/screening.ts";
import type { Config } from "./config.ts";

/** The operator's screening, with its token read; null: none is set. Throws an error that names the file. */
export async function readScreening({ screening }: Pick<Config, "screening">): Promise<ScreeningSettings | null> {
  if (screening === null) return null;
  const { url, tokenFile, silence } = screening;
  if (tokenFile === null) return { url, silence, token: null };
  const token = await readFile(tokenFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The screening's token file ${tokenFile} cannot be read (${error.code}).`);
  });
  return { url, silence, token: token.trim() };
}
