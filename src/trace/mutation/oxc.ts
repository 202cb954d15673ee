import { importInstalled } from "../../fs/import-package.ts";
import { SCRIPT } from "./grammar.ts";
import { leaf, type Parse, type Tree } from "./syntax-tree.ts";

/** Loads the parser of JavaScript and TypeScript; undefined if the optional package is not installed. */
export async function loadOxc(): Promise<Parse | undefined> {
  const name = "oxc-parser";
  try {
    const { parseSync } = (await importInstalled(name)) as Library;
    return (path, text) => {
      const { program, errors, comments } = parseSync(path, text, { preserveParens: false });
      if (errors.length > 0) return undefined;
      const directives = comments.map(({ value }) => value.trim()).filter((value) => SCRIPT.directives.test(value));
      return { tree: treeOf(program, "", NOWHERE), directives };
    };
  } catch {
    return undefined;
  }
}

/** The little of the library that is used. */
interface Library {
  parseSync(
    path: string,
    text: string,
    options: object,
  ): {
    readonly program: Node;
    readonly errors: readonly unknown[];
    readonly comments: readonly { readonly value: string }[];
  };
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface Where {
  readonly parent: string;
  readonly isExported: boolean;
  /** Everything that is bound here begins here. */
  readonly isPattern: boolean;
}

const NOWHERE: Where = { parent: "", isExported: false, isPattern: false };

function treeOf(node: Node, field: string, where: Where): Tree {
  if (node.type === "Identifier") return identifier(node, field, where);
  if (node.type === "JSXText") return leaf("JSXText", jsxText(String(node.value)), field);
  if (node.type === "JSXIdentifier") return jsxIdentifier(node, field, where);
  const said: string[] = [node.type, ...(isPlain(node) ? [`value=${written(node.value)}`] : [])];
  const kids: Tree[] = [];
  for (const [key, value] of Object.entries(node)) {
    if (LEFT_OUT.has(key) || (isPlain(node) && (key === "raw" || key === "value"))) continue;
    const inner = {
      parent: node.computed === true ? `${node.type}[]` : node.type,
      isExported: isExporting(node, key, where),
      isPattern: isPatternPart(node, key, where),
    };
    if (isNode(value)) kids.push(treeOf(value, key, inner));
    else if (Array.isArray(value))
      for (const item of value) kids.push(isNode(item) ? treeOf(item, key, inner) : leaf("hole", String(item), key));
    else if (value !== null && value !== undefined && value !== false) said.push(`${key}=${written(value)}`);
  }
  return { kind: said.join(" "), text: "", kids, field, isVariable: false, binds: false };
}

function identifier(node: Node, field: string, { parent, isExported, isPattern }: Where): Tree {
  const annotation = isNode(node.typeAnnotation) ? [treeOf(node.typeAnnotation, "typeAnnotation", NOWHERE)] : [];
  const isName =
    NAMES.has(`${parent}.${field}`) || (isPattern && isExported) || (annotation.length > 0 && isMemberOfType(parent));
  const kind = node.optional === true ? "Identifier?" : "Identifier";
  const text = String(node.name);
  if (annotation.length === 0)
    return { kind, text, kids: [], field, isVariable: !isName, binds: isPattern && !isExported };
  const inner = { kind, text, kids: [], field: "name", isVariable: !isName, binds: isPattern && !isExported };
  return { kind: "annotated", text: "", kids: [inner, ...annotation], field, isVariable: false, binds: false };
}

function isMemberOfType(parent: string): boolean {
  return parent === "TSPropertySignature" || parent === "TSIndexSignature";
}

/** A tag with a capital letter is a variable. */
function jsxIdentifier({ name }: Node, field: string, { parent }: Where): Tree {
  const text = String(name);
  const isVariable =
    parent === "JSXMemberExpression"
      ? field === "object"
      : /^JSX(?:Opening|Closing)Element$/.test(parent) && /^[A-Z_$]/.test(text);
  return { kind: "Identifier", text, kids: [], field, isVariable, binds: false };
}

/** The declaration of an export is known outside by its name; its content is not. */
function isExporting({ type }: Node, key: string, { isExported }: Where): boolean {
  if (type === "ExportNamedDeclaration" || type === "ExportDefaultDeclaration") return true;
  return isExported && (EXPORTED_PARTS[type] ?? []).includes(key);
}

function isPatternPart(node: Node, key: string, where: Where): boolean {
  switch (node.type) {
    case "VariableDeclarator":
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ClassDeclaration":
    case "ClassExpression":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return key === "id" || key === "params";
    case "ArrowFunctionExpression":
      return key === "params";
    case "CatchClause":
      return key === "param";
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return key === "local";
    case "ObjectPattern":
    case "ArrayPattern":
    case "RestElement":
      return where.isPattern;
    case "Property":
      return where.isPattern && key === "value";
    case "AssignmentPattern":
      return where.isPattern && key === "left";
    default:
      return false;
  }
}

/** Blanks around line breaks have no meaning between tags. */
function jsxText(text: string): string {
  if (!text.includes("\n")) return text;
  return text
    .split("\n")
    .map((line, index, all) =>
      index === 0 ? line.trimEnd() : index === all.length - 1 ? line.trimStart() : line.trim(),
    )
    .filter((line) => line !== "")
    .join(" ");
}

/** A string or number is compared by its value, not by how it is written. */
function isPlain({ type, value, regex, bigint }: Node): boolean {
  return (
    type === "Literal" &&
    !regex &&
    !bigint &&
    (value === null || ["string", "number", "boolean"].includes(typeof value))
  );
}

function written(value: unknown): string {
  return typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? String(value));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

const LEFT_OUT = new Set(["type", "start", "end", "range", "loc", "parent", "shorthand", "comments", "tokens"]);
const EXPORTED_PARTS: Readonly<Record<string, readonly string[]>> = {
  FunctionDeclaration: ["id"],
  ClassDeclaration: ["id"],
  TSInterfaceDeclaration: ["id"],
  TSTypeAliasDeclaration: ["id"],
  VariableDeclaration: ["declarations"],
  VariableDeclarator: ["id"],
  ObjectPattern: ["properties"],
  ArrayPattern: ["elements"],
  Property: ["value"],
  AssignmentPattern: ["left"],
  RestElement: ["argument"],
};
/** Where an identifier is a name that others see, and no variable. */
const NAMES = new Set([
  "MemberExpression.property",
  "Property.key",
  "MethodDefinition.key",
  "PropertyDefinition.key",
  "AccessorProperty.key",
  "ImportSpecifier.imported",
  "ExportSpecifier.exported",
  "ExportAllDeclaration.exported",
  "LabeledStatement.label",
  "BreakStatement.label",
  "ContinueStatement.label",
  "MetaProperty.meta",
  "MetaProperty.property",
  "TSPropertySignature.key",
  "TSMethodSignature.key",
  "TSEnumDeclaration.id",
  "TSEnumMember.id",
  "TSModuleDeclaration.id",
  "TSQualifiedName.right",
  "TSNamedTupleMember.label",
  "TSIndexSignature.parameters",
  "TSFunctionType.params",
  "TSParameterProperty.parameter",
]);
