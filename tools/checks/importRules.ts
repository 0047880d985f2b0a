import { basename } from "node:path";
import { isModule, isTest, packageOf, readText } from "./files.ts";
import { type Import, readImports } from "./imports.ts";

interface ImportRule {
  readonly why: string;
  forbids(one: Import): boolean;
}

/** The parts of the project, each with the parts it may import besides itself. The first match names a file's part. */
const PARTS: readonly (readonly [name: string, path: RegExp, sees: readonly string[]])[] = [
  ["lib", /^server\/lib\//, []],
  ["domain", /^server\/domain\//, ["lib"]],
  ["store", /^server\/store\//, ["domain", "lib"]],
  ["port", /^server\/chain\/[^/]+\.ts$/, ["domain", "lib"]],
  ["solana", /^server\/chain\/solana\//, ["port", "domain", "lib", "client"]],
  ["http", /^server\/edge\/(http|html)\//, ["store", "port", "domain", "lib"]],
  ["edge", /^server\/edge\//, ["http", "store", "port", "domain", "lib", "words"]],
  ["features", /^server\/features\//, ["edge", "http", "store", "port", "domain", "lib", "words", "receipt"]],
  ["app", /^server\/app\//, ["features", "edge", "http", "store", "port", "domain", "lib"]],
  [
    "local",
    /^server\/process\/local\//,
    ["features", "edge", "http", "store", "port", "domain", "lib", "devnet", "client"],
  ],
  [
    "main",
    /^server\/(process\/(doctor\/)?)?[^/]+\.ts$/,
    ["local", "app", "features", "edge", "http", "store", "embedded", "port", "solana", "domain", "lib"],
  ],
  ["embedded", /^embedded-postgres\//, []],
  ["client", /^escrow-client\//, []],
  ["receipt", /^receipt\//, ["client"]],
  ["program", /^program\//, ["client"]],
  ["devnet", /^devnet\//, ["client", "program"]],
  ["sdk", /^sdk\//, []],
  ["testing", /^testing\//, []],
  ["cli", /^cli\//, ["sdk", "receipt", "testing"]],
  ["x402", /^x402\//, ["client"]],
  ["mcp", /^mcp\//, ["sdk", "cli"]],
  // Words of amounts, sizes, wallets and disputes, the same on pages of the server and of the browser.
  ["words", /^web\/ui\/(amount|fileSize|walletTexts|disputeStatus|disputeTexts|worth)\.ts$/, []],
  ["ui", /^web\/ui\//, []],
  // It judges what the server built, so it shares no code with anything.
  ["decoder", /^web\/decoder\//, []],
  ["wallet", /^web\/wallet\//, ["decoder"]],
  ["web", /^web\//, ["ui", "words", "decoder", "wallet", "sdk"]],
  ["examples", /^examples\//, ["sdk"]],
  ["plugins", /^plugins\//, ["sdk"]],
  ["site", /^site\//, []],
];

const partOf = (path: string): string => PARTS.find(([, pattern]) => pattern.test(path))?.[0] ?? "elsewhere";

const between = (one: Import) => ({ from: partOf(one.from), to: partOf(one.to) });
const featureOf = (path: string): string | undefined => /^server\/features\/([^/]+)\//.exec(path)?.[1];
const singular = (noun: string): string => noun.replace(/(?<=ss)es$|(?<!s)s$/, "");
/** Pure files that are named after what they decide, since their feature decides several things. */
const DECISIONS = new Set([
  "user.ts",
  "decision.ts",
  "steps.ts",
  "state.ts",
  "eventCollector.ts",
  "eventTypes.ts",
  "reversal.ts",
  "correction.ts",
  "advance.ts",
  "question.ts",
  "waits.ts",
  "followDispute.ts",
  "ruling.ts",
  "happening.ts",
  "file.ts",
  "unmatched.ts",
  "payoutHold.ts",
  "paymentView.ts",
]);
const isNoun = (path: string): boolean => {
  const feature = featureOf(path);
  if (feature === undefined) return false;
  return [feature, singular(feature)].includes(basename(path, ".ts")) || DECISIONS.has(basename(path));
};

const WEBHOOK_FLOORS = ["endpoints", "delivery", "sending"];

const PACKAGES_OF_IO =
  /^(node:(fs|net|http|https|http2|tls|dns|dgram|child_process|worker_threads|cluster|timers|process|os|readline)(\/.*)?|pg|ws|find-my-way|litesvm|undici)$/;

const rules: readonly ImportRule[] = [
  {
    why: "imports go lib ← domain ← store, chain/port ← edge/http ← edge ← features ← app ← main, so that nothing calls upward.",
    forbids(one) {
      const { from, to } = between(one);
      if (one.isPackage || from === to || ["embedded", "solana", "elsewhere", "devnet"].includes(to)) return false;
      return !(PARTS.find(([name]) => name === from)?.[2] ?? []).includes(to);
    },
  },
  {
    why: "only main.ts and process/ join chain/solana and the embedded PostgreSQL to the rest: a feature must run on any.",
    forbids(one) {
      const { from, to } = between(one);
      return ["embedded", "solana"].includes(to) && from !== to && from !== "main";
    },
  },
  {
    why: "only server/process/local starts the local chain; a deployment has none.",
    forbids: (one) => partOf(one.to) === "devnet" && !["devnet", "local"].includes(partOf(one.from)) && !one.isPackage,
  },
  {
    why: "code that ships does not know tests, tools, or the other programs of this repository.",
    forbids: (one) => !one.isPackage && (partOf(one.to) === "elsewhere" || isTest(one.to)),
  },
  {
    why: "of another feature only its pure <noun>.ts, its schema.ts and the SQL in its fragments.ts may be used; the rest is its own.",
    forbids(one) {
      const [from, to] = [featureOf(one.from), featureOf(one.to)];
      return (
        from !== undefined &&
        to !== undefined &&
        from !== to &&
        !isNoun(one.to) &&
        !["fragments.ts", "schema.ts"].includes(basename(one.to))
      );
    },
  },
  {
    why: "webhooks go endpoints → delivery → sending: what sends knows no queue, and what queues changes no endpoint's settings.",
    forbids(one) {
      const [from, to] = [one.from, one.to].map((path) =>
        WEBHOOK_FLOORS.findIndex((floor) => path.startsWith(`server/features/webhooks/${floor}/`)),
      );
      return from! >= 0 && to! >= 0 && to! < from!;
    },
  },
  {
    why: "a feature's <noun>.ts and all of domain/ are pure: no I/O, no database, no framework.",
    forbids(one) {
      if (!isNoun(one.from) && partOf(one.from) !== "domain") return false;
      return one.isPackage ? PACKAGES_OF_IO.test(one.to) : ["store", "edge", "http"].includes(partOf(one.to));
    },
  },
  {
    why: "a pure file uses no other than pure files.",
    forbids: (one) => isNoun(one.from) && !one.isTypeOnly && featureOf(one.to) !== undefined && !isNoun(one.to),
  },
  {
    why: "lib knows no product and no framework: only what Node.js brings.",
    forbids: (one) => partOf(one.from) === "lib" && one.isPackage && !one.to.startsWith("node:"),
  },
  {
    why: "SQL goes through store/: nobody else talks to pg.",
    forbids: (one) =>
      one.to === "pg" && !one.isTypeOnly && !["store", "embedded", "main", "local"].includes(partOf(one.from)),
  },
  {
    // domain/addresses.ts is the exception: kit defines what an address is.
    why: "the chain is seen through chain/port.ts: kit stays in chain/solana, the program's client, agents and the local chain.",
    forbids: (one) =>
      /^(@solana|@solana-program)\//.test(one.to) &&
      one.from !== "server/domain/addresses.ts" &&
      !["solana", "client", "x402", "program", "devnet", "local"].includes(partOf(one.from)),
  },
  {
    why: "the chain in the process is the local chain's alone.",
    forbids: (one) => one.to === "litesvm" && partOf(one.from) !== "devnet",
  },
  {
    why: "a module is named literally, or no check can follow it.",
    forbids: (one) => one.to.startsWith("(computed"),
  },
];

/** Every import that a rule forbids, with the rule's reason. A tree without modules of server/ is a problem too. */
export function checkImports(root: string, files: readonly string[]): string[] {
  const modules = files.filter((path) => isModule(path) && !isTest(path) && packageOf(path) !== "tools");
  if (!modules.some((path) => path.startsWith("server/"))) return ["The import check saw no modules of server/."];
  const imports = modules.flatMap((path) => readImports(path, readText(root, path)));
  return imports.flatMap((one) =>
    rules
      .filter((rule) => rule.forbids(one))
      .map((rule) => `${one.from} imports ${one.to}${one.isTypeOnly ? " (types)" : ""}: ${rule.why}`),
  );
}
