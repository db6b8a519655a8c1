// The read-only table: commands that cannot change files, settings, processes or the network, and how to read them.
import type { ReadOnlySpec } from "./spec.js";

const split = (text: string): string[] => (text === "" ? [] : text.split(" "));
const never = (text: string, check: string): [string, string][] => split(text).map((name) => [name, check]);

const text: ReadOnlySpec = { operands: "text", isAnyOption: true };
const files = (more: Partial<ReadOnlySpec> = {}): ReadOnlySpec => ({ operands: "files", isAnyOption: true, ...more });

const grep: ReadOnlySpec = {
  operands: "pattern",
  valued: "efmABCdD",
  longValued: split(
    "regexp file max-count after-context before-context context binary-files devices directories include exclude exclude-dir exclude-from label group-separator",
  ),
  longPlain: split(
    "recursive dereference-recursive files-with-matches files-without-match line-number ignore-case count color colour only-matching quiet silent invert-match word-regexp line-regexp fixed-strings extended-regexp perl-regexp basic-regexp null no-filename with-filename text no-messages initial-tab byte-offset line-buffered null-data unix-byte-offsets version help",
  ),
  files: ["-f", "--file", "--exclude-from"],
  patterns: ["-e", "--regexp", "-f", "--file"],
  recursive: ["-r", "-R", "--recursive", "--dereference-recursive"],
  lists: ["-l", "-L", "--files-with-matches", "--files-without-match"],
  isAnyOption: true,
  keepsLists: "viEFwxPe",
  counts: "cviEFwxPe",
};

const checksum = files({
  longPlain: split("check binary tag text ignore-missing quiet status strict warn zero"),
  never: new Map(never("-c --check", "W4")),
});

const entries: [string, ReadOnlySpec][] = [
  ["true false : uname arch uptime free groups tty cal seq expr basename dirname sleep echo nproc", text],
  ["pwd whoami id locale getconf break continue exit return wait", text],
  ["jobs", { operands: "text", only: { letters: "lnprs", long: [] } }],
  ["hash alias", { operands: "none", only: { letters: "", long: [] } }],
  ["printf", { ...text, isPosix: true, never: new Map(never("-v", "E3")) }],
  ["tput", { operands: "text", only: { letters: "", long: [] } }],
  ["cat", files()],
  [
    "ls",
    {
      operands: "metadata",
      isAnyOption: true,
      longValued: split("ignore hide width tabsize block-size"),
      usesCwd: true,
      lists: "1aAdrtSR",
    },
  ],
  ["head", files({ valued: "nc", longValued: split("lines bytes"), keepsLists: "n" })],
  [
    "tail",
    files({
      valued: "ncs",
      longValued: split("lines bytes sleep-interval pid max-unchanged-stats"),
      longPlain: split("follow retry quiet silent verbose zero-terminated"),
      never: new Map(never("-f -F --follow --retry --pid", "X2")),
      keepsLists: "n",
    }),
  ],
  [
    "wc",
    files({
      longValued: split("files0-from total"),
      longPlain: split("bytes chars lines words max-line-length"),
      never: new Map(never("--files0-from", "W4")),
      counts: "lwc",
    }),
  ],
  ["nl", files({ valued: "bdfhilnsvw" })],
  ["rev comm", files()],
  ["tac", files({ valued: "s", longValued: ["separator"] })],
  ["cmp", files({ valued: "in", longValued: split("ignore-initial bytes") })],
  ["column", files({ valued: "scoN", longValued: split("separator output-separator table-columns") })],
  ["expand unexpand", files({ valued: "t", longValued: ["tabs"] })],
  ["fold", files({ valued: "w", longValued: ["width"] })],
  ["fmt", files({ valued: "wpg", longValued: split("width prefix goal") })],
  ["paste", files({ valued: "d", longValued: ["delimiters"] })],
  ["join", files({ valued: "12jtaveo" })],
  ["cut", files({ valued: "dfbc", longValued: split("delimiter fields bytes characters output-delimiter") })],
  ["tr", { operands: "text", isAnyOption: true }],
  ["cksum", checksum],
  ["md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum sum shasum", checksum],
  [
    "base64 base32",
    {
      operands: "files",
      valued: "w",
      glued: "",
      longValued: ["wrap"],
      only: { letters: "diw", long: split("decode ignore-garbage wrap") },
    },
  ],
  ["od", files({ valued: "AjNSt", longValued: split("address-radix skip-bytes read-bytes format width strings") })],
  ["hexdump hd", files({ valued: "nsef", files: ["-f"] })],
  ["strings", files({ valued: "nteT", longValued: split("bytes radix encoding") })],
  ["stat", { operands: "metadata", isAnyOption: true, valued: "c", longValued: split("format printf") }],
  ["realpath readlink", { operands: "metadata", isAnyOption: true, longValued: split("relative-to relative-base") }],
  [
    "du",
    {
      operands: "metadata",
      isAnyOption: true,
      valued: "dBtX",
      longValued: split("max-depth block-size threshold exclude exclude-from files0-from time-style"),
      files: ["-X", "--exclude-from"],
      never: new Map(never("--files0-from", "W4")),
      usesCwd: true,
    },
  ],
  [
    "df",
    {
      operands: "metadata",
      isAnyOption: true,
      valued: "Btx",
      longValued: split("block-size type exclude-type output"),
    },
  ],
  ["numfmt", { ...text, valued: "d", longValued: split("field format from to padding suffix delimiter header") }],
  ["grep egrep fgrep", grep],
  ["which type", text],
  [
    "diff",
    {
      operands: "files",
      valued: "UCIxXFDWS",
      glued: "u",
      longValued: split(
        "exclude exclude-from to-file from-file label unified context ignore-matching-lines width starting-file color palette tabsize horizon-lines show-function-line line-format ifdef",
      ),
      longPlain: split("brief recursive side-by-side ignore-case ignore-all-space"),
      files: ["-X", "-S", "--exclude-from", "--to-file", "--from-file"],
      recursive: ["-r", "--recursive"],
      isAnyOption: true,
    },
  ],
  [
    "sort",
    {
      operands: "files",
      valued: "ktSoT",
      longValued: split(
        "key field-separator buffer-size output temporary-directory compress-program files0-from parallel batch-size random-source sort",
      ),
      longPlain: split(
        "reverse unique numeric-sort general-numeric-sort human-numeric-sort version-sort stable zero-terminated check merge ignore-case ignore-leading-blanks dictionary-order month-sort random-sort debug ignore-nonprinting",
      ),
      files: ["--random-source"],
      never: new Map([
        ...never("-o --output -T --temporary-directory", "W1"),
        ...never("--compress-program", "W2"),
        ...never("--files0-from", "W4"),
      ]),
      only: {
        letters: "bdfghiMnRrVcCmksStuz",
        long: split(
          "key field-separator buffer-size parallel batch-size random-source sort reverse unique numeric-sort general-numeric-sort human-numeric-sort version-sort stable zero-terminated check merge ignore-case ignore-leading-blanks dictionary-order month-sort random-sort debug ignore-nonprinting",
        ),
      },
      keepsLists: "runfVsb",
    },
  ],
  [
    "uniq",
    {
      operands: "files",
      valued: "fsw",
      longValued: split("skip-fields skip-chars check-chars"),
      only: {
        letters: "cdDufiswz",
        long: split(
          "count repeated all-repeated unique ignore-case skip-fields skip-chars check-chars zero-terminated group",
        ),
      },
      maxOperands: 1,
      keepsLists: "udi",
    },
  ],
  [
    "tree",
    {
      operands: "files",
      valued: "LPIo",
      longValued: split("filelimit charset gitfile infofile sort timefmt"),
      files: ["--gitfile", "--infofile"],
      never: new Map(never("-o", "W1")),
      only: {
        letters: "adflxLPIpsughDFQNqCnACStUrvciJX",
        long: split(
          "noreport dirsfirst filesfirst charset filelimit sort timefmt gitignore gitfile infofile prune du si inodes device matchdirs ignore-case metafirst nolinks",
        ),
      },
      usesCwd: true,
    },
  ],
  [
    "xxd",
    {
      operands: "files",
      valued: "clgos",
      longValued: split("cols len groupsize seek"),
      never: new Map(never("-r", "W1")),
      only: { letters: "abcCdeEglopsui", long: [] },
      maxOperands: 1,
    },
  ],
  [
    "file",
    {
      operands: "files",
      valued: "FeP",
      longValued: split("separator exclude"),
      never: new Map([
        ...never("-C --compile", "W1"),
        ...never("-m -f --magic-file --files-from", "W4"),
        ...never("-z -Z --uncompress", "W2"),
      ]),
      only: {
        letters: "bchikLNnrvEFe0d",
        long: split(
          "brief mime mime-type mime-encoding dereference no-dereference no-buffer keep-going raw separator version print0 extension exclude",
        ),
      },
    },
  ],
  [
    "hostname",
    {
      operands: "none",
      only: { letters: "fsiIdA", long: split("fqdn short ip-address all-ip-addresses domain all-fqdns long") },
    },
  ],
  [
    "pgrep",
    {
      operands: "text",
      valued: "dgGPstuUFO",
      longValued: split("delimiter group parent session terminal euid uid pidfile older signal"),
      files: ["-F", "--pidfile"],
      never: new Map(never("--signal", "X2")),
      only: {
        letters: "flaovwxcniuUPgGstd",
        long: split(
          "full list-name list-full inverse exact count newest oldest ignore-case parent euid uid group session terminal delimiter",
        ),
      },
    },
  ],
  ["lsof", { operands: "metadata", only: { letters: "aniPtuplcsdbUw", long: [] } }],
  [
    "ss",
    {
      operands: "text",
      only: {
        letters: "tulnparsimeoHxw46",
        long: split("tcp udp listening numeric processes all resolve summary no-header unix ipv4 ipv6"),
      },
    },
  ],
  [
    "netstat",
    {
      operands: "none",
      only: {
        letters: "tulnparsieogWwx46",
        long: split("tcp udp listening numeric programs all route interfaces statistics extend wide"),
      },
    },
  ],
];

export const readOnlyTable: ReadonlyMap<string, ReadOnlySpec> = new Map(
  entries.flatMap(([names, spec]) => split(names).map((name): [string, ReadOnlySpec] => [name, spec])),
);

/** Programs whose one argument `--version` (or -v, -V) only prints a version. */
export const versionPrograms: ReadonlySet<string> = new Set(
  split(
    "node npm npx yarn pnpm bun deno python python3 pip ruby go rustc cargo java javac gcc clang make cmake docker kubectl gh git tsc jq rg",
  ),
);

/** Why a command outside the table asks, for the groups worth a word of their own. */
export const knownGroups: ReadonlyMap<string, [check: string, text: string]> = new Map<string, [string, string]>([
  ...split(
    "curl wget ping ping6 dig host nslookup getent ssh scp sftp rsync telnet nc ncat netcat socat ftp openssl whois traceroute tracepath mtr aria2c http https",
  ).map((name): [string, [string, string]] => [name, ["N1", "uses the network"]]),
  ...split(
    "sudo doas su chroot kill pkill killall systemctl service crontab at mount umount shutdown reboot launchctl useradd usermod passwd chown iptables sysctl modprobe insmod ifconfig ip",
  ).map((name): [string, [string, string]] => [name, ["X2", "changes processes, rights or the system"]]),
  ...split("eval source . mapfile readarray complete compgen fc history trap enable").map(
    (name): [string, [string, string]] => [name, ["D2", "can run text as code"]],
  ),
]);
