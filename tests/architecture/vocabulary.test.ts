import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sentencesOfPage, sentencesOfSource } from "./sentences.ts";
import { readTree } from "./source-tree.ts";
import { STILL_THERE } from "./vocabulary-limits.ts";

/** A phrase that costs a reader a lookup, and the ordinary one. Each row proves itself by its two examples. */
interface Phrase {
  readonly pattern: RegExp;
  readonly write: string;
  readonly finds: string;
  readonly passes: string;
}

const PHRASES: readonly Phrase[] = [
  {
    pattern: /\bgo(?:es)? on\b(?! to\b)|\bgoing on\b|\bwent on\b/i,
    write: "continues",
    finds: "The call goes on.",
    passes: "The call continues.",
  },
  {
    pattern: /\b(?:says?|said) nothing\b/i,
    write: "prints nothing, sends nothing, does not state it",
    finds: "A client that says nothing is closed.",
    passes: "A client that sends nothing is disconnected.",
  },
  {
    pattern: /\bnothing (?:where|when|if)\b/i,
    write: "undefined if, no result if",
    finds: "The line; nothing where there is none.",
    passes: "The line; undefined if there is none. Nothing is written.",
  },
  {
    pattern: /\bstands\b(?! for\b)|\bwhat is there\b|\bstanding (?:in|at|there)\b/i,
    write: "is, is written, is configured",
    finds: "It stands in the second line.",
    passes: "`*` stands for any text; the loop came to a standstill.",
  },
  {
    pattern: /\blies\b|\b(?:lie|lay|lying) (?:in|on|at|below|beside|outside)\b/i,
    write: "is in, is stored in",
    finds: "The file lies in the home folder.",
    passes: "Families of files are stored in the home folder.",
  },
  {
    pattern: /\bwhoever\b|\bnobody\b/i,
    write: "the user, no user",
    finds: "Whoever runs it owns it.",
    passes: "The user who runs it owns it; `anybody` is a name.",
  },
  {
    pattern:
      /(?<!\bthere )(?<!\bis it )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|other\b|one\b|such\b|way\b|need\b|matter\b)[a-z]+/i,
    write: "is not a",
    finds: "This file is no YAML.",
    passes: "There is no file. It is no longer used. This is not a file.",
  },
  {
    pattern: /\btold (?:from|apart|by)\b|\btells? (?:them )?apart\b|\b(?:can|could|cannot) be told\b/i,
    write: "distinguished from, recognised by",
    finds: "A hook is told apart by its key.",
    passes: "The agent is told what was denied.",
  },
  {
    pattern:
      /\bcounts?(?=[.,;:)]|$| (?:only|for|at|where|when|in|also|there|from(?! (?:1|0|zero)\b)|with|until|again|once|here)\b)/i,
    write: "applies, is valid",
    finds: "A project's value counts only where it is stricter.",
    passes: "It counts the calls, and two hooks count as one.",
  },
  {
    pattern:
      /\bbehind\b(?! (?:a|an|the|every|each)? ?(?:HTTP |forward )?(?:proxy|proxies|firewall|gateway|symlink|link|NAT)\b)/i,
    write: "after, following",
    finds: "What is behind the dash is the version.",
    passes: "The daemon works behind a proxy.",
  },
  {
    pattern: /\bis done with\b|\bcomes? of it\b|\bcame of it\b|\bshown out\b|\bis let in\b/i,
    write: "has ended, the result is, is disconnected, is accepted",
    finds: "The client is shown out.",
    passes: "The client is disconnected, what comes of age is kept.",
  },
  {
    pattern: /\b(?:hears?|heard|unheard|speaks?|sayings?)\b/i,
    write: "receives, matches, returns",
    finds: "Every hook that hears the event runs.",
    passes: "Every hook that matches the event runs.",
  },
  {
    pattern: /\bMOST_[A-Z]/,
    write: "MAX_…",
    finds: "MOST_BYTES",
    passes: "MAX_BYTES, ALMOST_THERE",
  },
];

/** Names that a reader cannot guess. `told` as a JSON field is part of the contract, and is not an export. */
const EXPORTED =
  /^export (?:async )?(?:const|function|class|interface|type|let) ((?:told|said|saysNothing|whoever)\w*)/gm;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TREE = readTree(join(ROOT, "src"));
const PAGES = [
  "README.md",
  "ARCHITECTURE.md",
  "DEPENDENCIES.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...pagesBelow("docs"),
];

describe("a phrase of the vocabulary", () => {
  it.each(PHRASES)("is found and its ordinary neighbours are not: $pattern", ({ pattern, finds, passes }) => {
    expect(finds).toMatch(pattern);
    expect(passes).not.toMatch(pattern);
  });

  it("is looked for in comments and texts of the source and not in its code, and in pages outside of their examples", () => {
    const source = `/** One.\n * Two. */\nconst counts = goesOn("three of them", 'four five', \`six more \${seven(behind)} eight\`); // nine`;
    expect(sentencesOfSource(source)).toEqual([
      "One. Two.",
      "three of them",
      "four five",
      "six more ${} eight",
      "nine",
    ]);
    expect(sentencesOfPage("One.\ntwo `lies`\n\n```sh\nlies\n```\nThree.")).toEqual(["One. two ``", "Three."]);
  });
});

describe("the vocabulary", () => {
  const found = new Map<string, string[]>();
  const add = (group: string, path: string, sentences: readonly string[]) => {
    const list = found.get(group) ?? [];
    found.set(group, list);
    for (const sentence of sentences)
      for (const { pattern, write } of PHRASES) {
        const [match] = pattern.exec(sentence) ?? [];
        if (match !== undefined) list.push(`${path}: "${match}" in "${sentence.slice(0, 120)}"; write: ${write}`);
      }
  };
  for (const { path, room, lines } of TREE) add(`src/${room}`, `src/${path}`, sentencesOfSource(lines.join("\n")));
  for (const path of PAGES) add("docs", path, sentencesOfPage(readFileSync(join(ROOT, path), "utf8")));
  if (process.env.VOCABULARY !== undefined)
    for (const [group, list] of found) if (group.startsWith(process.env.VOCABULARY)) console.log(list.join("\n"));
  if (process.env.WRITE_VOCABULARY === "1")
    console.log(
      [...found]
        .map(([group, { length }]) => (length > 0 ? `  "${group}": ${length},\n` : ""))
        .sort()
        .join(""),
    );

  it.each([...found.keys()].sort())("of %s keeps to ordinary English", (group) => {
    const list = found.get(group) ?? [];
    const limit = STILL_THERE[group] ?? 0;
    const howTo = `VOCABULARY=${group} npx vitest run tests/architecture/vocabulary.test.ts lists them; a limit only falls`;
    expect(list.length > limit ? list : [], howTo).toEqual([]);
  });

  it("has limits only for rooms that exist", () => {
    expect(Object.keys(STILL_THERE).filter((group) => !found.has(group))).toEqual([]);
  });

  it("of exported names has none that only this project understands", () => {
    const names = TREE.flatMap(({ path, code }) => [...code.matchAll(EXPORTED)].map(([, name]) => `${path}: ${name}`));
    expect(names).toEqual([]);
  });
});

function pagesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`)
    .sort();
}
