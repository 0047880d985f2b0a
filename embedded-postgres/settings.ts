import { CLUSTER_NAME } from "./leftovers.ts";

export type Settings = Readonly<Record<string, string>>;

/**
 * Passed on the command line, so that no configuration file can differ from these values. Time-outs of statements and idle
 * transactions belong to the pools. wal_level stays `replica`: `minimal` saves nothing on single-row commits and would
 * forbid an online base backup.
 */
export const DURABLE: Settings = {
  cluster_name: CLUSTER_NAME,
  listen_addresses: "", // the socket is the only door
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "256MB",
  fsync: "on",
  synchronous_commit: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  jit: "off", // the statements are short; the package has no JIT either
  // A new segment of the log is written full of zeros while every commit waits, up to 50 ms; one used before is taken as it is.
  min_wal_size: "1GB",
  max_wal_size: "4GB",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
};

/** For tests: a crash of the machine may lose everything, a crash of PostgreSQL nothing. */
export const EPHEMERAL: Settings = {
  ...DURABLE,
  fsync: "off",
  full_page_writes: "off",
  max_connections: "500", // sixteen test files run side by side, each with its pools
  shared_buffers: "128MB",
  // The data may lie in memory.
  min_wal_size: "128MB",
  max_wal_size: "512MB",
};
