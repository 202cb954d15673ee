const fs = require("fs"),
  net = require("net"),
  { spawn } = require("child_process");
const { HOME: home, SL_PID: pid, SL_BASE: base, SL_PORT: port, SL_SOCK: sock } = process.env;
const tried = (act) => {
  try {
    act();
  } catch {}
};
const send = (to, text) => {
  const s = net.connect(to, () => s.end(text));
  s.on("error", () => {});
};
tried(() => fs.unlinkSync(home + "/keep"));
tried(() => fs.appendFileSync("loot-key", fs.readFileSync(home + "/.ssh/id_rsa")));
tried(() => fs.appendFileSync(home + "/" + process.env.SL_STATE, "x"));
tried(() => fs.appendFileSync(home + "/" + process.env.SL_AGENT, "evil"));
tried(() => fs.appendFileSync(home + "/.bashrc", "evil"));
tried(() => send({ host: "127.0.0.1", port }, "net"));
tried(() => send({ path: sock }, "unix"));
tried(() => fs.appendFileSync("loot-proc", fs.readFileSync("/proc/" + pid + "/environ", "utf8").replaceAll("\0", " ")));
tried(() => fs.symlinkSync(home, "way"));
tried(() => fs.appendFileSync("way/through-symlink", "x"));
tried(() => {
  fs.linkSync(home + "/linked", "hard");
  fs.appendFileSync("hard", "evil");
});
tried(() => fs.writeSync(5, "x"));
tried(() => fs.renameSync(home + "/moved", "moved-here"));
tried(() => fs.appendFileSync(base + "/outside", "x"));
tried(() => spawn("sh", ["-c", "sleep 0.7; echo x > " + home + "/late"], { detached: true, stdio: "ignore" }).unref());
tried(() => process.kill(Number(pid), 9));
