import { showCall } from "./call-routes.ts";
import { checkPolicy, editPolicy, listNames, savePolicy } from "./editor-routes.ts";
import { exportCall, exportSession } from "./export-page.ts";
import { listWritten, showAuthors } from "./files-routes.ts";
import { askForHeldProof, dropChanges, keepChanges, showHeld } from "./held-routes.ts";
import { explainMatch, showPicture } from "./picture-routes.ts";
import { listPolicies, listStarters, previewAllow, replayPolicy } from "./policy-routes.ts";
import { answerRequest, askForProof, listRequests, revokeGrant } from "./request-routes.ts";
import { actRoute, listGroups, makeTest, markRight } from "./review-routes.ts";
import type { UiRoute } from "./route.ts";
import { listRules, showFigures, switchRule } from "./rules-routes.ts";
import { showSummary } from "./summary-routes.ts";
import { type LiveRecords, listChoices, listRows, liveRoute } from "./timeline-routes.ts";
import { tryCall } from "./try-routes.ts";
import { listKept, previewUndo, runUndo } from "./undo-routes.ts";

/** Everything that a page can ask for, by method and path. */
export type UiRoutes = Readonly<Record<string, UiRoute>>;

/** The table of requests. */
export function uiRoutes(live: LiveRecords): UiRoutes {
  return {
    "GET /api/hello": (_, { hello }) => ({ json: hello }),
    "GET /api/summary": showSummary,
    "GET /api/rows": listRows,
    "GET /api/choices": listChoices,
    "GET /api/live": liveRoute(live),
    "GET /api/call": showCall,
    "POST /api/try": tryCall,
    "GET /api/policies": listPolicies,
    "GET /api/starters": listStarters,
    "GET /api/names": listNames,
    "POST /api/policy/check": checkPolicy,
    "POST /api/policy/edit": editPolicy,
    "POST /api/policy/save": savePolicy,
    "POST /api/policy/replay": replayPolicy,
    "GET /api/review": listGroups,
    "POST /api/review/right": markRight,
    "POST /api/review/test": makeTest,
    "POST /api/review/preview": previewAllow,
    "GET /api/rules": listRules,
    "GET /api/picture": showPicture,
    "GET /api/match": explainMatch,
    "POST /api/rules/switch": switchRule,
    "GET /api/figures": showFigures,
    "GET /api/files": listWritten,
    "GET /api/authors": showAuthors,
    "GET /api/kept": listKept,
    "GET /api/undo": previewUndo,
    "POST /api/undo": runUndo,
    "GET /api/held": showHeld,
    "POST /api/held/keep": keepChanges,
    "POST /api/held/drop": dropChanges,
    "POST /api/held/proof": askForHeldProof,
    "GET /api/call/page": exportCall,
    "GET /api/session/page": exportSession,
    "GET /api/requests": listRequests,
    "POST /api/requests/answer": answerRequest,
    "POST /api/requests/proof": askForProof,
    "POST /api/requests/revoke": revokeGrant,
    "POST /api/act/allow": actRoute("allow"),
    "POST /api/act/once": actRoute("allowOnce"),
  };
}

/** The addresses that a person may open; what comes after is read by the page. */
export const PAGES: ReadonlySet<string> = new Set([
  "timeline",
  "session",
  "requests",
  "playground",
  "review",
  "rules",
  "editor",
  "files",
  "analytics",
]);
