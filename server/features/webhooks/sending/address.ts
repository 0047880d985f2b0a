import { BlockList, isIP } from "node:net";

/**
 * IPv4 ranges that are not the public internet (IANA's special-purpose registry), and a cloud's internal server with a
 * public address.
 */
const DENIED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
];
/** IANA assigns only 2000::/3 of IPv6. The denied parts of it are not public, or contain an IPv4 address. */
const ALLOWED_IPV6 = ["2000::/3"];
const DENIED_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"];

const listOf = (ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [base, bits] = range.split("/");
    list.addSubnet(base!, Number(bits), family);
  }
  return list;
};
const deniedIpv4 = listOf(DENIED_IPV4, "ipv4");
const allowedIpv6 = listOf(ALLOWED_IPV6, "ipv6");
const deniedIpv6 = listOf(DENIED_IPV6, "ipv6");

/** True if a delivery may go to this address. Refuses any text but the plain spelling of one address. */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return !deniedIpv4.check(address, "ipv4");
  return family === 6 && allowedIpv6.check(address, "ipv6") && !deniedIpv6.check(address, "ipv6");
}

/** True if both texts name the same address, in any spelling. */
export function isSameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false;
  const list = new BlockList();
  list.addAddress(one, isIP(one) === 4 ? "ipv4" : "ipv6");
  // An IPv4 peer of a dual-stack socket is spelled ::ffff:a.b.c.d; BlockList treats the two as one.
  return list.check(other, isIP(other) === 4 ? "ipv4" : "ipv6");
}
