import { basename } from "node:path";
import { isTest } from "./files.ts";
import type { Import } from "./imports.ts";

export interface ImportRule {
  readonly why: string;
  forbids(one: Import): boolean;
}

/** The parts of the house, first match wins, each with the parts it may see besides itself. */
const PARTS: readonly (readonly [name: string, path: RegExp, sees: readonly string[]])[] = [
  ["lib", /^server\/lib\//, []],
  ["limits", /^server\/limits\.ts$/, ["domain", "lib"]],
  ["domain", /^server\/domain\//, ["lib"]],
  ["embedded", /^server\/store\/embedded\//, ["lib"]],
  ["store", /^server\/store\//, ["domain", "lib", "limits"]],
  ["port", /^server\/chain\/[^/]+\.ts$/, ["domain", "lib"]],
  ["solana", /^server\/chain\/solana\//, ["port", "domain", "lib", "limits", "client"]],
  ["edge", /^server\/edge\//, ["store", "port", "domain", "lib", "limits"]],
  ["features", /^server\/features\//, ["edge", "store", "port", "domain", "lib", "limits"]],
  ["local", /^server\/local\//, ["features", "edge", "store", "port", "domain", "lib", "limits", "devnet", "client"]],
  [
    "main",
    /^server\/[^/]+\.ts$/,
    ["local", "features", "edge", "store", "embedded", "port", "solana", "domain", "lib", "limits"],
  ],
  ["devnet", /^devnet\//, ["client", "domain", "lib"]],
  ["client", /^program\/client\//, []],
  ["program", /^program\//, ["client"]],
  ["sdk", /^sdk\//, []],
  ["cli", /^cli\//, ["sdk"]],
  ["web", /^web\//, ["sdk"]],
];

const partOf = (path: string): string => PARTS.find(([, pattern]) => pattern.test(path))?.[0] ?? "elsewhere";
const maySeeTypes = (from: string, to: string): boolean => from === "client" && (to === "domain" || to === "port");

const between = (one: Import) => ({ from: partOf(one.from), to: partOf(one.to) });
const featureOf = (path: string): string | undefined => /^server\/features\/([^/]+)\//.exec(path)?.[1];
const singular = (noun: string): string => noun.replace(/(?<=ss)es$|(?<!s)s$/, "");
const isNoun = (path: string): boolean => {
  const feature = featureOf(path);
  return feature !== undefined && [feature, singular(feature)].includes(basename(path, ".ts"));
};

const PACKAGES_OF_IO =
  /^(node:(fs|net|http|https|http2|tls|dns|dgram|child_process|worker_threads|cluster|timers|process|os|readline)(\/.*)?|pg|ws|fastify|litesvm|undici|@fastify\/.*)$/;

export const rules: readonly ImportRule[] = [
  {
    why: "imports go lib ← domain ← store, chain/port ← edge ← features ← main, so that nothing calls upward.",
    forbids(one) {
      const { from, to } = between(one);
      if (one.isPackage || from === to || ["embedded", "solana", "elsewhere", "devnet"].includes(to)) return false;
      if (one.isTypeOnly && maySeeTypes(from, to)) return false;
      return !(PARTS.find(([name]) => name === from)?.[2] ?? []).includes(to);
    },
  },
  {
    why: "only main.ts and its neighbours join chain/solana and store/embedded to the rest: a feature must run on any.",
    forbids(one) {
      const { from, to } = between(one);
      return ["embedded", "solana"].includes(to) && from !== to && from !== "main";
    },
  },
  {
    why: "only server/local starts the local chain; a deployment has none.",
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
    why: "a feature's <noun>.ts and all of domain/ are pure: no I/O, no database, no framework.",
    forbids(one) {
      if (!isNoun(one.from) && !["domain", "limits"].includes(partOf(one.from))) return false;
      return one.isPackage ? PACKAGES_OF_IO.test(one.to) : ["store", "edge"].includes(partOf(one.to));
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
    // domain/addresses.ts is the exception: what an address is, is kit's to say.
    why: "the chain is seen through chain/port.ts: kit stays in chain/solana, the program's client and the local chain.",
    forbids: (one) =>
      /^(@solana|@solana-program)\//.test(one.to) &&
      one.from !== "server/domain/addresses.ts" &&
      !["solana", "client", "program", "devnet", "local"].includes(partOf(one.from)),
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
