import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { insertMember } from "../../features/staff/members/queries.ts";
import { hashPassword, PASSWORD_COST } from "../../features/staff/signIn/password.ts";
import { findUserByEmail, insertUser, logUser, setPassword } from "../../features/staff/signIn/queries.ts";
import { writePrivate } from "../../lib/privateFile.ts";
import type { Database } from "../../store/database.ts";

export interface DemoLogin {
  readonly email: string;
  readonly password: string;
}

const EMAIL = "demo@example.com";

/** The user of a local run: an operator, and owner of the demo business. The password is stored in DATA_DIR. */
export async function openDemoLogin(database: Database, dataDir: string, businessId: string): Promise<DemoLogin> {
  const path = join(dataDir, "demo-login.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const known = await findUserByEmail(database, EMAIL);
  const kept = text === null || known === null ? null : (JSON.parse(text) as DemoLogin);
  const login = kept ?? { email: EMAIL, password: randomBytes(12).toString("base64url") };
  const password = kept === null ? await hashPassword(login.password, PASSWORD_COST) : null;
  await database.transaction(async (db) => {
    const shown = { email: { shown: EMAIL, key: EMAIL }, name: "Demo", isOperator: true, isArbiter: true };
    const user = known ?? (await insertUser(db, { ...shown, password }));
    if (user === null) throw new Error("Another process has created the demo user. Start again.");
    if (known !== null && password !== null) await setPassword(db, user.id, password);
    if (password !== null) await logUser(db, { kind: "service" }, user.id, "demo_login_made");
    await insertMember(db, businessId, user.id, "owner");
  });
  if (kept === null) await writePrivate(path, login);
  return login;
}
