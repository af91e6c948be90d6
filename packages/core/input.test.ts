import fc from "fast-check";
import { expect, it } from "vitest";
import { networkOf } from "./input.ts";

it("C08: an IPv4 address, also one mapped into IPv6, and an IPv6 /64 prefix each are one network in every spelling", () => {
  for (const address of ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107"]) expect(networkOf(address)).toBe("203.0.113.7");
  expect(networkOf("203.0.113.8")).not.toBe(networkOf("203.0.113.7"));
  for (const address of ["2001:db8:1:2::", "2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::192.0.2.1", "2001:db8:1:2::1%eth0"])
    expect(networkOf(address)).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
  for (const other of ["", "unknown", "203.0.113.7, 198.51.100.1"]) expect(networkOf(other)).toBe(other);
});

it("C08: addresses that differ only in the last 64 bits are one network, and others are not", () => {
  const group = fc.nat(0xffff);
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  const written = (groups: number[]) => groups.map((one) => one.toString(16)).join(":");
  fc.assert(
    fc.property(
      half.filter(([first]) => first !== 0),
      half,
      half,
      fc.nat(3),
      (line, one, other, at) => {
        expect(networkOf(written([...line, ...one]))).toBe(networkOf(written([...line, ...other])));
        const neighbor = line.map((value, index) => (index === at ? value ^ 1 : value));
        expect(networkOf(written([...neighbor, ...one]))).not.toBe(networkOf(written([...line, ...one])));
      },
    ),
  );
});
