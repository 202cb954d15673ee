/** A configuration that denies one command, with enough beside it that a part of it can be missing. */
const HOOK = {
  name: "no",
  event: "tool:pre_execute:@shell",
  rules: 'args.command contains "forbidden" -> deny("No.")',
};
const YAML = `guards: off\nhooks:\n  - name: no\n    event: tool:pre_execute:@shell\n    rules: args.command contains "forbidden" -> deny("No.")\n${"  # filling\n".repeat(200)}`;

export const GOOD = {
  "hooks.yaml": YAML,
  "hooks.json": JSON.stringify({ guards: "off", hooks: [HOOK] }, null, 1),
};

const instead = (put) => ({
  steps: ({ config, fs, content }) => {
    fs.rmSync(config, { force: true });
    put({ config, fs, content });
  },
});

/** How a good configuration breaks and stays so; `npm run campaign rewrite` has what is written anew all the time. */
export const CONFIG_FAULTS = {
  // A file that stays empty was emptied on purpose, so only the first call counts.
  empty: { ...instead(({ config, fs }) => fs.writeFileSync(config, "")), times: 1 },
  torn: instead(({ config, fs, content }) => fs.writeFileSync(config, content.slice(0, 40))),
  "no text": instead(({ config, fs }) => fs.writeFileSync(config, Buffer.from([0xff, 0xfe, 0, 1, 2]))),
  "a folder": instead(({ config, fs }) => fs.mkdirSync(config)),
  "a link to itself": instead(({ config, fs }) => fs.symlinkSync(config, config)),
  "a link to nothing": instead(({ config, fs }) => fs.symlinkSync("/nowhere/at/all", config)),
  "a link below a file": instead(({ config, fs }) => fs.symlinkSync("/etc/hostname/x", config)),
  "a link with a name too long": instead(({ config, fs }) => fs.symlinkSync(`/tmp/${"x".repeat(300)}`, config)),
  "a device that reads nothing": instead(({ config, fs }) => fs.symlinkSync("/dev/null", config)),
  "a file that reads with an error": instead(({ config, fs }) => fs.symlinkSync("/proc/self/mem", config)),
  "few descriptors: 40": { descriptors: 40 },
  "few descriptors: 24": { descriptors: 24 },
  "few descriptors: 20": { descriptors: 20 },
};
