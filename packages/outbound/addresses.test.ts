import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLoopbackAddress, isPublicAddress, isPublicName } from "./target.ts";

describe("public addresses", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.0",
    "100.128.0.1",
    "223.255.255.254",
    "2606:4700::1111",
    "2a00:1450::1",
    "2001:4860:4860::8888",
  ])("%s is", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...[
      "0.0.0.0",
      "10.1.2.3",
      "100.64.0.1",
      "127.0.0.1",
      "127.255.255.254",
      "169.254.169.254",
      "169.254.170.2",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
    ],
    ...[
      "192.0.0.8",
      "192.0.2.1",
      "192.88.99.1",
      "198.18.0.1",
      "198.51.100.1",
      "203.0.113.1",
      "224.0.0.1",
      "239.255.255.255",
      "240.0.0.1",
      "255.255.255.255",
    ],
    ...[
      "::",
      "::1",
      "::127.0.0.1",
      "::ffff:127.0.0.1",
      "::ffff:8.8.8.8",
      "::ffff:7f00:1",
      "64:ff9b::7f00:1",
      "fe80::1",
      "fe80::1%eth0",
      "fc00::1",
      "fd00:ec2::254",
      "ff02::1",
    ],
    ...["2001::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "fec0::1", "localhost", "", "2606:4700::1111%eth0"],
  ])("%s is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("exclude IPv6 addresses that embed an IPv4 address", () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    const wrappers = fc.constantFrom("::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::");
    fc.assert(
      fc.property(octets, wrappers, (parts, wrapper) => {
        expect(isPublicAddress(wrapper + parts.join("."))).toBe(false);
      }),
    );
  });

  it.each(["ehr.example", "api.vapi.ai", "local.example", "internal.ehr.example", "mylocal.org", "notlocalhost.org", "example.com."])(
    "the name %s may be",
    (name) => {
      expect(isPublicName(name)).toBe(true);
    },
  );

  it.each([
    "",
    ".",
    "localhost",
    "localhost.",
    "ehr",
    "ehr.",
    "a.localhost",
    "ehr.local",
    "ehr.local.",
    "ehr.local..",
    "a.b.internal",
    "ehr.home.arpa",
  ])("the name %s can never be", (name) => {
    expect(isPublicName(name)).toBe(false);
  });

  it("loopback is the local machine only", () => {
    expect(["127.0.0.1", "127.9.9.9", "::1"].every(isLoopbackAddress)).toBe(true);
    expect(["10.0.0.1", "128.0.0.1", "::2", "localhost", ""].some(isLoopbackAddress)).toBe(false);
  });
});
