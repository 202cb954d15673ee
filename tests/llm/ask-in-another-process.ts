import { command, judgeWith } from "./judging.ts";

// Asks once, as a program of its own, and prints what came of it.
const [settings = "{}", text = ""] = process.argv.slice(2);
const { result } = await judgeWith(command(text), { settings: JSON.parse(settings) });
console.log(JSON.stringify({ action: result.action, reason: result.reason, error: result.error, notes: result.notes }));
