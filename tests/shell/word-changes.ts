import { type Next, pick } from "./random.ts";
import { quote } from "./text-changes.ts";

/** A command as words of a script, with what has to stand before it. */
export interface Words {
  readonly before: string;
  readonly words: readonly string[];
}

/** Writes a command differently; undefined where it cannot be. */
export type WordChange = (command: Words, next: Next) => Words | undefined;

/** Changes one word that is still plain. */
function onWord(change: (word: string, next: Next, name: string) => { before?: string; word: string }): WordChange {
  return ({ before, words }, next) => {
    const plain = words.flatMap((word, at) => (PLAIN.test(word) ? [at] : []));
    if (plain.length === 0) return undefined;
    const at = pick(next, plain);
    const made = change(words[at] ?? "", next, `v${next(1000)}`);
    return { before: before + (made.before ?? ""), words: words.with(at, made.word) };
  };
}

const PLAIN = /^[\w./-]+$/;

/** Changes the path of the victim where it stands written. */
function onVictim(...ways: readonly string[]): WordChange {
  return ({ before, words }, next) => {
    const at = words.indexOf("victim");
    return at < 0 ? undefined : { before, words: words.with(at, pick(next, ways)) };
  };
}

function inFront(...prefixes: readonly string[]): WordChange {
  return ({ before, words }, next) => ({ before, words: [...pick(next, prefixes).split(" "), ...words] });
}

function cut(word: string, next: Next): readonly [string, string] {
  const at = 1 + next(Math.max(word.length - 1, 1));
  return [word.slice(0, at), word.slice(at)];
}

const hex = (sign: string) => `\\x${sign.charCodeAt(0).toString(16)}`;
const octal = (sign: string) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`;
const wide = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Every way to write the words of a command otherwise. */
export const WORD_CHANGES: Readonly<Record<string, WordChange>> = {
  "split by quotes": onWord((word, next) => {
    const [one, other] = cut(word, next);
    return { word: pick(next, [`${one}''${other}`, `${one}"${other}"`, `'${one}'${other}`, `"${one}"'${other}'`]) };
  }),
  "a backslash": onWord((word, next) => {
    const [one, other] = cut(word, next);
    return { word: other === "" ? `\\${one}` : `${one}\\${other}` };
  }),
  "a continued line": onWord((word, next) => ({ word: cut(word, next).join("\\\n") })),
  "ANSI-C quoting": onWord((word, next) => {
    const [one, other] = cut(word, next);
    const code = pick(next, [hex, octal, wide]);
    return {
      word: `${next(2) ? one : ""}$'${[...(next(2) ? other : word)].map(code).join("")}'`
        .replace(/^(.+)(\$'.*)$/, (all, head, tail) =>
          tail.length > 0 && head === one ? `${one}$'${[...other].map(code).join("")}'` : all,
        )
        .replace(/^\$'.*$/, () => `$'${[...word].map(code).join("")}'`),
    };
  }),
  "a text to be translated": onWord((word) => ({ word: `$"${word}"` })),
  "a variable": onWord((word, next, name) => ({
    before: `${name}=${word}${pick(next, ["; ", "\n", " && "])}`,
    word: pick(next, [`$${name}`, `\${${name}}`, `"$${name}"`, `\${${name}:-x}`, `\${${name}:0}`]),
  })),
  "two variables": onWord((word, next, name) => {
    const [one, other] = cut(word, next);
    return { before: `${name}=${one}; w=${other}; `, word: `\${${name}}$w` };
  }),
  "a variable cut down": onWord((word, next, name) =>
    pick(next, [
      { before: `${name}=${word}zz; `, word: `\${${name}%zz}` },
      { before: `${name}=zz${word}; `, word: `\${${name}#zz}` },
      { before: `${name}=zz${word}; `, word: `\${${name}:2}` },
      { before: `${name}=${word}@@; `, word: `\${${name}//@/}` },
      { before: `${name}=${word.toUpperCase()}; `, word: word === word.toLowerCase() ? `\${${name},,}` : word },
      { before: `${name}=(x ${word}); `, word: `\${${name}[1]}` },
      { before: `${name}=${word}; n=${name}; `, word: "${!n}" },
      { before: `declare -A ${name}=([k]=${word}); `, word: `\${${name}[k]}` },
      { before: `printf -v ${name} %s ${word}; `, word: `$${name}` },
      { before: `read -r ${name} <<< ${word}; `, word: `$${name}` },
      { before: `declare -n ${name}=q; q=${word}; `, word: `$${name}` },
      { before: `${name}=; ${name}+=${word}; `, word: `$${name}` },
      { before: `export ${name}=${word}; `, word: `$${name}` },
    ]),
  ),
  "a default": onWord((word, next, name) => ({
    word: pick(next, [`\${${name}:-${word}}`, `\${${name}-${word}}`, `\${${name}:=${word}}`, `\${PWD:+${word}}`]),
  })),
  "what is printed": onWord((word, next) => ({
    word: pick(next, [
      `$(echo ${word.startsWith("-") ? "-- " : ""}${word})`.replace("echo -- ", "printf %s "),
      `$(printf %s ${word})`,
      `"$(printf '%s' '${word}')"`,
      `\`printf %s ${word}\``,
      `$(cat <<< ${word})`,
      `$(rev <<< ${[...word].reverse().join("")})`,
      `$(base64 -d <<< ${Buffer.from(word).toString("base64")})`,
      `$(printf '${[...word].map(octal).join("")}')`,
      `$(tr a-z b-za <<< ${word.replaceAll(/[a-z]/g, (sign) => "zabcdefghijklmnopqrstuvwxy"[sign.charCodeAt(0) - 97] ?? "")})`,
      `$(sed s/@//g <<< @${word}@)`,
      `$(x=${word}; printf %s $x)`,
      `$(head -n 1 <<< ${word})`,
      `$(xxd -r -p <<< ${Buffer.from(word).toString("hex")})`,
    ]),
  })),
  "positional parameters": ({ before, words }, next) => ({
    before: `${before}set -- ${words.join(" ")}${pick(next, ["; ", "\n"])}`,
    words: next(2) ? ['"$@"'] : words.map((_, at) => `$${at + 1}`),
  }),
  "a list": ({ before, words }, next) => ({
    before: `${before}l=(${words.join(" ")}); `,
    words: [pick(next, ['"${l[@]}"', "${l[@]}", "${l[*]}", '"${l[0]}" "${l[@]:1}"'])],
  }),
  "braces around all": ({ before, words }) =>
    words.length > 1 && words.every((word) => PLAIN.test(word))
      ? { before, words: [`{${words.join(",")}}`] }
      : undefined,
  "braces in a word": onWord((word, next) => {
    const [one, other] = cut(word, next);
    return { word: other === "" ? `{${word},${word}}` : `${one}{${other},${other}}` };
  }),
  "IFS between": ({ before, words }, next) =>
    words.every((word) => PLAIN.test(word))
      ? pick(next, [
          { before, words: [words.join("${IFS}")] },
          { before, words: [words.join("$IFS")] },
          { before: `${before}IFS=,; c=${words.join(",")}; `, words: ["$c"] },
          { before: `${before}IFS=_; c=${words.join("_")}; `, words: ["$c"] },
          { before: `${before}c='${words.join(" ")}'; `, words: ["$c"] },
          { before, words: [`$(printf '%s ' ${words.join(" ")})`] },
        ])
      : undefined,
  "an absolute path": ({ before, words: [first = "", ...rest] }, next) =>
    /^(?:rm|find|env|nice|timeout|sh|bash|xargs)$/.test(first)
      ? {
          before,
          words: [
            pick(next, [
              `/bin/${first}`,
              `/usr/bin/${first}`,
              `/bin/../bin/${first}`,
              `//usr/./bin/${first}`,
              `$(command -v ${first})`,
              `$(which ${first})`,
              `$(type -P ${first})`,
              `/usr/bin/${first.slice(0, -1)}[${first.slice(-1)}]`,
              `/???/${first}`,
            ]),
            ...rest,
          ],
        }
      : undefined,
  "another path to it": onVictim(
    "./victim",
    "././victim",
    "victim/",
    '"$PWD"/victim',
    '"$(pwd)/victim"',
    "./victim/../victim",
    "victi?",
    "v*m",
    "[v]ictim",
    "*ictim",
    "{victim,nothing}",
    "~+/victim",
    "/proc/self/cwd/victim",
    "${PWD}/victim",
    "vic[^z]im",
    "`pwd`/victim",
  ),
  "a wrapper": inFront(
    "env",
    "env -i",
    "env A=1",
    "env -u A --",
    "command",
    "command --",
    "builtin command",
    "nohup",
    "timeout 5",
    "timeout -k 1 5s",
    "timeout --signal=KILL 5",
    "nice",
    "nice -n 5",
    "nice -5",
    "exec",
    "stdbuf -o0",
    "setsid -w",
    "ionice -c3",
    "time",
    "time -p",
    "\\command",
    "A=1 B=2",
    "!",
    "xargs -a/dev/null",
    "eval",
    "env sh -c '\"$@\"' sh",
    'bash -c \'"$0" "$@"\'',
    "setpriv --no-new-privs",
    "choom -n 0 --",
    "taskset 1",
    "unshare",
    "chrt -o 0",
    "prlimit --nofile=100",
    "command env",
    "flock /dev/null",
    "script -qc",
  ),
  "a redundant redirect": ({ before, words }, next) => {
    const at = next(words.length + 1);
    const redirect = pick(next, [
      "2>/dev/null",
      "</dev/null",
      ">/dev/null",
      "2>&1",
      "&>/dev/null",
      "3>&1",
      "<<<x",
      "{fd}>/dev/null",
      "2>>log",
    ]);
    return { before, words: words.toSpliced(at, 0, redirect) };
  },
  "arguments from the input": ({ before, words }, next) => {
    const last = words.at(-1) ?? "";
    if (words.length < 2 || !/victim|[$]/.test(last)) return undefined;
    const rest = words.slice(0, -1);
    return pick(next, [
      { before: `${before}echo ${last} | `, words: ["xargs", ...rest] },
      { before: `${before}printf '%s\\0' ${last} | `, words: ["xargs", "-0", ...rest] },
      { before: `${before}echo ${last} | `, words: ["xargs", "-I{}", ...rest, "{}"] },
      { before: `${before}echo ${last} | `, words: ["xargs", "-n1", "-t", ...rest] },
      { before, words: ["xargs", ...rest, `<<<${last}`] },
      { before: `${before}printf '%s ' ${words.map(quote).join(" ")} | `, words: ["xargs", "env"] },
      { before: `${before}while read -r f; do `, words: [...rest, '"$f"', `; done <<< ${last}`] },
      { before: `${before}for f in ${last}; do `, words: [...rest, '"$f"', "; done"] },
    ]);
  },
  "wide blanks": ({ before, words }, next) => ({
    before,
    words: words
      .flatMap((word) => (next(2) ? [word] : [word, "\\\n"]))
      .filter((word, at, all) => word !== "\\\n" || at < all.length - 1),
  }),
};
