import type { OpenDoor } from "../server/door.ts";
import { readAddress } from "../server/http-address.ts";
import { openHttpDoor } from "../server/http-door.ts";
import type { Request } from "../server/protocol.ts";
import type { ColdWords, Quarters } from "../server/quarters.ts";
import { httpAnswerer, sessionSurroundings } from "./http-calls.ts";

/** The ways into an engine beside its socket, as `sluice install` has chosen them. */
export interface Doors {
  readonly open: readonly OpenDoor[];
  /** Agents post to it: without it their tools are blocked, so it stays. */
  readonly isPostedTo: boolean;
  /** Sees every call that comes through the socket. */
  note(request: Request): void;
}

/** Which doors an engine has to open. */
export function doorsOf(
  cold: ColdWords,
  quarters: Quarters,
  env: Readonly<Record<string, string | undefined>>,
  onTaken: (port: number) => void,
): Doors {
  const address = readAddress(quarters);
  const sessions = sessionSurroundings(env);
  const http: OpenDoor[] =
    address === undefined
      ? []
      : [
          (conversation) =>
            openHttpDoor(address, conversation, httpAnswerer(cold, sessions), {
              onTaken: () => onTaken(address.port),
            }),
        ];
  return {
    open: http,
    isPostedTo: address !== undefined,
    note: address === undefined ? () => {} : (request) => sessions.note(request),
  };
}
