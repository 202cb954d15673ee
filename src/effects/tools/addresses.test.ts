import { describe, expect, it } from "vitest";
import { addressIn, isDeceptive, isLocalHost, isMetadataHost } from "./addresses.ts";

describe("addresses in the input of a tool", () => {
  it.each([
    ["http://169.254.169.254/latest", true],
    ["http://2852039166/", true],
    ["http://0xA9FEA9FE/", true],
    ["http://0251.0376.0251.0376/", true],
    ["http://169.254.43518/", true],
    ["http://[::ffff:169.254.169.254]/", true],
    ["http://[fd00:ec2::254]/", true],
    ["http://169.254.170.2/v2/credentials", true],
    ["http://100.100.100.200/", true],
    ["http://metadata.google.internal./", true],
    ["http://169.254.169.254.nip.io/", true],
    ["http://169-254-169-254.sslip.io/", true],
    ["http://instance-data/", true],
    ["https://example.com/169.254.169.254", false],
    ["http://localhost:3000/", false],
    ["http://10.0.0.5/", false],
    ["https://metadata.example.com/", false],
  ])("%s leads to the metadata of a cloud: %s", (text, wanted) => {
    expect(isMetadataHost(addressIn(text)?.hostname ?? "")).toBe(wanted);
  });

  it("knows this machine, and names that only look right", () => {
    for (const host of ["localhost", "app.localhost", "127.0.0.1", "[::1]"]) expect(isLocalHost(host)).toBe(true);
    expect(isLocalHost("example.com")).toBe(false);
    expect(isDeceptive("https://g\u0456thub.com/a")).toBe(true);
    expect(isDeceptive("https://\u043f\u0440\u0438\u043c\u0435\u0440.com/")).toBe(false);
  });
});
