/** The table of proofs and agents, and below it every failure and every skip with its reason. */
export function tableOf(rows, columns) {
  const head = ["", ...columns.map(({ agent }) => `${agent.id} ${agent.version}`)];
  const body = rows
    .filter((row) => columns.some(({ cells }) => row in cells))
    .map((row) => [row, ...columns.map(({ cells }) => word(cells[row]))]);
  const rule = head.map(() => "---");
  const notes = columns.flatMap(({ agent, cells }) => rows.flatMap((row) => note(agent.id, row, cells[row])));
  const lines = [head, rule, ...body].map((row) => `| ${row.join(" | ")} |`);
  return { text: ["", ...lines, "", ...notes].join("\n"), failed: notes.some((line) => line.includes(": FAILED: ")) };
}

function word(cell) {
  if (!cell) return "";
  if (cell.skipped) return "skipped";
  return cell.wrong.length === 0 ? "ok" : "FAILED";
}

function note(id, row, cell) {
  if (cell?.skipped) return [`${id}: ${row}: skipped: ${cell.skipped}`];
  return cell?.wrong?.length ? [`${id}: ${row}: FAILED: ${cell.wrong.join("; ")}`] : [];
}
