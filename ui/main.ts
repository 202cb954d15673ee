/*
 * The pages of `sluice ui`. A page is one file in pages/ that exports a component, and one row in PAGES below: its address,
 * its name in the navigation, the key after `g`, and how it is loaded. Its address is also in the table of
 * src/ui-server/routes.ts, and what it asks the server for is a row of `uiRoutes` there. All styles are in app.css.
 */
import { effect } from "@preact/signals";
import { greet, isLoggedIn } from "./api.ts";
import { startCalls } from "./calls.ts";
import { StartPage } from "./pages/start.ts";
import { TimelinePage } from "./pages/timeline.ts";
import { type PageRow, startShell } from "./shell.ts";

const PAGES: Readonly<Record<string, PageRow>> = {
  "": { title: "Start", key: "h", load: () => StartPage },
  timeline: { title: "Timeline", key: "t", load: () => TimelinePage },
  session: {
    title: "Session",
    key: "s",
    isHidden: true,
    load: () => import("./pages/session.ts").then((page) => page.SessionPage),
  },
  requests: {
    title: "Requests",
    key: "q",
    local: "What waits for an answer is that",
    load: () => import("./pages/requests.ts").then((page) => page.RequestsPage),
  },
  playground: {
    title: "Playground",
    key: "p",
    local: "What is tried here is decided by the policy",
    load: () => import("./pages/playground.ts").then((page) => page.PlaygroundPage),
  },
  review: {
    title: "Review",
    key: "r",
    local:
      "A call is allowed, and a test written, on the machine that made it. What you find right is kept in the files",
    load: () => import("./pages/review.ts").then((page) => page.ReviewPage),
  },
  rules: {
    title: "Rules",
    key: "u",
    local: "Counts are those of all machines; the hooks are those",
    load: () => import("./pages/rules.ts").then((page) => page.RulesPage),
  },
  editor: {
    title: "Editor",
    key: "e",
    local: "This page shows the files",
    load: () => import("./pages/editor.ts").then((page) => page.EditorPage),
  },
  files: {
    title: "Files",
    key: "f",
    local: "This page shows the files",
    load: () => import("./pages/files.ts").then((page) => page.FilesPage),
  },
  analytics: {
    title: "Analytics",
    key: "a",
    load: () => import("./pages/analytics.ts").then((page) => page.AnalyticsPage),
  },
};

effect(() => {
  if (isLoggedIn.value) startCalls();
});
void greet();
startShell(PAGES);
