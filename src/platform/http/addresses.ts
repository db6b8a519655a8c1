// Which addresses and host names belong to this machine or a private network, and must not be reached by accident.
import { BlockList, isIP } from "node:net";

type Row = readonly [address: string, prefix: number];

// The special-purpose registries of IANA (RFC 6890 and its updates).
const inner4: readonly Row[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
const inner6: readonly Row[] = [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];
/** Ranges whose addresses carry an IPv4 address: mapped, compatible, NAT64, 6to4. The number is where its bytes begin. */
const carriers: readonly (readonly [Row, number])[] = [
  [["::ffff:0:0", 96], 12],
  [["::", 96], 12],
  [["64:ff9b::", 96], 12],
  [["2002::", 16], 2],
];

const listOf = (rows: readonly Row[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of rows) list.addSubnet(address, prefix, family);
  return list;
};
const list4 = listOf(inner4, "ipv4");
const list6 = listOf(inner6, "ipv6");
const carrierLists = carriers.map(([row, at]) => [listOf([row], "ipv6"), at] as const);

/** The 16 bytes of an IPv6 address as the URL parser writes it. */
const bytesOf = (address: string): number[] => {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const words = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));
  const [before, after] = [words(head), words(tail ?? "")];
  const all =
    tail === undefined ? before : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return all.flatMap((word) => [word >> 8, word & 0xff]);
};

/** True for an address of this machine, a private, link-local or reserved network, also inside an IPv6 address. */
export const isInnerAddress = (address: string): boolean => {
  const plain = address.replace(/%.*$/, ""); // without the zone of a link-local address
  if (isIP(plain) === 4) return list4.check(plain, "ipv4");
  if (isIP(plain) !== 6) return true; // no address at all: never reached
  if (list6.check(plain, "ipv6")) return true;
  const carrier = carrierLists.find(([list]) => list.check(plain, "ipv6"));
  return (
    carrier !== undefined &&
    list4.check(
      bytesOf(plain)
        .slice(carrier[1], carrier[1] + 4)
        .join("."),
      "ipv4",
    )
  );
};

/** The address a URL's host name spells; undefined for names. */
export const literalAddress = (hostname: string): string | undefined => {
  const plain = hostname.replace(/^\[|\]$/g, "");
  return isIP(plain) === 0 ? undefined : plain;
};

/** Names nobody outside can own: one label, or an ending that is never delegated. */
const innerName = /^[^.]+$|(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|corp|home|private|test)$/;

/** True for a host that by its own spelling is on this machine or a private network. */
export const isInnerHost = (hostname: string): boolean => {
  const address = literalAddress(hostname);
  return address === undefined ? innerName.test(hostname.toLowerCase().replace(/\.$/, "")) : isInnerAddress(address);
};
