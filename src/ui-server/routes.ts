import { showCall } from "./call-routes.ts";
import { checkPolicy, editPolicy, savePolicy } from "./editor-routes.ts";
import { listWritten, showAuthors } from "./files-routes.ts";
import { listRows, type LiveRecords, liveRoute } from "./timeline-routes.ts";
import { listPolicies, listStarters, previewAllow, replayPolicy } from "./policy-routes.ts";
import { actRoute, listGroups, makeTest, markRight } from "./review-routes.ts";
import type { UiRoute } from "./route.ts";
import { listRules, showFigures, switchRule } from "./rules-routes.ts";
import { tryCall } from "./try-routes.ts";

/** Everything that a page can ask for, by method and path. */
export type UiRoutes = Readonly<Record<string, UiRoute>>;

/** The table of requests. */
export function uiRoutes(live: LiveRecords): UiRoutes {
  return {
    "GET /api/hello": (_, { hello }) => ({ json: hello }),
    "GET /api/rows": listRows,
    "GET /api/live": liveRoute(live),
    "GET /api/call": showCall,
    "POST /api/try": tryCall,
    "GET /api/policies": listPolicies,
    "GET /api/starters": listStarters,
    "POST /api/policy/check": checkPolicy,
    "POST /api/policy/edit": editPolicy,
    "POST /api/policy/save": savePolicy,
    "POST /api/policy/replay": replayPolicy,
    "GET /api/review": listGroups,
    "POST /api/review/right": markRight,
    "POST /api/review/test": makeTest,
    "POST /api/review/preview": previewAllow,
    "GET /api/rules": listRules,
    "POST /api/rules/switch": switchRule,
    "GET /api/figures": showFigures,
    "GET /api/files": listWritten,
    "GET /api/authors": showAuthors,
    "POST /api/act/allow": actRoute("allow"),
    "POST /api/act/once": actRoute("allowOnce"),
  };
}

/** The addresses that a person may open; what lies behind one is the page's own business. */
export const PAGES: ReadonlySet<string> = new Set([
  "timeline",
  "session",
  "playground",
  "review",
  "rules",
  "editor",
  "files",
  "analytics",
]);
