import { useQuery } from "@tanstack/react-query";
import { read, SLOW_MS } from "../api/queries.ts";
import { useTenant } from "./tenant.ts";

/** The environment's time as of its last read: the clock that ends periods, not this device's. Null before the first read. */
export function useEnvironmentTime(): string | null {
  const { path } = useTenant();
  const { data } = useQuery({ ...read("listPayments", { path, query: { limit: "1" } }), refetchInterval: SLOW_MS });
  return data?.at ?? null;
}
