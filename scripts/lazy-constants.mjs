// Makes the tables and expressions of a bundle when they are first read. A call reads few of them, and making all takes longer than deciding.
import { parseSync } from "oxc-parser";

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
const NAMED_PARTS = {
  MemberExpression: "property",
  Property: "key",
  MethodDefinition: "key",
  PropertyDefinition: "key",
};

/** The same program: `X = [...]` in the body of a module becomes `X$ = () => X ??= [...]`, and whoever reads `X` calls `X$`. */
export function lazyConstants(code) {
  const { program, errors } = parseSync("bundle.js", code, { sourceType: "script" });
  if (errors.length > 0) throw new Error(`the bundle cannot be parsed: ${errors[0].message}`);
  const uses = usesIn(program);
  const hoisted = new Set(
    declaratorsOf(program)
      .filter(({ id, init }) => id.type === "Identifier" && init === null)
      .map(({ id }) => id.name),
  );
  const made = moduleBodies(program)
    .flatMap(assignments)
    .filter(({ left, right }) => {
      const used = uses.get(left.name);
      return hoisted.has(left.name) && used.declared === 1 && used.written === 1 && isCostly(right, code);
    });
  const edits = made.flatMap(({ left, right }) => [
    { start: left.start, end: right.start, text: `${thunk(left.name)}=()=>${left.name}??=` },
    ...uses.get(left.name).read,
  ]);
  const names = made.map(({ left }) => thunk(left.name));
  for (const name of names) if (uses.has(name)) throw new Error(`the bundle has its own ${name}`);
  return `var ${names.join(",")};${edited(code, edits)}`;
}

function thunk(name) {
  return `${name}$$`;
}

function isCostly(node, code) {
  const { type, start, end } = node;
  if (type === "Literal") return node.regex !== undefined;
  if (!COSTLY.has(type) || end - start < SMALLEST) return false;
  return ![...usesIn(node).keys()].some((name) => CHANGING.has(name)) && !code.slice(start, end).includes("import(");
}

function declaratorsOf(program) {
  return program.body.flatMap((node) => (node.type === "VariableDeclaration" ? node.declarations : []));
}

/** The bundler wraps each module into a function that is called once. */
function moduleBodies(program) {
  return declaratorsOf(program).flatMap(({ init }) => {
    const [wrapped, ...more] = init?.type === "CallExpression" ? init.arguments : [];
    const isModule = wrapped?.type === "ArrowFunctionExpression" && wrapped.params.length === 0 && more.length === 0;
    return isModule && wrapped.body.type === "BlockStatement" ? [wrapped.body.body] : [];
  });
}

/** What the statements of a module assign, where nobody needs the value at once. */
function assignments(body) {
  return body
    .flatMap(({ type, expression }) => {
      if (type !== "ExpressionStatement") return [];
      return expression.type === "SequenceExpression" ? expression.expressions : [expression];
    })
    .filter(
      ({ type, operator, left }) => type === "AssignmentExpression" && operator === "=" && left.type === "Identifier",
    );
}

/** Each name, how often it is declared and written, and what stands where it is read once it is called. */
function usesIn(root) {
  const uses = new Map();
  const of = (name) => uses.get(name) ?? uses.set(name, { declared: 0, written: 0, read: [] }).get(name);
  const walk = (node, role, isConstructor) => {
    if (Array.isArray(node)) {
      for (const each of node) walk(each, role, isConstructor);
      return;
    }
    if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
    if (node.type === "Identifier") {
      const { name, start, end } = node;
      if (role === "read")
        of(name).read.push({ start, end, text: isConstructor ? `(${thunk(name)}())` : `${thunk(name)}()` });
      else of(name)[role] += 1;
      return;
    }
    const named = NAMED_PARTS[node.type];
    if (node.type === "Property" && node.shorthand && role === "read" && node.value.type === "Identifier") {
      const { name, start, end } = node.value;
      of(name).read.push({ start, end, text: `${name}:${thunk(name)}()` });
      return;
    }
    for (const [key, part] of Object.entries(node)) {
      if (key === named && !node.computed) continue;
      walk(
        part,
        roleOf(node, key, role),
        key === "callee" ? node.type === "NewExpression" : isConstructor && key === "object",
      );
    }
  };
  walk(root, "read", false);
  return uses;
}

/** Whether a part of a node declares names, writes to them or reads them. */
function roleOf({ type }, key, role) {
  if (key === "params" || key === "param" || (key === "id" && type !== "ClassBody")) return "declared";
  if (key === "left" && /^(?:Assignment|ForIn|ForOf)/.test(type) && type !== "AssignmentPattern") return "written";
  if (key === "argument" && type === "UpdateExpression") return "written";
  if (key === "label") return "declared";
  // Inside a pattern its parts are what the pattern is; everything else begins anew.
  const isPattern =
    ["ObjectPattern", "ArrayPattern", "RestElement"].includes(type) || (type === "AssignmentPattern" && key === "left");
  const isInPattern = type === "Property" && key === "value" && role !== "read";
  return isPattern || isInPattern ? role : "read";
}

function edited(code, edits) {
  let at = 0;
  let text = "";
  for (const { start, end, text: put } of edits.sort((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + put;
    at = end;
  }
  return text + code.slice(at);
}
