import { readLayers } from "../../decide/layers.ts";
import { usable } from "../../policies/intent/change-intents.ts";
import { completeIntent } from "../../policies/intent/complete-intent.ts";
import { addScope, declareIntent, intentNamed, setStatus } from "../../policies/intent/declare.ts";
import { isActive } from "../../policies/intent/intent.ts";
import { intentBoard } from "../../policies/intent/intent-board.ts";
import { intentsPath, readIntents } from "../../policies/intent/intents-file.ts";
import type { IntentMode } from "../../policies/intent/mode-means.ts";
import { takesAway, whyOwnsNothing } from "../../policies/intent/scope.ts";
import { openRequests } from "../../policies/intent/scope-requests.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { boardLines, intentJson, intentLines, listLines, mapWords, requestLines } from "../show/intents.ts";

/** Shows and changes the pieces of work that are declared in this project. */
export function run(input: CommandInput): Exit {
  const [verb = "list", ...rest] = input.words;
  const found = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (found === undefined) throw USAGE.unknownSubcommand({ command: "intents", word: verb, known: KNOWN_VERBS });
  const extra = rest[found.words];
  if (extra !== undefined) throw unexpected(verb, extra);
  return found.act(rest, input);
}

interface Verb {
  /** How many arguments may follow it. */
  readonly words: number;
  readonly act: (words: readonly string[], input: CommandInput) => Exit;
}

const VERBS: Readonly<Record<string, Verb>> = {
  list: { words: 0, act: list },
  board: { words: 0, act: board },
  show: { words: 1, act: show },
  new: { words: 1, act: declare },
  start: { words: 1, act: start },
  done: { words: 1, act: complete },
  scope: { words: Number.POSITIVE_INFINITY, act: scope },
};
const KNOWN_VERBS = Object.keys(VERBS).map((verb) => (verb === "scope" ? "scope add" : verb));

function unexpected(verb: string, extra: string): Problem {
  const fix = verb === "new" ? { fix: 'Write the name as one argument: --name "…".' } : {};
  return USAGE.unexpectedArgument({ command: `intents ${verb}`, extra, ...fix });
}

function list(_: readonly string[], input: CommandInput): Exit {
  const { io } = input;
  const root = rootOf(input);
  const file = usable(root);
  const { intents, problems: found } = file;
  if (input.has("json")) {
    const shown = intents.map((intent) => intentJson(intent, openRequests(file, intent)));
    io.out(JSON.stringify({ path: intentsPath(root), mode: modeOf(root), intents: shown, problems: found }, null, 2));
  } else {
    for (const line of listLines(intents, io)) io.out(line);
    for (const intent of intents) for (const line of requestLines(intent, openRequests(file, intent), io)) io.out(line);
    if (readIntents(root).state === "missing" || intents.length === 0)
      io.out('No intents are declared here. Declare one: sluice intents new --name "…" --scope "src/…/**"');
    for (const problem of found) io.err(problem.format());
    tellMode(input);
  }
  return found.length > 0 ? "problem" : "done";
}

/** Every intent with what was done for it. */
function board(_: readonly string[], input: CommandInput): Exit {
  const { io } = input;
  const root = rootOf(input);
  const { problems: found } = usable(root);
  const intents = intentBoard(root, io.env);
  if (input.has("json")) io.out(JSON.stringify({ mode: modeOf(root), intents, problems: found }, null, 2));
  else {
    for (const line of boardLines(intents, io)) io.out(line);
    for (const problem of found) io.err(problem.format());
    tellMode(input);
  }
  return found.length > 0 ? "problem" : "done";
}

function show(words: readonly string[], input: CommandInput): Exit {
  const root = rootOf(input);
  const intent = intentNamed(root, needed(words[0], "show"));
  const asked = openRequests(usable(root), intent);
  if (input.has("json")) input.io.out(JSON.stringify(intentJson(intent, asked), null, 2));
  else
    for (const line of [...intentLines(intent, input.io), ...requestLines(intent, asked, input.io)]) input.io.out(line);
  return "done";
}

function declare(words: readonly string[], input: CommandInput): Exit {
  const root = rootOf(input);
  const [word] = words;
  if (input.has("name") && word !== undefined) throw unexpected("new", word);
  const name = input.text("name") ?? word;
  if (name === undefined || name.trim() === "") throw PROBLEMS.noIntentName(undefined);
  const scopes = input.texts("scope");
  for (const pattern of scopes) refuseBad(pattern);
  const id = declareIntent(root, {
    id: input.text("id"),
    name,
    scope: scopes,
    constraints: input.texts("constraint"),
    criteria: input.texts("criterion"),
  });
  const path = shortPath(intentsPath(root), input.io);
  const exit = told(input, id, `declared ${id} in ${path}; begin it with \`sluice intents start ${id}\``);
  tellMode(input);
  return exit;
}

function start(words: readonly string[], input: CommandInput): Exit {
  const id = needed(words[0], "start");
  setStatus(rootOf(input), id, "IN_PROGRESS");
  const exit = told(input, id, `${id} is IN_PROGRESS: sessions may select it`);
  tellMode(input);
  return exit;
}

/** Completes an intent, and reports what remains of it. */
function complete(words: readonly string[], input: CommandInput): Exit {
  const { io } = input;
  const id = needed(words[0], "done");
  const { map, lessons } = completeIntent(rootOf(input), id, io);
  const many = lessons?.lines.length ?? 0;
  const sentences = [
    `${id} is COMPLETED`,
    ...(map === undefined ? [] : [mapWords(map.file, map.intents, io)]),
    ...(lessons === undefined ? [] : [`${many === 1 ? "1 lesson is" : `${many} lessons are`} in ${lessons.file}.`]),
  ];
  return told(input, id, sentences.join("\n"), {
    ...(map === undefined ? {} : { map: map.file }),
    ...(lessons === undefined ? {} : { lessons }),
  });
}

function scope([act, id, ...globs]: readonly string[], input: CommandInput): Exit {
  if (act === undefined) throw PROBLEMS.noScopeVerb(undefined);
  if (act !== "add") throw USAGE.unknownSubcommand({ command: "intents", word: `scope ${act}`, known: KNOWN_VERBS });
  const wanted = needed(id, "scope add");
  if (globs.length === 0) throw PROBLEMS.noGlob({ id: wanted });
  for (const pattern of globs) refuseBad(pattern);
  const added = addScope(rootOf(input), wanted, globs);
  const given = added.filter((pattern) => !takesAway(pattern));
  const taken = added.filter(takesAway).map((pattern) => pattern.trim().slice(1));
  const words = [
    ...(given.length > 0 ? [`now also owns ${given.join(", ")}`] : []),
    ...(taken.length > 0 ? [`no longer owns ${taken.join(", ")}`] : []),
  ];
  return told(input, wanted, `${wanted} ${words.length === 0 ? "is set like that already" : words.join(" and ")}`);
}

/** What was changed, in a sentence, or the intent as it is now. */
function told(input: CommandInput, id: string, words: string, more: object = {}): Exit {
  const root = rootOf(input);
  const intent = intentNamed(root, id);
  const json = () => JSON.stringify({ ...intentJson(intent, openRequests(usable(root), intent)), ...more }, null, 2);
  input.io.out(input.has("json") ? json() : words);
  if (intent.ownedScope.length === 0 && isActive(intent))
    input.io.err(`${id} owns nothing yet: sluice intents scope add ${id} "src/…/**"`);
  return "done";
}

/** Says that declared intents are not enforced, where they are not. */
function tellMode(input: CommandInput): void {
  const note = MODE_NOTES[modeOf(rootOf(input))];
  if (note !== undefined && !input.has("json")) input.io.err(note);
}

function modeOf(root: string): IntentMode {
  return readLayers(root).settings.intents.mode;
}

function needed(id: string | undefined, verb: string): string {
  if (id === undefined) throw PROBLEMS.noIntentId({ verb });
  return id;
}

function refuseBad(pattern: string): void {
  const why = pattern.startsWith("-") ? "it begins like an option" : whyOwnsNothing(pattern);
  if (why !== undefined) throw PROBLEMS.badPattern({ pattern, why });
}

const MODE_NOTES: Readonly<Record<IntentMode, string | undefined>> = {
  off: "Intents are off here: nothing is checked. Turn them on with `intents: { mode: enforce }` in .sluice/hooks.yaml.",
  advise:
    "Intents only advise here: nothing is stopped. Turn them on with `intents: { mode: enforce }` in .sluice/hooks.yaml.",
  enforce: undefined,
};

const PROBLEMS = problems("usage", {
  noScopeVerb: () => ({
    what: "`sluice intents scope` needs a subcommand.",
    fix: 'Write `sluice intents scope add <id> "src/…/**"`.',
  }),
  noIntentId: ({ verb }: { verb: string }) => ({
    what: `\`sluice intents ${verb}\` needs the id of an intent.`,
    fix: "`sluice intents list` shows them all.",
  }),
  noIntentName: () => ({
    what: "`sluice intents new` needs a name.",
    fix: 'Write --name "what is to be done".',
  }),
  noGlob: ({ id }: { id: string }) => ({
    what: `\`sluice intents scope add ${id}\` needs a path or a glob.`,
    fix: `Write \`sluice intents scope add ${id} "src/…/**"\`.`,
  }),
  badPattern: ({ pattern, why }: { pattern: string; why: string }) => ({
    what: `"${pattern}" matches no file of the project: ${why}.`,
    fix: "Write it from the project's root, such as `src/auth/**`.",
  }),
});
