import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isLoopback } from "@holdfast/receipt/loopback";
import { CommandError, EXIT } from "./exit.ts";

/** A service, with a key of it. */
export interface Instance {
  /** The place where it was found, for people. */
  readonly from: string;
  /** Names its state, such as how far `listen` has read. */
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
  /** The run of a local chain behind it; null if there is none on this machine, or its folder is not known. */
  readonly local: LocalRun | null;
}

/** The run of a local chain: its controls, and what an intent there needs. */
export interface LocalRun {
  readonly controlUrl: string;
  readonly recipient: string;
  readonly asset: string;
}

interface Profile {
  readonly url: string;
  readonly apiKey: string;
}

const folderOf = (variable: string, fallback: string): string =>
  join(process.env[variable] || join(homedir(), fallback), "holdfast");
const configPath = (): string => join(folderOf("XDG_CONFIG_HOME", ".config"), "config.json");
const stateFolder = (): string => folderOf("XDG_STATE_HOME", ".local/state");
export const statePath = (name: string): string => join(stateFolder(), `${encodeURIComponent(name)}.json`);
/** The states of all instances. */
export const listStatePaths = (): string[] =>
  existsSync(stateFolder()) ? readdirSync(stateFolder()).map((file) => join(stateFolder(), file)) : [];

export const DEFAULT_PROFILE = "default";

/** Reads a JSON file of ours; null if there is none. */
export function readPrivate<Value>(path: string): Value | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new CommandError(`${path} is no JSON. Remove it, and sign in again: holdfast login`, EXIT.usage);
  }
}

/** Writes a file that only this user can read, whole or not at all. */
export function writePrivate(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, path);
}

const readProfiles = (): Readonly<Record<string, Profile>> => readPrivate(configPath()) ?? {};

export function saveProfile(name: string, profile: Profile): string {
  writePrivate(configPath(), { ...readProfiles(), [name]: profile });
  return configPath();
}

/**
 * The instance to call: the named profile, else that of HOLDFAST_API_KEY and HOLDFAST_API_URL, else the one whose data
 * folder HOLDFAST_DATA names, else the default profile, else the one that runs in this folder or above it (`.data/`).
 */
export function findInstance(profile: string | undefined): Instance {
  const profiles = readProfiles();
  const named = (name: string): Instance | null => {
    const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    return found === undefined ? null : withLocalRun({ from: `profile ${name}`, name, ...found });
  };
  if (profile !== undefined) {
    const found = named(profile);
    if (found !== null) return found;
    throw new CommandError(`There is no profile ${profile}. Make it: holdfast login --profile ${profile}`, EXIT.noKey);
  }
  const { HOLDFAST_API_KEY: apiKey, HOLDFAST_API_URL: url, HOLDFAST_DATA: folder } = process.env;
  if (apiKey && url) return withLocalRun({ from: "HOLDFAST_API_KEY", name: `env ${url}`, url, apiKey });
  if (apiKey) throw new CommandError("HOLDFAST_API_KEY is set, and HOLDFAST_API_URL is not.", EXIT.noKey);
  const ready = folder ? readReady(folder) : (named(DEFAULT_PROFILE) ?? findReady(process.cwd()));
  if (ready !== null) return ready;
  throw new CommandError(
    folder
      ? `Nothing runs on ${folder}: it has no ready.json.`
      : "There is no key. Sign in: holdfast login, or set HOLDFAST_API_KEY and HOLDFAST_API_URL.",
    EXIT.noKey,
  );
}

/** The instance that runs on a data folder, by its `ready.json`; null if none does. */
function readReady(folder: string): Instance | null {
  const path = join(folder, "ready.json");
  const ready = readPrivate<Readonly<Partial<Record<string, string>>>>(path);
  if (!ready?.apiUrl || !ready.testKey) return null;
  const { controlUrl, recipient, asset } = ready;
  // Controls are only ever on this machine, whatever a file in somebody else's folder says.
  const isHere = isLoopback(URL.parse(controlUrl ?? "")?.hostname ?? "");
  const local = controlUrl && isHere && recipient && asset ? { controlUrl, recipient, asset } : null;
  return { from: path, name: `ready ${path}`, url: ready.apiUrl, apiKey: ready.testKey, local };
}

function findReady(folder: string): Instance | null {
  const found = readReady(join(folder, ".data"));
  if (found !== null) return found;
  const above = resolve(folder, "..");
  return above === folder ? null : findReady(above);
}

/** A key of one's own may be for the local run, too. */
function withLocalRun(instance: Omit<Instance, "local">): Instance {
  const { HOLDFAST_DATA: folder } = process.env;
  const ready = folder ? readReady(folder) : findReady(process.cwd());
  const isSame = ready !== null && URL.parse(ready.url)?.host === URL.parse(instance.url)?.host;
  return { ...instance, local: isSame ? ready.local : null };
}
