import type { Effect } from "../effect.ts";
import type { HarmIn } from "./automated-lines.ts";
import { orderIn } from "./automation-acts.ts";
import type { CalledTool, ToolAct } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** A search for keys or personal papers in a whole home, or in what programs keep there. */
export function searchedActs({ input, words: name }: CalledTool, known: readonly Effect[]): ToolAct[] {
  const pattern = input.pattern ?? input.query ?? input.regex ?? input.glob;
  if (typeof pattern !== "string" || !(KEY_PATTERN().test(pattern) || PERSONAL_PATTERN().test(pattern))) return [];
  const folders = known.flatMap((effect) => (effect.does === "read" ? [effect.path.text] : []));
  if (name.some((word) => FINDS.has(word)) && typeof input.path === "string") folders.push(input.path);
  return folders.some(
    (folder) => WIDE().test(folder) || (KEPT_BY_PROGRAMS().test(folder) && KEY_PATTERN().test(pattern)),
  )
    ? [{ kind: "show-secret", text: pattern }]
    : [];
}

/** What a helper of the agent is told to run, and what it is to do without a question. */
export function orderedActs({ tool, leaves }: CalledTool, isHarm: HarmIn): ToolAct[] {
  if (!HELPERS().test(tool)) return [];
  return leaves.flatMap(({ key, value }): ToolAct[] => {
    if (typeof value !== "string" || !/prompt|message|task|instruction|description|objective/.test(key)) return [];
    const lines = [...value.slice(0, MAX_LENGTH).matchAll(ORDERED())].flatMap(([whole]) =>
      [...whole.matchAll(/`([^`\n]+)`/g)].map(([, line = ""]) => line),
    );
    const harmful = lines.slice(0, 20).find((line) => isHarm(line, ORDERED_HARM));
    const order = orderIn(value);
    const text = harmful ?? (order !== undefined && GRAVE().test(value) ? order : undefined);
    return text === undefined ? [] : [{ kind: "auto-run", text }];
  });
}

const HELPERS = () => /^(?:Task|task|Agent|agent|SendMessage|send_input|new_task|spawn_agent|delegate\w*|subagent\w*)$/;
/** Lines in backticks after a verb that has them run, unless the sentence forbids it. */
const ORDERED = () =>
  /(?<!\b(?:not|never|n't|where|how|who|which|that|we|code|scripts?)\b[^.\n`]{0,40})\b(?:run|execute|start|launch|invoke|apply|use)(?:ning)?\b[^`\n.]{0,40}`[^`\n]{3,400}`(?:[^`\n.]{0,20}`[^`\n]{3,400}`){0,4}/gi;
const GRAVE = () =>
  /\bprod(?:uction)?\b|\b(?:force|delete|drop|destroy|wipe|publish|release|deploy)\b|--dangerously|apply -auto-approve/i;
const ORDERED_HARM =
  "git-force-push git-loss git-discard git-delete-branch git-delete-remote skip-checks delete-root delete-folder delete-protected delete-personal delete-outside send-secret send-environment send-data send-personal read-key show-secret show-token run-download run-hidden reverse-shell cloud-loss cloud-outage production-change database-loss container-loss disk-loss unpublish write-startup start-later payment message publish".split(
    " ",
  );

/** What an agent is to remember, by which it would act without a question from then on. */
export function remembered({ words: name, server, leaves }: CalledTool): ToolAct[] {
  if (![...name, ...server].some((word) => MEMORY.has(word))) return [];
  return leaves.flatMap(({ value }): ToolAct[] => {
    const order = typeof value === "string" ? orderIn(value) : undefined;
    return order === undefined ? [] : [{ kind: "auto-run", text: order }];
  });
}

const MEMORY = words("memory memories remember mem0 knowledge rule note");
const FINDS = words("search find glob grep");
const PERSONAL_PATTERN = () =>
  /passport|reisepass|ausweis|\btax|steuer|payslip|medical|bank|iban|kontonummer|salary|wallet|seed phrase|ssn\b/i;
/** Hidden folders of a home, in which programs keep what logs them in. */
const KEPT_BY_PROGRAMS = () =>
  /^(?:~|\/(?:home|Users)\/[^/]+|\/root)\/(?:\.(?!cache|npm\b|nvm|cargo\/registry|vscode\/extensions|claude\/projects)[\w.-]+|Library|AppData)(?:\/|$)/;
const KEY_PATTERN = () =>
  /\.(?:pem|key|p12|pfx|ppk|kdbx|env)\b|id_(?:rsa|ed25519)|credential|BEGIN.{0,40}PRIVATE|secret_access_key|AKIA|passw|api_?key|secret/i;
/** A home or more. */
const WIDE = () => /^(?:\/|~|\/(?:home|Users)(?:\/[^/]+)?|\/root|\/etc|[A-Za-z]:[\\/](?:Users(?:[\\/][^\\/]+)?)?)\/?$/;
const MAX_LENGTH = 20_000;
