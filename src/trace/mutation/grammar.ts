/** What has to be known about a language besides its syntax, to decide whether two trees do the same. */
export interface Grammar {
  readonly name: string;
  readonly endings: readonly string[];
  /** The file of the grammar; none for the language that has a parser of its own. */
  readonly wasm?: string;
  /** Leaves that are variables. */
  readonly variables?: readonly string[];
  /** Where a variable begins: `parent.field`, or `parent` for every identifier right in it. */
  readonly binders?: readonly string[];
  /** Where an identifier is not a variable: `parent.field`. */
  readonly names?: readonly string[];
  /** Of `names`, those that declare or mean a variable all the same: they cannot be renamed elsewhere. */
  readonly fixed?: readonly string[];
  /** Leaves of other kinds that may mean a variable. */
  readonly speaking?: readonly string[];
  /** What makes variables of a function visible outside of it. */
  readonly opens?: readonly string[];
  /** Before it begins, the name of a variable means something else. */
  readonly bindsFirst?: boolean;
  /** Whether the node before a declaration may belong to it. */
  readonly pins?: boolean;
  /** With these among them, declarations stay in order. */
  readonly anchors?: readonly string[];
  /** Texts may name variables that the tree does not show. */
  readonly hasMacros?: boolean;
  /** What encloses variables that are not visible outside. */
  readonly functions: readonly string[];
  /** Names whose use means that names of variables matter when the program runs. */
  readonly reflective: readonly string[];
  /** Nodes that are lists of declarations. */
  readonly containers: readonly string[];
  /** Declarations whose order does not matter. */
  readonly free: readonly string[];
  /** Declarations that may change places with those of their kind beside them. */
  readonly swaps: readonly string[];
  /** What in comments programs read. */
  readonly directives: RegExp;
}

/** JavaScript and TypeScript, by the node types of ESTree. */
export const SCRIPT: Grammar = {
  name: "JavaScript and TypeScript",
  endings: [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"],
  functions: ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"],
  reflective: ["eval", "Function", "with"],
  containers: ["Program", "ClassBody"],
  free: ["FunctionDeclaration", "TSInterfaceDeclaration", "TSTypeAliasDeclaration"],
  swaps: ["MethodDefinition"],
  directives:
    /@ts-|@jsx|@flow|#__PURE__|@__PURE__|#__NO_SIDE_EFFECTS__|webpack[A-Z]\w+:|@vite-ignore|istanbul|c8 ignore|sourceMappingURL|@license|@preserve|<reference/,
};
