import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { COMMAND, commandReply } from "./run-command.ts";

/** What lives on beside other commands, or talks while it runs, has a process of its own. */
const OWN_PROCESS = "serve ui mcp";

/**
 * Writes a program that runs the command as a shell does, in the process that all runs of this test worker share: it hands
 * over arguments, environment, folder and standard input, and prints what comes back. Gives what ends it.
 */
export function fastCommand(path: string): () => void {
  const node = `exec "${process.execPath}" "${COMMAND}" "$@"`;
  if (PERL === "") {
    writeFileSync(path, `#!/bin/sh\n${node}\n`, { mode: 0o755 });
    return () => {};
  }
  const socket = join(dirname(path), "s");
  const server = createServer({ allowHalfOpen: true }, (client) => void answer(client)).listen(socket);
  server.unref();
  writeFileSync(
    path,
    `#!/bin/sh\ncase " ${OWN_PROCESS} " in *" $1 "*) ${node} ;; esac\nexec ${PERL} -e '${SCRIPT}' ${socket} "$PWD" "$@"\n`,
    { mode: 0o755 },
  );
  return () => void server.close();
}

async function answer(client: Socket): Promise<void> {
  const chunks: Buffer[] = [];
  client.on("error", () => {});
  for await (const chunk of client.iterator({ destroyOnReturn: false })) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  let from = 0;
  const next = () => {
    const end = all.indexOf(0, from);
    const text = all.toString("utf8", from, end);
    from = end + 1;
    return text;
  };
  const list = () => Array.from({ length: Number(next()) }, next);
  const [cwd, args, settings] = [next(), list(), list()];
  const env = Object.fromEntries(settings.map((one) => [one.split("=", 1)[0] ?? "", one.slice(one.indexOf("=") + 1)]));
  const { code, printed } = await commandReply(args, { cwd, env, input: all.subarray(from) });
  for (const [fd, text] of printed) client.write(`${fd} ${Buffer.byteLength(text)}\n${text}`);
  client.end(`0 ${code}\n`);
}

/** The address of a Unix socket, as the system wants it: its family, on some behind the length of the whole, and its path. */
const ADDRESS = process.platform === "linux" ? '"S Z108", 1' : '"C2 Z104", 106, 1';
/** Without modules of Perl, because reading those for sockets takes longer than all the rest. */
const SCRIPT = `
socket(S, 1, 1, 0) && connect(S, pack(${ADDRESS}, shift)) or exit 70;
my $cwd = shift;
binmode $_ for *S, *STDIN, *STDOUT, *STDERR;
my @env = map { "$_=$ENV{$_}" } keys %ENV;
my $in = -t STDIN ? "" : do { local $/; <STDIN> };
select((select(S), $| = 1)[0]);
$| = 1;
print S join("\\0", $cwd, scalar @ARGV, @ARGV, scalar @env, @env, $in);
shutdown(S, 1);
while (defined(my $head = <S>)) {
  my ($fd, $size) = split " ", $head;
  exit $size if $fd == 0;
  read S, my $text, $size;
  print { $fd == 1 ? *STDOUT : *STDERR } $text;
}
exit 70;
`;

const PERL = spawnSync("/bin/sh", ["-c", "command -v perl"], { encoding: "utf8" }).stdout.trim();
