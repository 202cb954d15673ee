import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { ABORTED, breaks, CHANGES_WRONGLY, DENIES, EXITS_STRANGELY, type Fault, PASSES, type Place } from "./fault.ts";

const MIB = 1024 * 1024;

/** A hook that prints exactly this. */
function prints(content: string | Buffer) {
  return (place: Place) => ({ args: ["cat", place.file("answer", content)] });
}

/** A hook that is one line of shell. */
function shell(command: string) {
  return () => ({ command });
}

/** It cannot be started. */
const STARTING: readonly Fault[] = [
  {
    name: "its shell command names a program that is not there",
    hook: shell("no-such-program-anywhere"),
    expected: breaks("not_found"),
  },
  {
    name: "its arguments name a program that is not there",
    hook: () => ({ args: ["no-such-program-anywhere"] }),
    expected: breaks("not_found"),
  },
  {
    name: "its program lies below a file",
    hook: (place) => ({ args: [join(place.file("file", ""), "program")] }),
    expected: breaks("not_found"),
  },
  {
    name: "its program's name is too long for any file",
    hook: ({ folder }) => ({ args: [join(folder, "x".repeat(300))] }),
    expected: breaks("not_found"),
  },
  {
    name: "its shell is not there",
    hook: () => ({ command: "true", shell: "/no/such/shell" }),
    expected: breaks("not_found"),
  },
  {
    name: "its script is not there",
    hook: ({ folder }) => ({ script: join(folder, "missing.sh") }),
    expected: breaks("not_found"),
  },
  { name: "its script is a folder", hook: ({ folder }) => ({ script: folder }), expected: breaks("not_found") },
  {
    name: "its script is a link to itself",
    hook: ({ folder }) => {
      symlinkSync("circle.sh", join(folder, "circle.sh"));
      return { script: join(folder, "circle.sh") };
    },
    expected: breaks("not_found"),
  },
  {
    name: "its script may not be executed and nothing says what runs it",
    hook: (place) => ({ script: place.file("hook.unknown", "exit 0\n", 0o644) }),
    expected: breaks("not_executable"),
  },
  {
    name: "its program may not be executed",
    hook: (place) => ({ args: [place.file("program", "#!/bin/sh\nexit 0\n", 0o644)] }),
    expected: breaks("not_executable"),
  },
  {
    name: "its shell command may not be executed",
    hook: (place) => ({ command: place.file("program", "#!/bin/sh\nexit 0\n", 0o644) }),
    expected: breaks("not_executable"),
  },
  { name: "its program is a folder", hook: ({ folder }) => ({ args: [folder] }), expected: breaks("not_executable") },
  {
    name: "its script's first line names a program that is not there",
    hook: (place) => ({ script: place.file("hook.sh", "#!/no/such/interpreter\nexit 0\n", 0o755) }),
    expected: breaks("not_found"),
    says: /\/no\/such\/interpreter, which the first line of .*hook\.sh names/,
  },
  {
    name: "its script's lines end in CR LF",
    hook: (place) => ({ script: place.file("hook.sh", "#!/bin/sh\r\nexit 0\r\n", 0o755) }),
    expected: breaks("not_found"),
    says: /CR LF/,
  },
  {
    name: "its working directory is not there",
    hook: ({ folder }) => ({ command: "true", workingDir: join(folder, "missing") }),
    expected: breaks("spawn_error"),
    says: /missing is not there/,
  },
  {
    name: "its working directory is a file",
    hook: (place) => ({ command: "true", workingDir: place.file("file", "") }),
    expected: breaks("spawn_error"),
    says: /is not a folder/,
  },
  {
    name: "its working directory is a link to itself",
    hook: ({ folder }) => {
      symlinkSync("circle", join(folder, "circle"));
      return { command: "true", workingDir: join(folder, "circle") };
    },
    expected: breaks("spawn_error"),
  },
  {
    name: "its working directory holds a NUL",
    hook: () => ({ command: "true", workingDir: "/\0" }),
    expected: breaks("spawn_error"),
  },
  { name: "its command holds a NUL", hook: shell("true \0"), expected: breaks("spawn_error") },
  {
    name: "its environment is larger than a system takes",
    hook: () => ({ command: "true", env: { HUGE: "x".repeat(process.platform === "linux" ? 200_000 : 2_000_000) } }),
    expected: breaks("spawn_error"),
    says: /too large/,
  },
];

/** It treats its input or its folder in a way of its own. */
const READING: readonly Fault[] = [
  {
    name: "it never reads the 5 MB it is given",
    hook: shell("sleep 0.1; echo unread"),
    payload: 5_000_000,
    expected: PASSES,
    stdout: "unread\n",
  },
  {
    name: "it never reads the 5 MB it is given and never ends",
    hook: shell("echo partial; sleep 60"),
    payload: 5_000_000,
    deadline: 1,
    expected: breaks("timeout"),
    stdout: "partial\n",
  },
  {
    name: "it closes its input at once although 5 MB wait",
    hook: shell("exec <&-; sleep 0.1; echo closed"),
    payload: 5_000_000,
    expected: PASSES,
    stdout: "closed\n",
  },
  {
    name: "it reads all of 5 MB",
    hook: shell("wc -c"),
    payload: 5_000_000,
    expected: PASSES,
    stdout: /^\s*50\d{5}\n$/,
  },
  {
    name: "it deletes the folder it sits in",
    hook: ({ folder }) => ({ command: `rm -rf '${folder}'; echo homeless` }),
    expected: PASSES,
    stdout: "homeless\n",
  },
];

/** It prints something odd. */
const PRINTING: readonly Fault[] = [
  {
    name: "it prints 100 MB",
    hook: shell("head -c 100000000 /dev/zero"),
    expected: breaks("output_overflow"),
    kept: { stdout: MIB },
    notes: /bytes of stdout were dropped/,
  },
  {
    name: "it prints for ever and does not listen",
    hook: shell("trap '' TERM PIPE; while :; do head -c 1000000 /dev/zero || sleep 0.05; done 2>/dev/null"),
    expected: breaks("output_overflow"),
    kept: { stdout: MIB },
  },
  {
    name: "it prints 2 MB",
    hook: shell("head -c 2000000 /dev/zero | tr '\\0' x"),
    expected: PASSES,
    kept: { stdout: MIB },
    notes: /951424 bytes of stdout were dropped/,
  },
  {
    name: "it prints 2 MB to standard error",
    hook: shell("head -c 2000000 /dev/zero | tr '\\0' e >&2; echo fine"),
    expected: PASSES,
    stdout: "fine\n",
    kept: { stderr: MIB / 4 },
    notes: /1737856 bytes of stderr were dropped/,
  },
  {
    name: "it prints 20 MB to standard error",
    hook: shell("echo first; head -c 20000000 /dev/zero >&2; sleep 60"),
    expected: breaks("output_overflow"),
    stdout: "first\n",
    kept: { stderr: MIB / 4 },
  },
  {
    name: "it prints an answer that is longer than what is kept",
    hook: prints(JSON.stringify({ action: "deny", reason: "x".repeat(MIB) })),
    expected: breaks("bad_json"),
    notes: /bytes of stdout were dropped/,
  },
  {
    name: "it prints byte by byte past its deadline",
    hook: shell("while :; do printf x; sleep 0.1; done"),
    deadline: 1,
    expected: breaks("timeout"),
    stdout: /^x{2,}$/,
  },
  {
    name: "it prints bytes that are no UTF-8",
    hook: prints(Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28])),
    expected: PASSES,
    stdout: "a\uFFFD\uFFFD\uFFFD(",
  },
  {
    name: "it prints characters in pieces",
    hook: shell("printf '\\303'; sleep 0.05; printf '\\251\\360\\237'; sleep 0.05; printf '\\230\\200'"),
    expected: PASSES,
    stdout: "é😀",
  },
  {
    name: "it ends in the middle of a character",
    hook: shell("printf 'a\\303'"),
    expected: PASSES,
    stdout: "a\uFFFD",
  },
  { name: "it prints NUL bytes", hook: prints("a\0b\0"), expected: PASSES, stdout: "a\0b\0" },
  { name: "it prints an answer with NUL bytes", hook: prints('{"action":"deny"}\0'), expected: DENIES },
];

/** It answers in a way that is hard to read. */
const ANSWERING: readonly Fault[] = [
  { name: "its answer begins with a byte order mark", hook: prints('\uFEFF{"action":"deny"}'), expected: DENIES },
  { name: "the lines of its answer end in CR LF", hook: prints('{\r\n"action": "deny"\r\n}\r\n'), expected: DENIES },
  {
    name: "it gives two answers",
    hook: prints('{"action":"continue"}\n{"action":"deny"}'),
    expected: DENIES,
  },
  { name: "its answer is cut off", hook: prints('{"action":"den'), expected: breaks("bad_json") },
  { name: "it prints a shell group", hook: prints("{ echo hello; }"), expected: breaks("bad_json") },
  { name: "its verdict is no word we know", hook: prints('{"action":"maybe"}'), expected: breaks("bad_json") },
  { name: "its verdict is misspelt", hook: prints('{"acton":"deny"}'), expected: breaks("bad_json") },
  { name: "its verdict is a number", hook: prints('{"action":1}'), expected: breaks("bad_json") },
  { name: "its reason is a list", hook: prints('{"action":"deny","reason":["a"]}'), expected: breaks("bad_json") },
  {
    name: "its change is a text",
    hook: prints('{"action":"modify","modified_data":"rm"}'),
    expected: breaks("bad_json"),
  },
  {
    name: "its answer is nested 10,000 deep",
    hook: prints(`{"action":"modify","modified_data":{"patch":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}}`),
    expected: breaks("bad_json"),
  },
  {
    name: "it prints a banner before its answer",
    hook: prints('Loading…\n{"action":"deny"}'),
    expected: DENIES,
    stdout: /^Loading/,
  },
  {
    name: "its answer stands on many lines",
    hook: prints('{\n  "action": "deny",\n  "reason": "no"\n}\n'),
    expected: DENIES,
  },
  {
    name: "it prints a log line before an answer on many lines",
    hook: prints('12:00 checking\n{\n  "action": "deny",\n  "reason": "no"\n}\n'),
    expected: DENIES,
  },
  { name: "text stands behind its answer", hook: prints('{"action":"deny"}\nchecked 3 files\n'), expected: DENIES },
  { name: "a list with a denial in it", hook: prints('[{"action":"continue"},{"action":"deny"}]'), expected: DENIES },
  { name: "its answer stands in a code block", hook: prints('```json\n{"action":"deny"}\n```\n'), expected: DENIES },
  {
    name: "it prints colours before its answer",
    hook: prints('\u001b[32mok\u001b[0m\n{"action":"deny"}\n'),
    expected: DENIES,
  },
  {
    name: "it prints a log line in JSON before its answer",
    hook: prints('{"level":"info","msg":"checking"}\n{"action":"deny","reason":"no"}\n'),
    expected: DENIES,
  },
  {
    name: "its answer for an agent stands behind a log line",
    hook: prints('log\n{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}\n'),
    expected: DENIES,
  },
  { name: "its answer is in UTF-16", hook: prints(Buffer.from('{"action":"deny"}', "utf16le")), expected: DENIES },
  {
    name: "its answer is in UTF-16 with a byte order mark",
    hook: prints(Buffer.from('\uFEFF{"action":"deny"}', "utf16le")),
    expected: DENIES,
  },
  { name: "it closes its output", hook: shell("exec >&- 2>&-; exit 0"), expected: PASSES, stdout: "" },
  { name: "it closes its output and denies", hook: shell("exec >&- 2>&-; exit 1"), expected: DENIES, stdout: "" },
  { name: "it prints a list", hook: prints('[{"action":"deny"}]'), expected: DENIES },
  { name: "it prints nothing", hook: shell(":"), expected: PASSES, stdout: "" },
  {
    name: "it wants to change a prototype",
    hook: prints('{"action":"modify","modified_data":{"patch":{"__proto__":{"polluted":true}}}}'),
    expected: CHANGES_WRONGLY,
  },
];

/** It ends in its own way. */
const ENDING: readonly Fault[] = [
  {
    name: "it does not listen when it is asked to end",
    hook: shell("trap '' TERM INT HUP; echo deaf; while :; do sleep 60; done"),
    deadline: 1,
    expected: breaks("timeout"),
    stdout: "deaf\n",
  },
  { name: "it exits with 0", hook: shell("echo good; exit 0"), expected: PASSES, stdout: "good\n" },
  { name: "it exits with 1", hook: shell("echo bad; exit 1"), expected: DENIES, stdout: "bad\n" },
  { name: "it exits with 2", hook: shell("exit 2"), expected: EXITS_STRANGELY },
  { name: "it exits with 3", hook: shell("exit 3"), expected: EXITS_STRANGELY },
  { name: "it exits with 126", hook: shell("exit 126"), expected: breaks("not_executable") },
  { name: "it exits with 127", hook: shell("exit 127"), expected: breaks("not_found") },
  { name: "it exits with 137", hook: shell("exit 137"), expected: EXITS_STRANGELY },
  { name: "it exits with 255", hook: shell("exit 255"), expected: EXITS_STRANGELY },
  {
    name: "it kills itself",
    hook: shell("echo last words; kill -KILL $$"),
    expected: breaks("signal"),
    stdout: "last words\n",
  },
  { name: "it terminates itself", hook: shell("kill -TERM $$"), expected: breaks("signal") },
  { name: "it crashes", hook: shell("ulimit -c 0; kill -SEGV $$"), expected: breaks("signal") },
  { name: "it stops itself", hook: shell("kill -STOP $$; exit 0"), deadline: 1, expected: breaks("timeout") },
  {
    name: "it exits with 0 when it is asked to end",
    hook: shell("trap 'exit 0' TERM; echo caught; while :; do sleep 60 & wait; done"),
    deadline: 1,
    expected: breaks("timeout"),
    stdout: "caught\n",
  },
  {
    name: "it sleeps past its deadline",
    hook: shell("echo begun; sleep 60; echo done"),
    deadline: 1,
    expected: breaks("timeout"),
    stdout: "begun\n",
  },
  {
    name: "its caller gives up",
    hook: shell("echo begun; sleep 60"),
    abortAfter: 300,
    expected: ABORTED,
    stdout: /^(begun\n)?$/,
  },
  {
    name: "its caller gave up before it began",
    hook: shell("echo begun"),
    abortAfter: 0,
    expected: ABORTED,
    stdout: "",
  },
];

/** It leaves something behind. */
const LEAVING: readonly Fault[] = [
  {
    name: "it exits with 0 and sleeps on in the background",
    hook: shell("sleep 60 & echo out"),
    expected: PASSES,
    stdout: "out\n",
  },
  {
    name: "it leaves a sleeper behind that holds no pipe",
    hook: shell("sleep 60 </dev/null >/dev/null 2>&1 & echo out"),
    expected: PASSES,
    stdout: "out\n",
  },
  {
    name: "its grandchild holds the pipe",
    hook: shell("sh -c 'sleep 60 & exit 0'; echo child gone"),
    expected: PASSES,
    stdout: "child gone\n",
  },
  {
    name: "its grandchild holds the pipe past the deadline",
    hook: shell("echo begun; sh -c 'sleep 60; :'; :"),
    deadline: 1,
    expected: breaks("timeout"),
    stdout: "begun\n",
  },
  {
    name: "a background writer keeps its output open",
    hook: shell("(while :; do echo tick; sleep 0.05; done) & sleep 0.1; exit 0"),
    expected: PASSES,
    stdout: /^(tick\n)+/,
  },
  {
    name: "a background process that does not listen holds the pipe",
    hook: shell("(trap '' TERM HUP; sleep 60; :) & exit 1"),
    expected: DENIES,
  },
  {
    name: "it starts 80 children and leaves",
    hook: shell("i=0; while [ $i -lt 80 ]; do sleep 60 & i=$((i+1)); done; echo swarm"),
    expected: PASSES,
    stdout: "swarm\n",
  },
  {
    name: "it leaves a twice forked process in a session of its own that holds the pipe",
    hook: shell("(setsid sh -c 'sleep 60 & sleep 60; :' &) ; echo away"),
    expected: PASSES,
    stdout: "away\n",
    linuxOnly: true,
  },
  {
    name: "it leaves a daemon in a session of its own that holds no pipe",
    hook: shell("setsid sleep 60 </dev/null >/dev/null 2>&1 & echo away"),
    expected: PASSES,
    stdout: "away\n",
    linuxOnly: true,
  },
  {
    name: "it leaves daemons that start daemons",
    hook: shell(
      "setsid sh -c 'for i in 1 2 3 4 5; do setsid sh -c \"sleep 60; :\" & done; sleep 60' >/dev/null 2>&1 & :",
    ),
    expected: PASSES,
    linuxOnly: true,
  },
  {
    name: "it times out beside a daemon that does not listen",
    hook: shell("setsid sh -c 'trap \"\" TERM; sleep 60; sleep 60' & sleep 60"),
    deadline: 1,
    expected: breaks("timeout"),
    linuxOnly: true,
  },
];

/** Everything that goes wrong with command hooks. */
export const FAULTS: readonly Fault[] = [
  ...ENDING,
  ...STARTING,
  ...READING,
  ...PRINTING,
  ...ANSWERING,
  ...LEAVING,
].filter(({ linuxOnly }) => !linuxOnly || process.platform === "linux");
