// Where the names of a program stand, and what happens to them there.

const NAMED_PARTS = {
  MemberExpression: "property",
  Property: "key",
  MethodDefinition: "key",
  PropertyDefinition: "key",
};

/** Each name: how often it is declared and written, where it is read, and all of its places. */
export function usesOf(root) {
  const uses = new Map();
  const add = (node, role, more) => {
    const { name, start, end } = node;
    const used = uses.get(name) ?? { declared: 0, written: 0, read: [], at: [] };
    uses.set(name, used);
    if (role === "read") used.read.push({ name, start, end, ...more });
    else used[role] += 1;
    if (role !== "declared") used.at.push({ start });
  };
  const walk = (node, role, isConstructor) => {
    if (Array.isArray(node)) for (const each of node) walk(each, role, isConstructor);
    if (typeof node?.type !== "string") return;
    if (node.type === "Identifier") return add(node, role, { isConstructor });
    const isShorthand = node.type === "Property" && node.shorthand && role === "read";
    if (isShorthand && node.value.type === "Identifier") return add(node.value, "read", { isShorthand });
    for (const [key, part] of Object.entries(node))
      if (key !== NAMED_PARTS[node.type] || node.computed)
        walk(
          part,
          roleOf(node, key, role),
          key === "callee" ? node.type === "NewExpression" : isConstructor && key === "object",
        );
  };
  walk(root, "read", false);
  return uses;
}

/** Whether a part of a node declares names, writes to them or reads them. */
function roleOf({ type }, key, role) {
  if (key === "params" || key === "param" || key === "id" || key === "label") return "declared";
  if (key === "left" && /^(?:AssignmentExpression|ForInStatement|ForOfStatement)$/.test(type)) return "written";
  if (key === "argument" && type === "UpdateExpression") return "written";
  // Inside a pattern its parts are what the pattern is; everything else begins anew.
  const isPattern =
    ["ObjectPattern", "ArrayPattern", "ObjectAssignmentTarget", "ArrayAssignmentTarget", "RestElement"].includes(
      type,
    ) ||
    (type === "AssignmentPattern" && key === "left");
  const isInPattern = type === "Property" && key === "value" && role !== "read";
  return isPattern || isInPattern ? role : "read";
}
