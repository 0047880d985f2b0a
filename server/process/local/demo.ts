import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hashSecretKey } from "../../domain/secretKeys.ts";
import { addBusiness } from "../../features/businesses/actions.ts";
import { issueKey } from "../../features/keys/actions.ts";
import { admitRequest } from "../../features/keys/admission.ts";
import { writePrivate } from "../../lib/privateFile.ts";
import type { Database } from "../../store/database.ts";

export interface Demo {
  readonly business: string;
  readonly testKey: string;
}

/** The business of a local run and a valid test key of it. Both are created at the first start and stored in DATA_DIR. */
export async function openDemo(database: Database, dataDir: string): Promise<Demo> {
  const path = join(dataDir, "demo.json");
  const kept = await readDemo(path);
  const hash = kept === null ? null : hashSecretKey(kept.testKey);
  if (kept !== null && hash !== null && (await admitRequest(database, hash)) !== null) return kept;

  const business = (await addBusiness(database, { kind: "service" }, "Demo shop")).id;
  const { secret } = await issueKey(database, { kind: "service" }, { businessId: business, environment: "test" });
  const demo: Demo = { business, testKey: secret };
  await writePrivate(path, demo);
  return demo;
}

async function readDemo(path: string): Promise<Demo | null> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Demo);
}
