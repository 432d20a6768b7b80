import { expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { clientAddress } from "./client-address.ts";

test("without a proxy, X-Forwarded-For changes nothing", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.oneof(fc.ipV4(), fc.string(), fc.array(fc.ipV4())), (remoteAddress, forwardedFor) => {
      expect(clientAddress({ remoteAddress, forwardedFor, behindProxy: false })).toBe(remoteAddress);
    }),
  );
});

test("behind a proxy, the entry that the proxy wrote counts, not the ones before it", () => {
  const seen = (remoteAddress: string, forwardedFor?: string | string[]) =>
    clientAddress({ remoteAddress, forwardedFor, behindProxy: true });
  for (const proxy of ["127.0.0.1", "::ffff:127.0.0.1", "::1", "10.1.2.3", "172.18.0.2", "192.168.0.9", "fd00::1"]) {
    expect(seen(proxy, "198.51.100.7")).toBe("198.51.100.7");
    expect(seen(proxy, "made.up, 203.0.113.1, 198.51.100.7")).toBe("198.51.100.7");
    expect(seen(proxy, ["203.0.113.1", "203.0.113.2, 198.51.100.7"])).toBe("198.51.100.7");
  }
  // a client that bypasses the proxy, or a proxy that sends no header
  expect(seen("203.0.113.9", "198.51.100.7")).toBe("203.0.113.9");
  expect(seen("10.1.2.3")).toBe("10.1.2.3");
  expect(seen("10.1.2.3", "unknown")).toBe("10.1.2.3");
});

test("addresses of one IPv6 network are one client", () => {
  const of = (remoteAddress: string) => clientAddress({ remoteAddress, forwardedFor: undefined, behindProxy: false });
  expect(of("2001:db8:0:7::1")).toBe("2001:db8:0:7::/64");
  expect(of("2001:0db8::7:ffff:ffff:ffff:ffff")).toBe(of("2001:db8:0:7::1"));
  expect(of("2001:db8:0:8::1")).not.toBe(of("2001:db8:0:7::1"));
  expect(of("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  expect(of("::")).toBe("0:0:0:0::/64");
  fc.assert(fc.property(fc.ipV6(), (address) => of(address).endsWith("::/64") || /^[\d.]+$/.test(of(address))));
});
