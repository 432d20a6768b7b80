import { BlockList, isIP, isIPv6 } from "node:net";

/** The server sets it on every request, over whatever a caller sends. */
export const ADDRESS_HEADER = "x-ragstone-address";

const NETWORKS_OF_PROXIES = [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const;

const proxies = new BlockList();
for (const [network, prefix] of NETWORKS_OF_PROXIES) proxies.addSubnet(network, prefix);
proxies.addAddress("::1", "ipv6");
proxies.addSubnet("fc00::", 7, "ipv6");

interface Seen {
  /** Of the connection. */
  remoteAddress: string | undefined;
  forwardedFor: string | string[] | undefined;
  /** Whether a proxy ends TLS, because this server's public address has it and the server itself does not. */
  behindProxy: boolean;
}

/**
 * Who a request comes from, for limits: the address of the connection; behind a proxy in a private network, the last
 * entry of its `X-Forwarded-For`, which is the one that the proxy wrote. Of an IPv6 address the network, because one
 * customer has all of it. Pure.
 */
export function clientAddress({ remoteAddress = "", forwardedFor, behindProxy }: Seen): string {
  const connected = plain(remoteAddress);
  if (!behindProxy || !isProxy(connected)) return networkOf(connected);
  const last = plain([forwardedFor].flat().at(-1)?.split(",").at(-1)?.trim() ?? "");
  return networkOf(isIP(last) ? last : connected);
}

function isProxy(address: string): boolean {
  return isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** An IPv4 address that came over IPv6 is itself. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The first 64 bits of an IPv6 address, written out. */
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
