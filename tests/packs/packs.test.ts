// One file of tests, so that what packs need is loaded once.
import "./own-pack-cases.ts";
import "./registry-cases.ts";
import "./attack-cases.ts";
