import { GAP } from "../parse/command.ts";
import { type Field, fieldOf } from "../parse/value.ts";
import { EQUIVALENTS } from "../programs/equivalents.ts";
import type { Inner } from "../programs/program.ts";
import { type Argument, type CodeCall, placeIn } from "./literal.ts";

/** What a call does, reported as what a shell would do. */
export type Does = (args: readonly Argument[], call: CodeCall) => readonly Inner[];

/** Runs a line: `popen("rm x")`. */
export const shell: Does = ([line]) => (line === undefined ? [] : [asLine(line)]);

/** `run(["rm", "x"])`, `spawn("rm", ["x"])`, `system("rm", "x")`, `run("rm x", shell=True)`. */
export const program: Does = (args) => {
  const [first, second] = args.filter(({ name }) => name === undefined || name === "args" || name === "cmd");
  if (first === undefined) return [];
  if (first.is === "list") return asWords(first.items);
  if (second?.is === "list") return asWords([first, ...second.items]);
  const texts = args.filter(({ is, name }) => is === "text" && name === undefined);
  if (first.is === "text" && texts.length > 1) return asWords(texts);
  return [asLine(first)];
};

/** Removes what it is given, or what it is a method of. */
export const remove =
  (...flags: readonly string[]): Does =>
  (args, { made, name }) => {
    const paths = args
      .flatMap((argument) => (argument.is === "list" ? argument.items : [argument]))
      .filter((argument) => argument.name === undefined && !isOption(argument));
    const subject = paths.length > 0 ? paths : made;
    // A method of something that was found before: `p.unlink()`.
    if (subject.length === 0)
      return /^\w+\.(?:unlink|rmdir|rmtree|delete)$/.test(name) && !/^(?:os|File|Dir)\./.test(name)
        ? [EQUIVALENTS.removal(flags, [fieldOf(GAP)])]
        : [];
    return [EQUIVALENTS.removal(flags, subject.map(fieldFor))];
  };

/** Options, callbacks and switches are passed next to paths. */
function isOption(argument: Argument): boolean {
  return (
    argument.is === "other" &&
    /^[{(]|^(?:function|async)\b|=>|^(?:true|false|null|nil|None|True|False|\d+|undefined)?$/.test(argument.source)
  );
}

/** Removes, with everything in it if an option is given. */
export const removeWith: Does = (args, call) => remove(args.some(isRecursive) ? "-rf" : "-f")(args, call);

function isRecursive(argument: Argument): boolean {
  return argument.is === "other" && (argument.name === "recursive" || /recursive/.test(argument.source));
}

/** Reads a file. */
export const read: Does = ([path], { made }) => {
  const source = path ?? made[0];
  if (source === undefined || (source.is === "text" && source.text.includes("://"))) return [];
  return [{ runs: "write", path: fieldFor(source), way: "read", via: "" }];
};

/** Reads the file that it is a method of. */
export const readMade: Does = (_, { made }) =>
  made[0] === undefined ? [] : read(made, { name: "", args: made, made: [] });

/** Goes from one path to another; from an address, it fetches. */
export const twoPaths =
  (way: "copy" | "move"): Does =>
  ([from, to], { made }) => {
    const [source, target] = to === undefined && made[0] !== undefined ? [made[0], from] : [from, to];
    if (source?.is === "text" && target !== undefined && /^(?:https?|ftp):\/\//.test(source.text))
      return [EQUIVALENTS.fetchInto(fieldFor(target), fieldFor(source))];
    return source === undefined || target === undefined ? [] : [EQUIVALENTS[way](fieldFor(source), fieldFor(target))];
  };

/** A link is never put into a folder of its name; `Path("link").symlink_to("target")` names them the other way round. */
export const link =
  (flags: string): Does =>
  ([first, second], { made }) => {
    const isMethod = (second === undefined || second.is !== "text") && made[0] !== undefined;
    const [target, name] = isMethod ? [first, made[0]] : [first, second];
    if (target === undefined || name === undefined) return [];
    return [EQUIVALENTS.link(flags, fieldFor(target), fieldFor(name))];
  };

/** Writes a file anew. */
export const write: Does = (args, { made, name }) => {
  // A method of something that was found before: `p.write_text("")`.
  if (made.length === 0 && /^\w+\.write_(?:text|bytes)$/.test(name))
    return [{ runs: "write", path: fieldOf(GAP), way: "write", via: "" }];
  const target = made[0] ?? args[0];
  const written = made[0] === undefined ? args[1] : args[0];
  const isEmptied = written?.is === "text" && written.text === "";
  return target === undefined
    ? []
    : [{ runs: "write", path: fieldFor(target), way: "write", via: "", ...(isEmptied && { isEmptied }) }];
};

/** Opens a file in the way of its mode, or a program, as Perl and Ruby do: `open(F, ">x")`, `open(F, "|-", "rm", "x")`. */
export const open: Does = (args, { made }) => {
  // `Path("x").open("a")` is given its mode alone.
  const isMethod = made[0] !== undefined && (args[0]?.is !== "text" || /^[rwaxbt+]{1,3}$/.test(args[0].text));
  const [first, second, ...rest] = isMethod ? [...made.slice(0, 1), ...args] : args;
  if (first === undefined) return [];
  const mode = second?.is === "text" ? second.text : "r";
  if (/^\s*(?:\|-|-\|)\s*$/.test(mode)) return program(rest, { name: "", args: rest, made: [] });
  if (rest[0]?.is === "text" && /[<>]/.test(mode)) return [opened(rest[0], redirectWay(mode))];
  // A handle comes first, and the path carries its mode.
  const path = first.is === "other" && /^\s*(?:\+?[<>]|\|)|\|\s*$/.test(mode) ? second : first;
  if (path?.is === "text") {
    if (/^\s*\||\|\s*$/.test(path.text)) return [asLine({ is: "text", text: path.text.replaceAll("|", "") })];
    const [, marks, name] = /^\s*(\+?[<>]+)\s*(.*)$/.exec(path.text) ?? [];
    if (marks !== undefined) return [opened({ is: "text", text: name ?? "" }, redirectWay(marks))];
  }
  if (path === undefined || !/^[rwaxbt+]*$/.test(mode)) return [];
  return [opened(path, /[wx+]/.test(mode) ? "write" : mode.includes("a") ? "append" : "read")];
};

function redirectWay(mode: string): "write" | "append" | "read" {
  if (mode.includes(">>")) return "append";
  return /[>+]/.test(mode) ? "write" : "read";
}

function opened(path: Argument, way: "write" | "append" | "read"): Inner {
  return { runs: "write", path: fieldFor(path), way, via: "" };
}

/** Adds to a file. */
export const append: Does = ([path]) =>
  path === undefined ? [] : [{ runs: "write", path: fieldFor(path), way: "append", via: "" }];

/** Leaves nothing in a file. */
export const cut: Does = (args, call) =>
  args.length > 0 || call.made.length > 0
    ? write([args[0] ?? { is: "text", text: "" }, { is: "text", text: "" }], { ...call, made: [] })
    : [];

/** Changes permissions, if the mode is a literal: `chmod("x", 0o777)`, `chmod 0777, "x"`. */
export const mode: Does = (args, { made }) => {
  const written = args.map((argument) =>
    argument.is === "list" ? "" : argument.is === "text" ? argument.text : argument.source,
  );
  const at = written.findIndex((text) => /^0?o?[0-7]{3,4}$/.test(text));
  const paths = [...args.filter((argument, index) => index !== at && argument.is === "text"), ...made];
  if (at < 0 || paths.length === 0) return [];
  const octal = written[at]?.replace(/^0?o(?=[0-7]{3})/, "") ?? "";
  return [EQUIVALENTS.mode(octal, paths.map(fieldFor))];
};

/** Ends processes, if that means all of them. */
export const killAll: Does = (args) =>
  args.some((argument) => argument.is === "other" && argument.source === "-1") ? [EQUIVALENTS.killAll()] : [];

/** A library that has the names of programs: `sh.rm("-rf", "x")`, `repo.git.reset("--hard")`. */
export function calledLikeProgram(call: CodeCall): readonly Inner[] {
  const [, named, git] = /^(?:sh|shell|shelljs)\.([a-z]+)$|(?:^|\.)git\.([a-z_]+)$/.exec(call.name) ?? [];
  const words = call.args.flatMap((argument) => (argument.is === "list" ? argument.items : [argument]));
  if ((named ?? git) === undefined || words.length === 0 || words.some(({ is }) => is !== "text")) return [];
  const args = words.map(fieldFor);
  if (named === undefined) return [EQUIVALENTS.git(git?.replaceAll("_", "-") ?? "", args)];
  return [{ runs: "words", words: [fieldOf(named), ...args], via: "", isProgram: true }];
}

/** `new Deno.Command("rm", { args: ["x"] })`. */
export const withArgs: Does = ([first, second], call) => {
  const [, inside] = (second?.is === "other" && /args:\[([^\]]*)\]/.exec(second.source)) || [];
  if (first === undefined || inside === undefined) return program(first === undefined ? [] : [first], call);
  return asWords([first, ...inside.split(",").map((text): Argument => ({ is: "text", text }))]);
};

/** Code that is put together while it runs. */
export const dynamic: Does = ([code], { name }) => {
  if (code?.is === "text" && !code.text.includes(GAP) && /^(?:.*\.)?(?:eval|exec)$/.test(name))
    return [{ runs: "code", language: "python", text: fieldOf(code.text), via: "" }];
  return [{ runs: "doubt", why: "unknown code", what: name }];
};

/** An argument without the name that it is given by. */
export function unnamed({ name: _, ...argument }: Argument): Argument {
  return argument;
}

function asLine(line: Argument): Inner {
  if (line.is === "list") return asWords(line.items)[0] ?? { runs: "doubt", why: "unknown code", what: "a list" };
  if (line.is === "other") return { runs: "doubt", why: "unknown code", what: line.source };
  return { runs: "shell", text: fieldOf(line.text), via: "" };
}

/** A program with its arguments, without a shell between. */
export function asWords(items: readonly Argument[]): readonly Inner[] {
  return items.length === 0 ? [] : [{ runs: "words", words: items.map(fieldFor), via: "", isProgram: true }];
}

function fieldFor(argument: Argument): Field {
  if (argument.is === "text") return fieldOf(argument.text);
  const place = argument.is === "other" ? placeIn(argument.source) : GAP;
  // Without quotes, names of variables look like names of files.
  return fieldOf(/^(?:[~.]|\/tmp)(?:$|\/)/.test(place) ? place : GAP);
}
