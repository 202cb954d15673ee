import { dataField, type EventFacts } from "../../event/field.ts";
import { type LineRange, rangeOfPart, wholeRange } from "./line-ranges.ts";

/** The lines that a call wrote although they were there already: those of the texts that it put in, else all of them. */
export function writtenAgain(event: EventFacts, text: string): LineRange[] {
  const args = Object(dataField(event, "tool_args")) as Record<string, unknown>;
  const edits = Array.isArray(args.edits) ? args.edits : [args];
  const found = edits.map((edit) => {
    const put = PUT_IN.map((key) => (Object(edit) as Record<string, unknown>)[key]);
    const part = put.find((value) => typeof value === "string");
    return part === undefined ? undefined : rangeOfPart(text, part);
  });
  const known = found.filter((range) => range !== undefined);
  return known.length === found.length && known.length > 0 ? known : wholeRange(text);
}

/** What agents call the text that goes in the place of another. */
const PUT_IN = ["new_string", "newString", "new_str", "newText"];
