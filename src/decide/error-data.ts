import { ErrorEvent, LONGEST } from "../event/data.ts";
import { toJsonText } from "../event/json.ts";
import { checked } from "./checked-data.ts";

/** An error as the data of `session:error`; anything can be thrown, and long texts are cut. */
export function errorData(error: unknown, more: object = {}): ErrorEvent {
  return checked(ErrorEvent, "session:error", {
    ...more,
    error_type: typeOf(error).slice(0, LONGEST.name),
    error_message: errorText(error).slice(0, LONGEST.text),
    stack_trace: error instanceof Error && error.stack ? String(error.stack).slice(0, LONGEST.text) : null,
  });
}

/** What was thrown, as text; reading it never throws again. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return String(error.message);
  return typeof error === "object" && error !== null ? toJsonText(error) : String(error);
}

/** The name an error was given, else the name of its class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return error === null ? "null" : typeof error;
  return error.name === "Error" ? (error.constructor?.name ?? "Error") : String(error.name);
}
