// Which addresses and names count as inside.
import { expect, it } from "vitest";
import { isInnerAddress, isInnerHost } from "../../../../src/platform/http/addresses.js";

it.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "fe80::1",
  "fe80::1%eth0",
  "fd00::1",
  "fc00::1",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:a9fe:a9fe",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b::10.0.0.1",
  "2002:7f00:1::",
  "2002:c0a8:101::",
  "2001:db8::1",
  "2001::1",
  "",
  "example.com",
  "1.2.3",
])("%j is inside", (address) => {
  expect(isInnerAddress(address)).toBe(true);
});

it.each([
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "172.15.0.1",
  "172.32.0.1",
  "192.167.0.1",
  "223.255.255.255",
  "2606:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
  "2002:808:808::",
  "2a00:1450:4001::200e",
])("%s is outside", (address) => {
  expect(isInnerAddress(address)).toBe(false);
});

it.each([
  "localhost",
  "LOCALHOST",
  "localhost.",
  "app.localhost",
  "printer",
  "nas.local",
  "db.internal",
  "x.home.arpa",
  "[::1]",
  "127.0.0.1",
])("the host %s is inside by its name", (host) => {
  expect(isInnerHost(host)).toBe(true);
});

it.each(["example.com", "localhost.example.com", "internal.example.com", "8.8.8.8", "[2606:4700::1111]"])(
  "the host %s is not",
  (host) => {
    expect(isInnerHost(host)).toBe(false);
  },
);

it("odd spellings of an address are the same once a URL has read them", () => {
  for (const spelled of [
    "http://0x7f.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://127.1/",
    "http://[::ffff:7f00:1]/",
  ])
    expect([spelled, isInnerHost(new URL(spelled).hostname)]).toEqual([spelled, true]);
});
