// The entry of every npm command. It checks the machine, installs what is missing and runs the script under the Node.js
// that the lockfile pins. It is plain JavaScript without dependencies, since it runs on the machine's own Node.js.

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

async function main([script, ...args]) {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    refuse(`Holdfast needs Node.js 20 or newer to install itself; this is ${process.version}.`);
  }
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch)) {
    refuse(`Holdfast runs on Linux, x64 or arm64; this is ${process.platform} ${process.arch}. A container will do.`);
  }
  if (script === undefined) refuse("Usage: node tools/bootstrap.mjs <script> [arguments]");

  // Imported after the checks: an older Node.js fails on the syntax of these modules before it can print a message.
  const { ensureInstalled } = await import("./bootstrap/install.mjs");
  const { kindOf } = await import("./bootstrap/needed.mjs");
  const { npmPid, runScript } = await import("./bootstrap/run.mjs");
  const { watchParent } = await import("./bootstrap/watchParent.mjs");
  if (npmPid !== null) watchParent(npmPid);
  const omitDev = args.includes("--omit=dev");
  await ensureInstalled(kindOf(script, omitDev), omitDev);
  await runScript(script, args);
}

main(process.argv.slice(2)).catch((error) => refuse(error.message));
