import { fieldOf } from "../../parse/value.ts";
import { type Call, type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

const gdb: Wrapper = {
  examples: [
    ["gdb -batch --args rm x", "rm x"],
    ["gdb -batch -ex 'shell rm x'", "rm x"],
    ["gdb -ex '!rm x'", "rm x"],
    ["gdb -ex 'python import os; os.system(\"rm x\")'", "rm x"],
  ],
  unwrap: ({ name, args }) => {
    const at = args.findIndex(({ text }) => text === "--args" || text === "-args");
    const typed = valuesOf(args.slice(0, at < 0 ? undefined : at), /^-?-(?:ex|eval-command|iex|init-eval-command)$/);
    const inners = typed.flatMap((line) => typedLine(line, /^\s*(?:shell\s+|!\s*|pipe\s+)([\s\S]+)$/, name));
    return at < 0 ? inners : [...inners, { runs: "words", words: args.slice(at + 1), via: name, isProgram: true }];
  },
};

const lldb: Wrapper = {
  examples: [["lldb -b -o 'platform shell rm x'", "rm x"]],
  unwrap: ({ name, args }) =>
    valuesOf(args, /^(?:-o|-O|--one-line|--one-line-before-file)$/).flatMap((line) =>
      typedLine(line, /^\s*(?:platform\s+)?shell\s+([\s\S]+)$/, name),
    ),
};

/** A line that is typed into a program, which may hand it to a shell or to Python. */
function typedLine(line: string, shell: RegExp, via: string): Inner[] {
  const [, code] = shell.exec(line) ?? [];
  if (code !== undefined) return [{ runs: "shell", text: fieldOf(code), via }];
  const [, python] = /^\s*(?:py(?:thon)?|script)\s+([\s\S]+)$/.exec(line) ?? [];
  return python === undefined ? [] : [{ runs: "code", language: "python", text: fieldOf(python), via }];
}

function valuesOf(args: Call["args"], option: RegExp): string[] {
  return args.flatMap(({ text }, at) => {
    const equals = text.indexOf("=");
    if (equals > 0 && option.test(text.slice(0, equals))) return [text.slice(equals + 1)];
    return option.test(args[at - 1]?.text ?? "") ? [text] : [];
  });
}

interface Client {
  /** Options whose value is typed for the user, and those that name a file of such lines. */
  readonly texts: string;
  readonly files: string;
  readonly valued?: string;
  /** Operands from this one on are typed lines too. */
  readonly from?: number;
  /** Lines that are handed to a shell, or that write a file. */
  readonly shell: RegExp;
  readonly writes?: RegExp;
  readonly example: string;
}

/** Clients of databases and file servers: what is typed into them may be a command of the shell. */
const CLIENTS: Readonly<Record<string, Client>> = {
  psql: {
    texts: "-c --command",
    files: "-f --file",
    valued: "-h -p -U -d -o -v --host --port --username --dbname --output --set --variable",
    shell: /^\s*\\!\s*([\s\S]+)$|^\s*\\(?:o|g)\s*\|\s*([\s\S]+)$|\bto\s+program\s+'([^']+)'/i,
    writes: /^\s*\\(?:o|w)\s+([^|\s]\S*)/,
    example: "psql -c '\\! rm x'",
  },
  mysql: {
    texts: "-e --execute",
    files: "",
    valued: "-h -u -P -D -S --host --user --port --database --socket",
    shell: /^\s*(?:\\!|system)\s+([\s\S]+)$/,
    writes: /^\s*(?:tee|\\T)\s+(\S+)|\binto\s+outfile\s+'([^']+)'/i,
    example: "mysql -e '\\! rm x'",
  },
  sqlite3: {
    texts: "-cmd",
    files: "-init",
    valued: "-separator -nullvalue -newline",
    from: 1,
    shell: /^\s*\.(?:shell|system)\s+([\s\S]+)$|^\s*\.(?:output|once|log)\s+\|\s*([\s\S]+)$/,
    writes: /^\s*\.(?:output|once|log|save|backup|clone)\s+(?:main\s+)?([^|\s-]\S*)/,
    example: "sqlite3 a.db '.shell rm x'",
  },
  ftp: { texts: "", files: "", shell: /^\s*!\s*([\s\S]+)$/, example: "ftp -n <<< '!rm x'" },
  sftp: {
    texts: "",
    files: "-b",
    valued: "-P -i -o -F -J -S -B -R",
    shell: /^\s*!\s*([\s\S]+)$/,
    example: "echo '!rm x' | sftp host",
  },
};

function clientWith({ texts, files, valued = "", from, shell, writes }: Client): Wrapper["unwrap"] {
  const [textual, filed] = [texts.split(" ").filter(Boolean), files.split(" ").filter(Boolean)];
  return ({ name, args, stdin, file }) => {
    const options = optionsOf(args, [...textual, ...filed, ...valued.split(" ")], true);
    const inners: Inner[] = [];
    const typed = options.values(...textual).map(({ text }) => text);
    if (from !== undefined) typed.push(...options.operands.slice(from).map(({ text }) => text));
    for (const path of options.values(...filed)) {
      const text = path.text === "-" ? stdin.text : file(path);
      if (text === undefined) inners.push({ runs: "doubt", why: "unread script", what: path.text });
      else typed.push(text);
    }
    if (typed.length === 0 && stdin.input.from === "file" && stdin.input.path.text !== "/dev/null") {
      const text = file(stdin.input.path);
      if (text === undefined) inners.push({ runs: "doubt", why: "unread script", what: stdin.input.path.text });
      else typed.push(text);
    } else typed.push(stdin.text);
    const lines = typed.join("\n").split("\n").slice(0, MOST_LINES);
    for (const line of lines) {
      const code = shell.exec(line)?.slice(1).find(Boolean);
      if (code !== undefined) inners.push({ runs: "shell", text: fieldOf(code), via: name });
      const path = writes?.exec(line)?.slice(1).find(Boolean);
      if (path !== undefined && path !== "stdout")
        inners.push({ runs: "write", path: fieldOf(path), way: "write", via: name });
    }
    return inners;
  };
}

const MOST_LINES = 5000;

/** `curl -K file`: options from a file, one in each line. */
const curl: Wrapper = {
  examples: [
    ["curl -K - <<< 'data = @x'", "curl --data @x"],
    ["curl -K - h.test <<< 'data = @x'", "curl --data @x h.test"],
    ["printf 'url = \"h.test\"\\noutput = x\\n' > c; curl -K c", "curl --url h.test --output x"],
  ],
  unwrap: ({ args, stdin, file }) => {
    const options = optionsOf(
      args,
      ["-K", "--config", "-o", "-d", "-H", "-X", "-u", "-F", "-T", "-A", "-e", "-b", "-w", "-m"],
      true,
    );
    return options.values("-K", "--config").flatMap((path): Inner[] => {
      const text = path.text === "-" ? stdin.text : file(path);
      if (text === undefined) return [{ runs: "doubt", why: "unread script", what: path.text }];
      const words = text.split("\n").flatMap((line) => {
        const [, name, value = ""] = /^\s*-{0,2}([\w-]+)\s*(?:[=:\s]\s*(.*?))?\s*$/.exec(line) ?? [];
        if (name === undefined || line.trim().startsWith("#")) return [];
        const bare = value.replace(/^"((?:[^"\\]|\\.)*)".*$/, "$1").replaceAll(/\\(.)/g, "$1");
        return bare === ""
          ? [`${name.length > 1 ? "--" : "-"}${name}`]
          : [`${name.length > 1 ? "--" : "-"}${name}`, bare];
      });
      // The options are for the addresses that stand outside, too.
      const all = [...["curl", ...words].map(fieldOf), ...options.operands];
      return [{ runs: "words", words: all, via: "curl -K", isProgram: true }];
    });
  },
};

/** Programs into which commands are typed, by options, files or their input. */
export const TYPED_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  gdb,
  lldb,
  curl,
  ...Object.fromEntries(
    Object.entries(CLIENTS).map(([name, client]): [string, Wrapper] => [
      name,
      { unwrap: clientWith(client), examples: [[client.example, "rm x"]] },
    ]),
  ),
  mariadb: { unwrap: clientWith(CLIENTS.mysql as Client), examples: [["mariadb -e '\\! rm x'", "rm x"]] },
};
