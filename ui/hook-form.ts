import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { countText, plain } from "./format.ts";
import { html } from "./html.ts";

type Data = Readonly<Record<string, unknown>>;

export interface HookFormProps {
  readonly data: Data;
  readonly edit: (set: object, remove?: readonly string[]) => void;
  readonly goTo: () => void;
}

/** How a value is written in a field of the form. */
type FieldKind = "line" | "text" | "list" | "number" | "duration" | readonly (readonly [string, string])[];

interface FieldRow {
  /** The key, and the other spellings that a file may have. */
  readonly keys: readonly [string, ...string[]];
  readonly label: string;
  readonly kind: FieldKind;
  /** Shown only where the hook has it. */
  readonly isOptional?: boolean;
}

const FIELDS: readonly FieldRow[] = [
  { keys: ["name"], label: "Name", kind: "line" },
  { keys: ["event"], label: "Event", kind: "line", isOptional: true },
  { keys: ["description"], label: "Description", kind: "line" },
  { keys: ["command"], label: "Command", kind: "text", isOptional: true },
  { keys: ["script"], label: "Script", kind: "line", isOptional: true },
  { keys: ["args"], label: "Arguments, one on each line", kind: "list", isOptional: true },
  { keys: ["module"], label: "Module", kind: "line", isOptional: true },
  { keys: ["url"], label: "URL", kind: "line", isOptional: true },
  { keys: ["prompt"], label: "Prompt", kind: "text", isOptional: true },
  { keys: ["model"], label: "Model", kind: "line", isOptional: true },
  { keys: ["working_dir", "workingDir"], label: "Working directory", kind: "line", isOptional: true },
];

const MATCHER_FIELDS: readonly FieldRow[] = [
  { keys: ["events"], label: "Matcher: events", kind: "list" },
  { keys: ["tools"], label: "Matcher: tools", kind: "list" },
  { keys: ["path_patterns", "pathPatterns"], label: "Matcher: paths", kind: "list" },
  { keys: ["command_patterns", "commandPatterns"], label: "Matcher: commands", kind: "list" },
  { keys: ["model_patterns", "modelPatterns"], label: "Matcher: models", kind: "list" },
  { keys: ["session_types", "sessionTypes"], label: "Matcher: kinds of session", kind: "list" },
];

const RUN_FIELDS: readonly FieldRow[] = [
  { keys: ["timeout"], label: "Timeout (seconds, or 500ms, 5s)", kind: "duration" },
  { keys: ["priority"], label: "Priority (low runs first; 100 when empty)", kind: "number" },
  {
    keys: ["on_error", "onError"],
    label: "When it fails",
    kind: [
      ["", "the default of its event"],
      ["deny", "deny the call"],
      ["ask", "ask the user"],
      ["continue", "let the call pass"],
    ],
  },
  {
    keys: ["mode"],
    label: "Mode",
    kind: [
      ["", "decides (enforce)"],
      ["monitor", "only watches (monitor)"],
    ],
  },
];

/** Every shape that a hook may be written in, as fields of the same text. What has no field is named, and is in the text. */
export function HookForm({ data, edit, goTo }: HookFormProps): VNode {
  const matcher = isObject(data.matcher) ? data.matcher : undefined;
  const rulesKey = RULE_KEYS.find((key) => data[key] !== undefined) ?? "rules";
  const rules = data[rulesKey];
  const isRuled = rules !== undefined || KINDS_WITHOUT_RULES.every((key) => data[key] === undefined);
  const change = (row: FieldRow) => (value: unknown) => {
    const key = keyIn(data, row);
    edit(value === undefined ? {} : { [key]: value }, value === undefined ? [key] : []);
  };
  const changeMatcher = (row: FieldRow) => (value: unknown) => {
    const { [keyIn(matcher ?? {}, row)]: _, ...rest } = matcher ?? {};
    edit({ matcher: value === undefined ? rest : { ...matcher, [keyIn(matcher ?? {}, row)]: value } });
  };
  const rest = Object.keys(data).filter((key) => !KNOWN.has(key));
  const field = (row: FieldRow) =>
    html`<${FieldOf} key=${row.label} row=${row} holder=${data} change=${change(row)} />`;
  return html`<div class="hook-form">
    ${FIELDS.filter((row) => !row.isOptional || has(data, row) || (row.keys[0] === "event" && matcher === undefined)).map(field)}
    ${matcher !== undefined && MATCHER_FIELDS.map((row) => html`<${FieldOf} key=${row.label} row=${row} holder=${matcher} change=${changeMatcher(row)} />`)}
    ${RUN_FIELDS.map(field)}
    <label><input type="checkbox" checked=${data.enabled !== false} onChange=${() => (data.enabled === false ? edit({}, ["enabled"]) : edit({ enabled: false }))} /> on</label>
    ${isRuled && (Array.isArray(rules) ? html`<${RuleRows} rows=${rules} change=${(rows: readonly unknown[]) => edit({ [rulesKey]: rows })} />` : html`<${Field} label="Rules, one on each line" value=${String(rules ?? "")} rows=${6} change=${(text: string) => edit(text === "" ? {} : { [rulesKey]: text }, text === "" ? [rulesKey] : [])} />`)}
    ${rest.length > 0 && html`<p class="dim">Only in the text: ${rest.map((key) => plain(key, 60)).join(", ")}.</p>`}
    <button type="button" onClick=${goTo}>Show it in the text</button>
  </div>`;
}

const RULE_KEYS = ["rules", "inline_rules", "inlineRules"];
const KINDS_WITHOUT_RULES = [
  ..."command script args module url prompt cedar opa all any sequence first retry when race".split(" "),
];
const KNOWN: ReadonlySet<string> = new Set([
  ...[...FIELDS, ...RUN_FIELDS].flatMap(({ keys }) => keys),
  ...RULE_KEYS,
  "matcher",
  "enabled",
]);

function has(data: Data, { keys }: FieldRow): boolean {
  return keys.some((key) => data[key] !== undefined);
}

/** The key as the file spells it already. */
function keyIn(data: Data, { keys }: FieldRow): string {
  return keys.find((key) => data[key] !== undefined) ?? keys[0];
}

interface FieldOfProps {
  readonly row: FieldRow;
  readonly holder: Data;
  /** Undefined takes the key away. */
  readonly change: (value: unknown) => void;
}

function FieldOf({ row, holder, change }: FieldOfProps): VNode {
  const { label, kind } = row;
  const value = holder[keyIn(holder, row)];
  if (typeof kind !== "string")
    return html`<label class="field">${label}<select onChange=${(event: Event) => change((event.target as HTMLSelectElement).value || undefined)}>${kind.map(([choice, text]) => html`<option value=${choice} selected=${choice === String(value ?? "")}>${text}</option>`)}</select></label>`;
  const text = Array.isArray(value) ? value.map(String).join("\n") : String(value ?? "");
  const rows = kind === "text" ? 3 : kind === "list" ? Math.min(6, text.split("\n").length) : 0;
  return html`<${Field} label=${label} value=${text} rows=${rows} change=${(typed: string) => change(read(typed, kind))} />`;
}

function read(typed: string, kind: Exclude<FieldKind, readonly unknown[]>): unknown {
  const text = typed.trim();
  if (text === "") return undefined;
  if (kind === "list") return text.split("\n").flatMap((line) => line.trim() || []);
  const isNumber = (kind === "number" || kind === "duration") && Number.isFinite(Number(text));
  return isNumber ? Number(text) : kind === "text" ? typed : text;
}

/** Rules that are written as a list: one block for each, with a field for each of its keys. */
function RuleRows({
  rows,
  change,
}: {
  readonly rows: readonly unknown[];
  readonly change: (rows: readonly unknown[]) => void;
}): VNode {
  const put = (at: number, key: string, typed: string) =>
    change(rows.map((row, index) => (index === at ? withKey(row as Data, key, typed) : row)));
  return html`<fieldset class="rule-rows"><legend>${countText(rows.length, "rule")}, the first that matches decides</legend>
    ${rows.map((row, at) =>
      isObject(row)
        ? html`<div class="rule-row" role="group" aria-label=${`Rule ${at + 1}`}>${keysOfRow(row).map((key) => html`<${Field} key=${key} label=${key} value=${textOf(row[key])} rows=${0} change=${(typed: string) => put(at, key, typed)} />`)}
          <button type="button" class="quiet" onClick=${() => change(rows.filter((_, index) => index !== at))} disabled=${rows.length === 1}>Remove rule ${at + 1}</button></div>`
        : html`<p class="dim">Rule ${at + 1} can only be changed in the text.</p>`,
    )}
    <button type="button" onClick=${() => change([...rows, NEW_RULE])}>Add a rule</button></fieldset>`;
}

const NEW_RULE = { field: "args.command", operator: "contains", value: "something", action: "ask", reason: "Why." };

function keysOfRow(row: Data): string[] {
  return [...new Set([...Object.keys(NEW_RULE), ...Object.keys(row)])];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

/** A text stays a text; every other value is read as JSON where it can be. */
function withKey(row: Data, key: string, typed: string): Data {
  const { [key]: before, ...rest } = row;
  if (typed === "") return rest;
  return { ...row, [key]: typeof before === "string" || before === undefined ? typed : parsed(typed) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** One line when 0. */
  readonly rows: number;
  readonly change: (value: string) => void;
}

/** A field that keeps what is being typed until the text holds another value for it. */
function Field({ label, value, rows, change }: FieldProps): VNode {
  const typed = useRef<{ readonly text: string; readonly over: string } | undefined>(undefined);
  if (typed.current?.over !== value) typed.current = undefined;
  const textIn = (event: Event) => (event.target as HTMLInputElement).value;
  const given = {
    value: typed.current?.text ?? value,
    spellcheck: false,
    onInput: (event: Event) => {
      typed.current = { text: textIn(event), over: value };
    },
    onChange: (event: Event) => change(textIn(event)),
  };
  return html`<label class="field">${label}${rows === 0 ? html`<input ...${given} />` : html`<textarea class="code" rows=${rows} ...${given}></textarea>`}</label>`;
}
