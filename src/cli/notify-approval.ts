import { constants, setPriority } from "node:os";
import { notifyAbout } from "../approvals/notify.ts";
import { readLayers } from "../decide/layers.ts";
import { runningUiPorts } from "../policies/protect/ui-ports.ts";

/** What the process does that a call starts which waits for an answer: it tells the user, through the configured channels. */
export async function notifyApproval([id = "", root = "/"]: readonly string[]): Promise<void> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { env } = process;
  const { approvals: settings } = readLayers(root).settings;
  if (settings === undefined) return;
  const base = () => {
    const [port] = runningUiPorts({ env });
    return port === undefined ? undefined : `http://127.0.0.1:${port}`;
  };
  await notifyAbout(id, { env, root, settings, base });
}
