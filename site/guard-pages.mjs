// The pages of the guards, one each: why it is there, its rules with their actions, what it stops and what passes.

/** Each guard's page in Markdown, by its file name. */
export function guardPages({ GUARDS: guards, PRESETS: presets }) {
  return Object.fromEntries(
    Object.entries(guards).map(([name, guard]) => [`guards/${name}.md`, page(name, guard, presets)]),
  );
}

function page(name, { title, why, rules, stops, passes }, presets) {
  return [
    `# ${title}`,
    `\`guard:${name}\`. ${why}`,
    "## Rules",
    table(
      ["rule", "watches for", ...presets, "passes if all was kept"],
      rules.map((rule) => [
        `\`${rule.name}\``,
        rule.reason,
        ...presets.map((preset) => rule[preset] ?? ""),
        rule.undoable ? "yes" : "",
      ]),
    ),
    "## What it stops",
    examples(stops()),
    "## What passes",
    examples(passes()),
    "Each line is a test: what is stopped has to be stopped by this guard, in `standard` or in the lowest preset in which a rule of it acts, and what passes has to pass. " +
      "[All guards](../guards.md) · [What is not covered](../not-covered.md)",
    "",
  ].join("\n\n");
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** As blocks of code, in which nothing has a meaning for Markdown. */
function examples(calls) {
  const texts = calls.map((call) => (typeof call === "string" ? call : `${call.tool} ${JSON.stringify(call.args)}`));
  return texts.map((text) => `${fence(text)}sh\n${text}\n${fence(text)}`).join("\n\n");
}

function fence(text) {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(longest + 1);
}
