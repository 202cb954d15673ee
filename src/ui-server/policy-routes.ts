import { createHash } from "node:crypto";
import { join } from "node:path";
import { readDocument } from "../config/document.ts";
import { loadLayers } from "../config/load.ts";
import { configHome, LAYER_FILES } from "../config/locate.ts";
import type { Layer } from "../hook/hook.ts";
import type { UiContext, UiRoute } from "./route.ts";
import type { PolicyFile } from "./wire-policy.ts";

/** The files of the policy that holds here, with their texts. */
export const listPolicies: UiRoute = (_, context) => ({ json: policyFiles(context) });

/** Every file of hooks that a person may change here, and those that only an administrator or a pack may. */
export function policyFiles({ hello, env }: UiContext): PolicyFile[] {
  const where = { env, ...(hello.home !== "" && { home: hello.home }) };
  const found = loadLayers(hello.root, where).files.map(({ layer, path, pack }) =>
    policyFile(layer, path, layer !== "managed" && pack === undefined),
  );
  const usual = [
    policyFile("project", join(hello.root, LAYER_FILES.project[0]), true),
    policyFile("user", join(configHome(where), LAYER_FILES.user[0]), true),
  ];
  const isMissing = ({ layer }: PolicyFile) => !found.some((file) => file.layer === layer);
  return [...found, ...usual.filter(isMissing)];
}

function policyFile(layer: Layer, path: string, isWritable: boolean): PolicyFile {
  const read = readDocument(path);
  const text = read.state === "read" ? read.document.text : read.state === "corrupt" ? (read.text ?? "") : "";
  return { layer, path, text, hash: textHash(text), exists: read.state !== "missing", isWritable };
}

/** Tells one text from another. */
function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
