// The service as `npm start` runs it, behind a server that shows the dashboard from its sources (`npm run dev`). All
// addresses are those of `npm start`, so the same data folder serves both.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { servePages } from "./dev/pages.ts";

const root = dirname(import.meta.dirname);
const { env } = process;
const host = env.HOST ?? "localhost";
const port = Number(env.PORT ?? 3000);
/** The service itself answers on the port after those of the local chain. */
const servicePort = port + 4;
const url = `http://localhost:${port}`;

const pages = await servePages({
  web: join(root, "web"),
  cache: join(root, "node_modules/.cache/holdfast/vite"),
  host,
  port,
  base: "/dashboard",
  serviceUrl: `http://localhost:${servicePort}`,
}).catch((error: Error) => {
  console.error(`The pages cannot be served: ${error.message}. Another PORT gives them another address.`);
  process.exit(1);
});
const service = spawn(process.execPath, [...process.execArgv, join(root, "server/main.ts")], {
  stdio: "inherit",
  env: {
    ...env,
    PORT: String(servicePort),
    RPC_PORT: env.RPC_PORT ?? String(port + 1),
    API_URL: `${url}/api/v1`,
    CHECKOUT_URL: url,
    DASHBOARD_URL: `${url}/dashboard`,
    // The child ends with this process, even if that is killed by force.
    HOLDFAST_PARENT: String(process.pid),
  },
});
// A terminal sends Ctrl-C to both processes; other signals reach this one alone.
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => service.kill(signal));
process.on("SIGINT", () => undefined);
const [code] = await once(service, "exit");
await pages.close();
process.exitCode = code ?? 1;
