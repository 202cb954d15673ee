import { element } from "./element.mjs";

/** The records of the trace, the latest first. */
export function traceTable({ trace: { records, map } }) {
  if (records.length === 0) return [element("p", { class: "quiet" }, "trace OK: nothing is recorded yet.")];
  const rows = records.toReversed().flatMap(recordRows);
  const head = element("tr", {}, ...["time", "intent", "file", "lines", "kind"].map((name) => element("th", {}, name)));
  return [
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
    element("details", {}, element("summary", {}, "intent_map.md"), element("pre", { id: "map" }, map)),
  ];
}

function recordRows({ id, timestamp, intent_id, mutation_class, files }) {
  return files.map(({ relative_path, deleted, ranges, mutation_class: kind = mutation_class }) =>
    element(
      "tr",
      { "data-record": id },
      element("td", {}, timestamp.slice(11, 19)),
      element("td", {}, intent_id ?? "–"),
      element("td", {}, element("code", {}, relative_path)),
      element("td", {}, deleted ? "deleted" : ranges.map(lines).join(", ")),
      element("td", {}, element("span", { class: "kind", "data-kind": kind }, kind)),
    ),
  );
}

function lines({ start_line, end_line }) {
  return start_line === end_line ? `${start_line}` : `${start_line}–${end_line}`;
}
