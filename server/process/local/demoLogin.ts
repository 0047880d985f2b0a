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

/** A user of a local run, and the file in DATA_DIR that has the password. */
interface DemoUser {
  readonly email: string;
  readonly name: string;
  readonly file: string;
  readonly isOperator: boolean;
  readonly isArbiter: boolean;
}

const OWNER: DemoUser = {
  email: "demo@example.com",
  name: "Demo",
  file: "demo-login.json",
  isOperator: true,
  isArbiter: false,
};
/** No member of the demo business, so that no conflict of interest keeps them from its disputes. */
const ARBITER: DemoUser = {
  email: "arbiter@example.com",
  name: "Demo arbiter",
  file: "demo-arbiter-login.json",
  isOperator: false,
  isArbiter: true,
};

/** The users of a local run: an operator, who owns the demo business, and the arbiter. */
export async function openDemoLogins(database: Database, dataDir: string, businessId: string) {
  const dashboardLogin = await openDemoLogin(database, dataDir, OWNER, businessId);
  return { dashboardLogin, arbiterLogin: await openDemoLogin(database, dataDir, ARBITER, null) };
}

async function openDemoLogin(
  database: Database,
  dataDir: string,
  { email, name, file, isOperator, isArbiter }: DemoUser,
  businessId: string | null,
): Promise<DemoLogin> {
  const path = join(dataDir, file);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const known = await findUserByEmail(database, email);
  const kept = text === null || known === null ? null : (JSON.parse(text) as DemoLogin);
  const login = kept ?? { email, password: randomBytes(12).toString("base64url") };
  const password = kept === null ? await hashPassword(login.password, PASSWORD_COST) : null;
  await database.transaction(async (db) => {
    const user =
      known ?? (await insertUser(db, { email: { shown: email, key: email }, name, isOperator, isArbiter, password }));
    if (user === null) throw new Error("Another process has created the demo user. Start again.");
    if (known !== null && password !== null) await setPassword(db, user.id, password);
    if (password !== null) await logUser(db, { kind: "service" }, user.id, "demo_login_made");
    if (businessId !== null) await insertMember(db, businessId, user.id, "owner");
  });
  if (kept === null) await writePrivate(path, login);
  return login;
}
