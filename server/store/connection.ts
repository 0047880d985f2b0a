import pg from "pg";
import { readHosts } from "./hosts.ts";
import { RETURNED, requireUnchanged, SENT_VALUES, SESSION_SETTINGS, type Settings } from "./sessionSettings.ts";
import { asAway, DatabaseUnavailableError } from "./unavailable.ts";

/** Deadline of making a connection, and again of setting it up. An attempt that takes this long hangs; it is not slow. */
export const CONNECT_MS = 30_000;
/** The time after which the next connection is sent to another server; this one may still be made. */
const PASS_OVER_MS = 2_000;
/** The deadlines of a connection outside the pool at each of several servers: a patient round follows an impatient one. */
const ROUNDS_MS: readonly number[] = [PASS_OVER_MS, 8_000, CONNECT_MS];

/** Makes every connection: to one of the database's servers, each time the last one that worked, or else the next. */
export interface Connector {
  /** The number of servers to try. */
  readonly servers: number;
  /** Options of `pg.Pool`: the class of its connections, and the set-up that each runs before it is used. */
  readonly pooling: Pick<pg.PoolConfig, "Client" | "onConnect">;
  /** Makes one connection outside the pool, ready for use. */
  readonly connect: (config: pg.ClientConfig, onError: (error: Error) => void) => Promise<pg.Client>;
  /** Ends the attempts of the pool that are under way. */
  readonly abandon: () => void;
}

/** The settings that this server's version has. They hold before the values are written. */
const SET_UP = `
  select ${RETURNED}, count(set_config(s.name, s.value, false)),
    bool_or(pg_is_in_recovery() or current_setting('transaction_read_only') = 'on') as reads_only
  from unnest($5::text[], $6::text[]) as s (name, value)
  where current_setting(s.name, true) is not null`;
type SetUp = Parameters<typeof requireUnchanged>[0] & { readonly reads_only: boolean };

/**
 * `connection.options` are ours, in the form `-c name=value`; `settings` are applied once the connection exists. A pooler
 * would refuse them at its start, and the options of the address would replace them.
 */
export function createConnector(
  { connectionString, options, ...others }: pg.ClientConfig,
  settings: Settings = [],
): Connector {
  const hosts = connectionString === undefined ? null : readHosts(connectionString);
  const servers = hosts?.urls.length ?? 1;
  const made = [...SESSION_SETTINGS, ...settings, ...readOptions(options ?? "")];
  let current = 0;
  const underWay = new Set<RoutedClient>();

  class RoutedClient extends pg.Client {
    readonly #server = current;
    #slow: NodeJS.Timeout | undefined;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...others, ...config, ...(hosts === null ? {} : { connectionString: hosts.urls[current]! }) });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
      underWay.add(this);
      this.#slow = setTimeout(() => this.passOver(), PASS_OVER_MS);
      if (callback === undefined)
        return super.connect().catch((error: unknown) => {
          this.#fail();
          throw error;
        });
      super.connect((error: Error | null) => {
        if (error !== null && error !== undefined) this.#fail();
        callback(error as never, this);
      });
      return undefined;
    }

    #settle(): void {
      underWay.delete(this);
      clearTimeout(this.#slow);
    }

    #fail(): void {
      this.#settle();
      this.passOver();
    }

    /** Sends the next connection to another server. Several failures at the same time skip one server once. */
    passOver(): void {
      if (this.#server === current) current = (current + 1) % servers;
    }

    async setUp(): Promise<void> {
      const values = [...SENT_VALUES, made.map(([name]) => name), made.map(([, value]) => value)];
      // `pg` supports this deadline, but its types lack it.
      const query: pg.QueryConfig & { query_timeout: number } = { text: SET_UP, values, query_timeout: CONNECT_MS };
      try {
        const { rows } = await this.query<SetUp>(query);
        requireUnchanged(rows[0]!);
        if (hosts?.wanted === "read-write" && rows[0]!.reads_only)
          throw new DatabaseUnavailableError(
            "No server of the database takes writes: this one only reads.",
            "read-only",
          );
        this.#settle();
      } catch (error) {
        this.#fail();
        throw error;
      }
    }
  }

  return {
    servers,
    pooling: { Client: RoutedClient, onConnect: (client) => (client as RoutedClient).setUp() },
    connect: async (config, onError) => {
      let failure: unknown;
      for (const connectionTimeoutMillis of servers === 1 ? [CONNECT_MS] : ROUNDS_MS)
        for (let tries = 0; tries < servers; tries++) {
          const client = new RoutedClient({ connectionTimeoutMillis, ...config });
          client.on("error", onError);
          try {
            await client.connect();
            await client.setUp();
            return client;
          } catch (error) {
            void client.end().catch(() => undefined);
            failure = asAway(error);
          }
        }
      throw failure;
    },
    abandon: () => {
      for (const client of underWay) client.connection.stream.destroy();
    },
  };
}

/** Parses `-c one=1 -c two=2` into pairs. */
const readOptions = (options: string): Settings =>
  options
    .split(/\s*-c\s+/)
    .filter((option) => option !== "")
    .map((option) => {
      const [name, ...value] = option.trim().split("=");
      return [name!, value.join("=")] as const;
    });
