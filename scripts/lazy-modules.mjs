// Rewrites a bundle: a module's functions are made when the module is, and its tables when they are first read. A command uses few of either,
// and making all takes longer than most commands do. What the program does stays the same.
import { parseSync } from "oxc-parser";
import { usesOf } from "./uses-of.mjs";

/** The bundler's word for where a module begins; other comments are notes for it. */
const MODULE = /^\/\/ [^@].*$/gm;
/** What wraps a module: it runs once, and an error comes back at each try. */
const WRAPPER =
  "(run, made, error) => () => { if (error) throw error[0]; try { return run && (made = run(run = 0)), made; } catch (caught) { throw error = [caught], caught; } }";
/** What is worth waiting with: the rest costs less than the waiting. */
const COSTLY = new Set([
  "ObjectExpression",
  "ArrayExpression",
  "NewExpression",
  "CallExpression",
  "TaggedTemplateExpression",
]);
const SMALLEST = 12;
/** What tells another thing later. */
const CHANGING = new Set(["process", "Date", "performance", "Math", "globalThis", "arguments"]);

/** The code of a bundle whose modules are wrapped, with the comments that say where each begins. */
export function lazyModules(code) {
  const { program, errors } = parseSync("bundle.js", code, { sourceType: "script" });
  if (errors.length > 0) throw new Error(`the bundle cannot be parsed: ${errors[0].message}`);
  const bundle = { code, uses: usesOf(program), edits: [] };
  const modules = modulesOf(program, code);
  const made = modules.map((module) => (module.init ? scoped(module, bundle) : module));
  bundle.edits.sort((one, other) => one.start - other.start);
  const shared = made.flatMap(({ shared = [] }) => shared);
  const texts = made.map((module) =>
    [...module.kept.map((node) => render(node, bundle)), wrapped(module, bundle)].join("\n"),
  );
  return `"use strict";\nvar ${shared.join(", ")};\n${texts.join("\n")}`;
}

/** The statements by module: what is wrapped, what it declares, and what stays outside. */
function modulesOf(program, code) {
  const starts = [...code.matchAll(MODULE)]
    .map(({ index }) => index)
    .filter((index) => !program.body.some(({ start, end }) => start < index && index < end));
  const modules = [0, ...starts].map(() => ({ functions: [], names: [], kept: [], init: undefined }));
  for (const node of program.body) {
    const module = modules[starts.filter((start) => start <= node.start).length];
    const [declarator] = node.type === "VariableDeclaration" ? node.declarations : [];
    if (node.type === "FunctionDeclaration") module.functions.push(node);
    else if (declarator?.init?.callee?.name === "__esm") {
      if (module.init) throw new Error(`the bundle does not say where the module of ${declarator.id.name} begins`);
      module.init = declarator;
    } else if (declarator && node.declarations.every(({ init }) => init === null))
      module.names.push(...node.declarations.map(({ id }) => id.name));
    else module.kept.push(node);
  }
  for (const module of modules.filter(({ init }) => init === undefined)) {
    module.kept.push(...module.functions);
    module.shared = module.names;
  }
  return modules;
}

/** Decides for each name of a module whether others see it, and whether it is made late. */
function scoped({ functions, names, kept, init }, bundle) {
  const own = [...functions, init];
  const isInside = ({ start }) => own.some((node) => node.start <= start && start < node.end);
  const isShared = (name) => !bundle.uses.get(name).at.every(isInside);
  const { body } = init.init.arguments[0].properties[0].value;
  const late = body.body.flatMap((statement) => lateIn(statement, names, bundle));
  for (const { statement, name, value } of late) {
    const thunk = thunkOf(name);
    if (bundle.uses.has(thunk)) throw new Error(`the bundle has its own ${thunk}`);
    const start = isShared(name) ? `var ${name}; ${thunk} = ` : `var ${name}, ${thunk} = `;
    bundle.edits.push({ start: statement.start, end: value.start, text: `${start}() => ${name} ??= ` });
    bundle.edits.push(...bundle.uses.get(name).read.map(asCall));
  }
  const isLate = (name) => late.some((each) => each.name === name);
  return {
    functions,
    kept,
    init,
    body,
    isShared,
    private: names.filter((name) => !isShared(name) && !isLate(name)),
    shared: [
      ...names.filter(isShared).map((name) => (isLate(name) ? thunkOf(name) : name)),
      ...functions.map(({ id }) => id.name).filter(isShared),
    ],
  };
}

function wrapped({ functions, init, body, isShared, private: names }, bundle) {
  if (init === undefined) return "";
  const local = names.length === 0 ? "" : `var ${names.join(", ")};`;
  const made = functions.map((node) => {
    const { id, async, generator, end } = node;
    if (!isShared(id.name)) return render(node, bundle);
    return `${id.name} = ${async ? "async " : ""}function${generator ? "*" : ""} ${render({ start: id.end, end }, bundle)};`;
  });
  const statements = body.body.map((node) => render(node, bundle));
  return `var ${init.id.name} = __esm(() => {\n${[local, ...made, ...statements].join("\n")}\n});`;
}

/** A statement that only makes a costly constant. */
function lateIn(statement, names, { uses, code }) {
  const { type, left, right, operator } = statement.expression ?? {};
  if (statement.type !== "ExpressionStatement" || type !== "AssignmentExpression" || operator !== "=") return [];
  const name = left.type === "Identifier" && names.includes(left.name) ? left.name : undefined;
  const used = uses.get(name);
  if (used?.declared !== 1 || used.written !== 1 || !isCostly(right, code)) return [];
  return [{ statement, name, value: right }];
}

function isCostly(node, code) {
  const { type, start, end } = node;
  if (type === "Literal") return node.regex !== undefined;
  if (!COSTLY.has(type) || (type !== "CallExpression" && end - start < SMALLEST)) return false;
  return ![...usesOf(node).keys()].some((name) => CHANGING.has(name)) && !code.slice(start, end).includes("import(");
}

function thunkOf(name) {
  return `${name}$$`;
}

function asCall({ name, start, end, isShorthand, isConstructor }) {
  const call = isConstructor ? `(${thunkOf(name)}())` : `${thunkOf(name)}()`;
  return { start, end, text: isShorthand ? `${name}: ${call}` : call };
}

/** A piece of the code with what changes in it. */
function render({ start, end, ...node }, { code, edits }) {
  if (node.declarations?.[0].id.name === "__esm") return `var __esm = ${WRAPPER};`;
  let at = start;
  let text = "";
  for (const edit of edits.slice(firstFrom(edits, start))) {
    if (edit.start >= end) break;
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at, end);
}

function firstFrom(edits, start) {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edits[middle].start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
