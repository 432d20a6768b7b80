import { BlockList, isIP, isIPv6 } from "node:net";

/** Request header with the client address. The server sets it on every request and overwrites the caller's. */
export const ADDRESS_HEADER = "x-ragstone-address";

const PROXY_NETWORKS = [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const;

const proxies = new BlockList();
for (const [network, prefix] of PROXY_NETWORKS) proxies.addSubnet(network, prefix);
proxies.addAddress("::1", "ipv6");
proxies.addSubnet("fc00::", 7, "ipv6");

interface Connection {
  /** Remote address of the connection. */
  remoteAddress: string | undefined;
  forwardedFor: string | string[] | undefined;
  /** Whether a proxy terminates TLS: the public URL is HTTPS, but the server itself is not. */
  behindProxy: boolean;
}

/**
 * The client address that limits count by: the address of the connection or, behind a proxy in a private network, the
 * last entry of `X-Forwarded-For`, which the proxy wrote. For IPv6 the /64 network, because one customer owns all of
 * it. Pure.
 */
export function clientAddress({ remoteAddress = "", forwardedFor, behindProxy }: Connection): string {
  const connected = withoutIpv6Prefix(remoteAddress);
  if (!behindProxy || !isProxy(connected)) return networkOf(connected);
  const last = withoutIpv6Prefix([forwardedFor].flat().at(-1)?.split(",").at(-1)?.trim() ?? "");
  return networkOf(isIP(last) ? last : connected);
}

function isProxy(address: string): boolean {
  return isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Turns an IPv4 address mapped to IPv6 into the IPv4 address. */
function withoutIpv6Prefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The first 64 bits of an IPv6 address, expanded; an IPv4 address unchanged. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const [before, after] = [head, tail ?? ""].map((part) => part.split(":").filter(Boolean));
  const zeros =
    tail === undefined ? [] : Array(Math.max(0, 8 - (before?.length ?? 0) - (after?.length ?? 0))).fill("0");
  const groups: string[] = [...(before ?? []), ...zeros, ...(after ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
