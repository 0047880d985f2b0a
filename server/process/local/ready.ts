import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { writePrivate } from "../../lib/privateFile.ts";
import type { Database } from "../../store/database.ts";
import type { LocalChain } from "./chain.ts";
import { createControls } from "./controls.ts";
import type { Demo } from "./demo.ts";
import type { DemoLogin } from "./demoLogin.ts";

/** Loopback answers at once, or not at all. */
const CONNECT_MS = 1_000;

export interface LocalRun {
  readonly dataDir: string;
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  readonly controlPort: number;
  readonly chain: LocalChain;
  readonly demo: Demo;
  readonly dashboardLogin: DemoLogin;
  readonly arbiterLogin: DemoLogin;
  readonly database: Database;
  readonly routes: readonly string[];
}

/** Deletes the `ready.json` of a killed run, so that no tool reads it while the next one starts. */
export async function removeStaleReady(dataDir: string): Promise<void> {
  const path = join(dataDir, "ready.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  // The run that wrote the file has its controls open as long as it lives. It may still run, in which case this start is
  // refused.
  if (text !== null && !(await answers(text))) await rm(path, { force: true });
}

async function answers(text: string): Promise<boolean> {
  const port = Number(URL.parse(parseControlUrl(text) ?? "")?.port);
  if (!(port > 0)) return false;
  const socket = connect({ host: "localhost", port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_MS) });
    return true;
  } catch {
    return false; // No process listens there.
  } finally {
    socket.destroy();
  }
}

/**
 * Returns the address of the controls; null if the file is incomplete: an older version wrote it, or the machine lost
 * power.
 */
function parseControlUrl(text: string): string | null {
  try {
    const ready = JSON.parse(text) as { controlUrl?: unknown } | null;
    return typeof ready?.controlUrl === "string" ? ready.controlUrl : null;
  } catch {
    return null;
  }
}

/** Opens the development controls and writes `ready.json`, by which tools find this run. Returns the next steps in words. */
export async function announceLocalRun(run: LocalRun): Promise<{ text: string; stop: () => Promise<void> }> {
  const {
    dataDir,
    apiUrl,
    checkoutUrl,
    dashboardUrl,
    controlPort,
    chain,
    demo,
    dashboardLogin,
    arbiterLogin,
    database,
    routes,
  } = run;
  const controls = createControls({ database, chain, routes });
  await controls.listen({ host: "localhost", port: controlPort });
  const path = join(dataDir, "ready.json");
  await writePrivate(path, {
    apiUrl,
    checkoutUrl,
    controlUrl: `http://localhost:${controlPort}`,
    rpcUrl: chain.rpcUrl,
    wsUrl: chain.wsUrl,
    programId: chain.programId,
    operator: chain.operator,
    asset: chain.asset,
    recipient: chain.wallets.recipient,
    ...demo,
    dashboardUrl,
    dashboardLogin,
    arbiterLogin,
  });
  const stop = async () => {
    await rm(path, { force: true });
    await controls.close();
  };
  return { text: readyText(run), stop };
}

const readyText = ({
  apiUrl,
  checkoutUrl,
  dashboardUrl,
  dashboardLogin,
  arbiterLogin,
  demo,
  chain,
  dataDir,
}: LocalRun): string => `
Holdfast is ready.

  API        ${apiUrl}
  Reference  ${new URL("/docs", apiUrl)}
  Checkout   ${checkoutUrl}/pay/i/<intent id>
  Dashboard  ${dashboardUrl}
             sign in as ${dashboardLogin.email} with ${dashboardLogin.password}
             or, as the arbiter of disputes, as ${arbiterLogin.email} with ${arbiterLogin.password}
  Test key   ${demo.testKey}

Pay a first order in your browser, with the page's demo wallet:

  ${checkoutUrl}/pay/demo

Or ask for a payment yourself (5 USDC, a week of protection):

  curl ${apiUrl}/payment-intents \\
    -H "Authorization: Bearer ${demo.testKey}" -H "Content-Type: application/json" \\
    -d '{"recipient":"${chain.wallets.recipient}","amount":"5000000","asset":"${chain.asset}","protectionPeriod":"sevenDays","merchantReference":"order-1"}'

Then, in another terminal of this folder, pay it as a demo buyer:  npm run pay -- <intent id>

Stop with Ctrl-C. The data stays in ${dataDir}.`;
