import { readFileSync } from "node:fs";
import { type Env, locate, NO_CREDENTIALS } from "./setting.ts";

/** Variables that hold a secret. Each may be read from the file that the variable with `_FILE` names. */
const IN_FILES = ["DATABASE_URL", "SMTP_URL", "METRICS_TOKEN"] as const;

/** The files that variables with `_FILE` name. */
export const secretFilesOf = (env: Env): readonly string[] =>
  IN_FILES.map((name) => locate(env[`${name}_FILE`] ?? "", env) ?? "").filter((file) => file !== "");

/**
 * Returns the environment with the secrets of files in their variables. A container or a unit hands secrets over as files:
 * an environment is shown by tools, and inherited by children.
 */
export function readSecretFiles(env: Env, problems: string[]): Env {
  const read: Record<string, string> = {};
  for (const name of IN_FILES) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) problems.push(`${name} and ${name}_FILE are set. Set one of them.`);
    const path = locate(file, env);
    if (path === null) {
      problems.push(`${name}_FILE names ${file}, and ${NO_CREDENTIALS}`);
      continue;
    }
    try {
      const text = readFileSync(path, "utf8").trim();
      if (text === "") problems.push(`${name}_FILE names a file, ${file}, that is empty.`);
      read[name] = text;
    } catch (error) {
      problems.push(
        `${name}_FILE names a file, ${file}, that cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      );
    }
  }
  return { ...env, ...read };
}
