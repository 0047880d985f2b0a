import { payIntent } from "@holdfast/devnet/buyer.ts";
import { RpcCallError } from "@holdfast/devnet/client.ts";
import type { FAULT_MODES } from "@holdfast/devnet/faults.ts";
import { setClockAhead } from "../../../server/features/chains/queries.ts";
import { newBuyer } from "../../harness/chain.ts";
import { eventually } from "../../harness/wait.ts";
import { LIES_OF_ONE } from "../lies.ts";
import { honest } from "../lyingNode.ts";
import type { Random } from "../random.ts";
import { HOSTILITIES, type Hostility } from "./endpoints.ts";
import { WORKS, type Work } from "./work.ts";
import type { Member, World } from "./world.ts";

/**
 * What a fault breaks. Of faults at the same time each breaks another part; they are healed in this order, and begin in the
 * opposite one: what starts a process or asks the service finds all else well.
 */
const PLACES = [
  "postgres",
  "connections",
  "chain",
  "node",
  "subscriptions",
  "clock",
  "endpoint",
  "mail",
  "worker",
  "api",
] as const;
type Place = (typeof PLACES)[number];
type Heal = () => Promise<unknown> | unknown;

/** The work that a fault of each part can hit. */
const WORK_OF: Readonly<Record<Place, readonly Work[]>> = {
  postgres: WORKS,
  connections: WORKS,
  chain: ["payments", "payouts"],
  node: ["payments", "payouts"],
  subscriptions: ["payments"],
  clock: ["payments", "payouts"],
  endpoint: ["deliveries"],
  mail: ["emails"],
  worker: ["payments", "payouts", "deliveries"],
  api: ["requests", "uploads", "emails"],
};

/** True if the database may not answer while these faults last. */
export const breakDatabase = (kinds: readonly Kind[]): boolean =>
  kinds.some(({ places }) => places.some((place) => place === "postgres" || place === "connections"));

/** True if one of these works, which were under way, is of the parts that the fault breaks. */
export const hits = ({ places }: Kind, under: ReadonlySet<Work>): boolean =>
  places.some((place) => WORK_OF[place].some((work) => under.has(work)));

export interface Kind {
  readonly name: string;
  /** The parts that it breaks; all of them: it comes alone. */
  readonly places: readonly Place[];
  /** Breaks it. Random numbers are drawn before anything is awaited, so that a seed repeats them. */
  readonly begin: (world: World, random: Random) => Promise<Heal> | Heal;
  /** PostgreSQL starts again at its end. */
  readonly restarts?: true;
}

const SKEW_MS = 600_000;
const one = <Item>(random: Random, items: readonly Item[]): Item => random.pick(items as readonly [Item, ...Item[]]);

const atMember =
  (
    place: "api" | "worker",
    begin: (world: World, member: Member, random: Random) => Promise<Heal> | Heal,
  ): Kind["begin"] =>
  (world, random) =>
    begin(world, one(random, place === "api" ? world.apis : world.workers), random);

/** Killed, stopped for a while, or running with a wrong clock: each process. */
const ofMembers = (["api", "worker"] as const).flatMap((place): Kind[] => [
  {
    name: `${place} killed`,
    places: [place],
    begin: atMember(place, async (world, member) => {
      await member.end("SIGKILL");
      return () => world.begin(member);
    }),
  },
  {
    name: `${place} stopped`,
    places: [place],
    begin: atMember(place, (_, member) => {
      member.process.kill("SIGSTOP");
      return () => member.process.kill("SIGCONT");
    }),
  },
  {
    name: `${place} with a wrong clock`,
    places: [place],
    begin: atMember(place, async (world, member, random) => {
      const skew = random.pick([-SKEW_MS, SKEW_MS]);
      const wrong = `const now=Date.now;Date.now=()=>now()+${skew}`;
      await member.end("SIGTERM");
      await world.begin(member, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(wrong)}` });
      return async () => {
        await member.end("SIGTERM");
        await world.begin(member);
      };
    }),
  },
]);

const ofPostgres: readonly Kind[] = [
  ...(["fast", "immediate"] as const).map(
    (how): Kind => ({
      name: `PostgreSQL stopped (${how})`,
      places: ["postgres"],
      restarts: true,
      begin: async ({ cluster }) => {
        await cluster.stop(how);
        return () => cluster.begin();
      },
    }),
  ),
  {
    name: "PostgreSQL frozen",
    places: ["postgres"],
    begin: ({ cluster }) => {
      cluster.signal("SIGSTOP", "all");
      return () => cluster.signal("SIGCONT", "all");
    },
  },
  {
    name: "a backend killed",
    places: ["postgres"],
    begin: ({ cluster }) => {
      cluster.signal("SIGKILL", "one");
      return () => undefined;
    },
  },
  {
    name: "backends terminated",
    places: ["postgres"],
    begin: async ({ cluster }) => {
      await cluster.terminateBackends();
      return () => undefined;
    },
  },
  {
    name: "disk full",
    places: ["postgres"],
    begin: ({ cluster }) => {
      cluster.fillDisk(true);
      return async () => {
        cluster.fillDisk(false);
        // PostgreSQL ends where its log has no room.
        if (cluster.exitCode !== null) await cluster.begin();
      };
    },
  },
];

const ofConnections: readonly Kind[] = [
  {
    name: "connections cut",
    places: ["connections"],
    begin: ({ proxy }) => {
      proxy.cut();
      return () => undefined;
    },
  },
  {
    name: "connections refused",
    places: ["connections"],
    begin: ({ proxy }) => {
      proxy.delayMs = null;
      proxy.cut();
      return () => {
        proxy.delayMs = 0;
      };
    },
  },
  {
    name: "slow connections",
    places: ["connections"],
    begin: ({ proxy }, random) => {
      proxy.delayMs = random.whole(500, 4_000);
      proxy.cut();
      return () => {
        proxy.delayMs = 0;
        proxy.release();
      };
    },
  },
  {
    name: "half-open connections",
    places: ["connections"],
    begin: ({ proxy }) => {
      proxy.vanish();
      return () => proxy.cut();
    },
  },
];

/** Modes of a node that fails, and of one that knows less than it should. */
const [FAILS, FORGETS] = [
  ["time_out", "rate_limited", "slow", "malformed", "not_json", "empty", "server_error", "reset", "rpc_error"],
  ["stale_slot", "until_unknown", "no_block_time", "reorder", "pruned"],
] as const satisfies readonly (readonly (typeof FAULT_MODES)[number][])[];

const withMode =
  (modes: readonly (typeof FAULT_MODES)[number][], nodes: readonly string[]): Kind["begin"] =>
  async ({ chain }, random) => {
    const mode = one(random, modes);
    for (const node of nodes) await chain.control("faults", { mode, node });
    return async () => {
      for (const node of nodes) await chain.control("faults", { mode: "none", node });
    };
  };

const ofChain: readonly Kind[] = [
  {
    name: "chain killed",
    places: ["chain", "node", "subscriptions", "clock"],
    begin: async ({ chain }) => {
      await chain.end("SIGKILL");
      return () => chain.restart();
    },
  },
  {
    name: "chain frozen",
    places: ["chain", "node", "subscriptions", "clock"],
    begin: ({ chain }) => {
      chain.signal("SIGSTOP");
      return () => chain.signal("SIGCONT");
    },
  },
  {
    name: "a node lies",
    places: ["node"],
    begin: ({ liar }, random) => {
      liar.lie = LIES_OF_ONE.get(one(random, [...LIES_OF_ONE.keys()]))!();
      return () => {
        liar.lie = honest;
      };
    },
  },
  { name: "a node fails", places: ["node"], begin: withMode(FAILS, ["two"]) },
  { name: "a node forgets", places: ["node"], begin: withMode(FORGETS, ["two"]) },
  { name: "both nodes fail", places: ["node"], begin: withMode(FAILS, ["one", "two"]) },
  { name: "no notices", places: ["subscriptions"], begin: withMode(["socket_closed", "socket_silent"], [""]) },
  {
    name: "fork",
    places: ["chain", "clock", "api"],
    begin: async (world) => {
      const { chain, service, shop } = world;
      const [buyer, intent] = [await newBuyer(service), await shop.create()];
      await chain.control("freeze_finality", { on: true });
      const { signature } = await payIntent(service, buyer, intent);
      await eventually(
        "the payment is bound",
        async () => (await shop.intent(intent.id)).status === "paid",
        5_000,
      ).catch(() => undefined);
      await chain.control("drop", { signature });
      await chain.control("freeze_finality", { on: false });
      return async () => {
        await payIntent(service, buyer, intent).catch((error: unknown) => {
          if (!(error instanceof RpcCallError && /payment_exists/.test(error.message))) throw error;
        });
      };
    },
  },
  {
    name: "clock step",
    places: ["clock"],
    begin: async ({ chain, service }, random) => {
      const { offsetMs } = await chain.control<{ offsetMs: number }>("advance", { seconds: random.whole(60, 3_600) });
      return () =>
        eventually("the service's clock follows", () =>
          setClockAhead(service.database, offsetMs).then(
            () => true,
            () => false,
          ),
        );
    },
  },
];

const ofStrangers: readonly Kind[] = [
  {
    name: "hostile receiver",
    places: ["endpoint"],
    begin: ({ endpoints }, random) => {
      endpoints.hostility = one(random, Object.keys(HOSTILITIES)) as Hostility;
      return () => {
        endpoints.hostility = null;
      };
    },
  },
  {
    name: "hostile mail server",
    places: ["mail"],
    begin: ({ mail }, random) => {
      const [command, said] = one(random, [
        ["MAIL", "421 closing"],
        ["RCPT", "451 later"],
        ["DATA", "452 full"],
        [".", "451 later"],
      ] as const);
      mail.answer = (line) => (line.startsWith(command) ? said : null);
      return () => {
        mail.answer = () => null;
      };
    },
  },
];

const ofAll: readonly Kind[] = [
  {
    name: "rolling restart",
    places: ["worker", "api"],
    begin: async (world) => {
      for (const member of world.members) {
        await member.end("SIGTERM");
        await world.begin(member);
      }
      return () => undefined;
    },
  },
  {
    name: "all killed at once",
    places: PLACES,
    begin: async (world) => {
      const { members, cluster, chain } = world;
      await Promise.all([
        ...members.map((member) => member.end("SIGKILL")),
        cluster.stop("immediate"),
        chain.end("SIGKILL"),
      ]);
      return async () => {
        await Promise.all([cluster.begin(), chain.restart()]);
        await Promise.all(members.map((member) => world.begin(member)));
      };
    },
  },
];

/** Comes once in a run that has an older build. */
export const UPGRADE: Kind = {
  name: "upgrade",
  places: ["worker", "api"],
  begin: async (world, random) => {
    await world.upgrade(random.pick(["SIGTERM", "SIGKILL"]));
    return () => undefined;
  },
};

export const KINDS: readonly Kind[] = [
  ...ofMembers,
  ...ofPostgres,
  ...ofConnections,
  ...ofChain,
  ...ofStrangers,
  ...ofAll,
];

/** Kinds in a random order, each once before any comes again. */
export class Deck {
  readonly #random: Random;
  readonly #kinds: readonly Kind[];
  #left: Kind[] = [];

  constructor(random: Random, kinds: readonly Kind[]) {
    this.#random = random;
    this.#kinds = kinds;
  }

  /** Up to so many kinds that break different parts, in the order in which they begin. */
  draw(count: number): Kind[] {
    const drawn: Kind[] = [];
    if (this.#left.length === 0) this.#left = [...this.#kinds];
    while (drawn.length < count && this.#left.length > 0) {
      const kind = this.#left.splice(this.#random.whole(0, this.#left.length - 1), 1)[0]!;
      if (drawn.some(({ places }) => places.some((place) => kind.places.includes(place)))) {
        this.#left.push(kind);
        break;
      }
      drawn.push(kind);
    }
    return drawn.toSorted((a, b) => rankOf(b) - rankOf(a));
  }
}

const rankOf = ({ places }: Kind): number => Math.max(...places.map((place) => PLACES.indexOf(place)));
