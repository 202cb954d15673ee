/* The pages of a file that `sluice ui --export` has written: they need no server, all they show is in the file. */
import { exported, hello, isLoggedIn } from "./api.ts";
import { SessionPage } from "./pages/session.ts";
import { TimelinePage } from "./pages/timeline.ts";
import { startShell } from "./shell.ts";

if (exported !== undefined) {
  hello.value = exported.hello;
  isLoggedIn.value = true;
}
startShell({
  timeline: { title: "Timeline", key: "t", load: () => TimelinePage },
  session: { title: "Session", key: "s", isHidden: true, load: () => SessionPage },
});
