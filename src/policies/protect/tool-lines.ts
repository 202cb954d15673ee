import { patchedFiles } from "../../effects/index.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { unpacked } from "../../event/packed.ts";
import { isOfKind } from "../../event/tool-kinds.ts";

/**
 * The input of a tool other than a shell as equivalent command lines: text that it types into a terminal, code, a branch that it
 * checks out, an archive that it unpacks, a process that it ends. None if its name suggests nothing of the kind.
 */
export function toolLines(event: EventFacts): readonly string[] {
  const { toolName = "" } = event;
  if (toolName === "" || KNOWN_KINDS.some((kind) => isOfKind(toolName, kind))) return [];
  const row = ROWS.find(({ name }) => name.test(toolName));
  if (row === undefined) return [];
  const texts = textsIn(unpacked(dataField(event, "tool_args")));
  return row.lines(texts, toolName, event.cwd ?? ".").filter((line) => line.length < MAX_LINE);
}

/** A text of the input with its key. */
interface Text {
  readonly key: string;
  readonly text: string;
}

interface Row {
  readonly name: RegExp;
  readonly lines: (texts: readonly Text[], tool: string, cwd: string) => readonly string[];
}

const valuesOf = (texts: readonly Text[], keys: RegExp) =>
  texts.flatMap(({ key, text }) => (keys.test(key) ? [text] : []));

const ROWS: readonly Row[] = [
  {
    name: /git[_-]?(?:checkout|switch|reset|merge|restore|stash|rebase|pull|cherry|revert|apply|clean|am)(?:_|-|$)/i,
    lines: (texts, tool) => {
      const [, verb = "", part = ""] = /git[_-]?(stash|cherry|[a-z]+)[_-]?([a-z]*)/i.exec(tool) ?? [];
      const refs = valuesOf(texts, /branch|ref|commit|target|source|rev|stash|patch|file|name/i).map(quote);
      const whole = verb === "cherry" ? "cherry-pick" : verb;
      const mode = valuesOf(texts, /^mode$/i).map((text) => `--${text}`);
      if (verb === "restore") return refs.map((ref) => `git restore --source=${ref} .`);
      return [`git ${[whole, part === "pick" ? "" : part, ...mode, ...refs].filter(Boolean).join(" ")}`];
    },
  },
  {
    name: /kill|terminate|end_?process|stop_?(?:process|service)|signal/i,
    lines: (texts) => texts.map(({ text }) => (/^\d+$/.test(text) ? `kill ${text}` : `pkill -f ${quote(text)}`)),
  },
  {
    name: /(?:un)?install|(?:add|remove|update)_?(?:package|dependency)|package_?(?:add|remove)/i,
    lines: (texts, tool) => {
      const verb = /uninstall|remove/i.test(tool) ? "uninstall" : "install";
      return valuesOf(texts, /name|package|dependenc|module|spec/i).map((text) => `npm ${verb} ${quote(text)}`);
    },
  },
  {
    name: /extract|unzip|untar|unpack|decompress|inflate/i,
    lines: (texts, _, cwd) => arrivals(texts, cwd, (from, to) => `tar xf ${from} -C ${to}`),
  },
  {
    name: /(?:copy|sync|mirror|clone|move|restore)[_-]?(?:dir|folder|tree|recursive|all)|^(?:.*[_-])?(?:sync|mirror)$/i,
    lines: (texts, _, cwd) => arrivals(texts, cwd, (from, to) => `cp -r ${from}/. ${to}`),
  },
  {
    name: /query|sql|database/i,
    lines: (texts) =>
      texts.flatMap(({ text }) =>
        [...text.matchAll(WRITES_FILE())].map(([, path, other = ""]) => `: > ${quote(path ?? other)}`),
      ),
  },
  {
    name: /patch|diff/i,
    lines: (texts) =>
      texts.flatMap(({ text }) =>
        text.includes("\n") ? patchedFiles(text, "prefix").map(({ path }) => `: > ${quote(path)}`) : [],
      ),
  },
  {
    name: /docker|podman|container/i,
    lines: (texts) => {
      const mounts = valuesOf(texts, /volume|mount|binds?/i).map((text) => `-v ${quote(text)}`);
      return valuesOf(texts, /command|cmd|args|entrypoint/i).map(
        (text) => `docker run ${mounts.join(" ")} image sh -c ${quote(text)}`,
      );
    },
  },
  {
    name: /delete|remove|^rm|trash|clean/i,
    lines: (texts) =>
      valuesOf(texts, /pattern|glob|match|include/i).map(
        (text) => `rm -rf ${text.replaceAll(/[^\w.*?/~[\]{},-]/g, "?")}`,
      ),
  },
  {
    name: /python|jupyter|notebook|cell/i,
    lines: (texts) => valuesOf(texts, CODE).map((text) => `python3 -c ${quote(text)}`),
  },
  {
    name: /eval|javascript|node|deno|script|repl|code/i,
    lines: (texts) => valuesOf(texts, CODE).flatMap((text) => [`node -e ${quote(text)}`, `deno eval ${quote(text)}`]),
  },
  {
    name: /term(?:inal)?|tty|pty|console|tmux|keys?|keyboard|type|press|stdin|shell|exec/i,
    lines: (texts) => {
      const program = valuesOf(texts, /^(?:program|executable|binary|file)$/i)[0];
      const typed = valuesOf(texts, TYPED);
      const args = valuesOf(texts, /^(?:args|argv|arguments)$/i);
      return program === undefined ? typed : [[program, ...args].map(quote).join(" "), ...typed];
    },
  },
];

/** Command lines for each source and destination, by their keys or by their order. */
function arrivals(texts: readonly Text[], cwd: string, line: (from: string, to: string) => string): string[] {
  const to = valuesOf(texts, /dest|target|^to$|out|into|dir|folder/i);
  const from = valuesOf(texts, /source|src|^from$|archive|file|zip|tar|input/i).filter((text) => !to.includes(text));
  const targets = to.length > 0 ? to : [cwd];
  return from
    .slice(0, MAX_TEXTS)
    .flatMap((one) => targets.slice(0, MAX_TEXTS).map((to) => line(quote(one), quote(to))));
}

/** Texts and numbers at any depth, also in JSON within a text; lists of texts are also joined. */
function textsIn(value: unknown, key = "", depth = 0): Text[] {
  if (typeof value === "number") return [{ key, text: String(value) }];
  if (typeof value === "string") return [{ key, text: value }];
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return [{ key, text: value.join("") }, ...value.slice(0, MAX_TEXTS).map((text) => ({ key, text }))];
  return Object.entries(Object(value)).flatMap(([name, inner]) =>
    textsIn(inner, Array.isArray(value) ? key : name, depth + 1),
  );
}

function quote(text: string): string {
  return /^~\//.test(text) ? `~/'${text.slice(2).replaceAll("'", "'\\''")}'` : `'${text.replaceAll("'", "'\\''")}'`;
}

const KNOWN_KINDS = ["@shell", "@read", "@write", "@network"] as const;
const CODE = /code|script|source|expression|cell|snippet|program|function|body|input/i;
const TYPED = /text|keys?|input|data|chars|line|content|stdin|command|script|body/i;
/** Parts of a statement that write to a file. */
const WRITES_FILE = () =>
  /\b(?:TO|ATTACH(?:\s+DATABASE)?|OUTFILE|DUMPFILE|INTO|BACKUP)\s*(?:'([^']{1,400})'|"([^"]{1,400})")/gi;
const MAX_LINE = 20_000;
const MAX_DEPTH = 6;
const MAX_TEXTS = 8;
