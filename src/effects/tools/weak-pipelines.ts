/** Whether lines of a pipeline give keys away, run what was not checked, or take more rights than they need. */
export function weakensPipeline(text: string): boolean {
  return RIGHTS().test(text) || KEYS_PRINTED().test(text) || KEYS_SENT().test(text) || UNCHECKED().test(text);
}

/** Code of strangers with the keys of the project, rights to everything, masks that are taken away. */
const RIGHTS = () =>
  /pull_request_target|run:[^\n]*\$\{\{\s*github\.event\.(?:issue|pull_request|comment|review|head_commit)\.(?:title|body|message)|write-all|\ballowed_actions=all|ACTIONS_STEP_DEBUG['":\s]*\s*true|add-mask|\bpersist-credentials:\s*true/;
/** Keys that go into the log, into an artifact, or into the output in other letters. */
const KEYS_PRINTED = () =>
  /(?:\|\s*(?:rev|base64|xxd|tr)\b|\b(?:nslookup|dig|ping)\s)[\s\S]{0,300}\$\{\{\s*secrets\.|toJSON\(\s*secrets|secrets\.\w+[^\n]{0,80}(?:\||>)\s*(?:base64|rev|xxd|tee|sed|\w*\.txt)|(?:^|[\s"'`;&|(])(?:env|printenv|set|export -p)\s*(?:\||>)|echo\s[^\n]{0,60}\$\{\{\s*secrets\.|credentials\.store|withCredentials[^\n]{0,200}(?:echo|println)|print(?:ln|env)[^\n]{0,60}(?:TOKEN|SECRET|PASSWORD)|(?:^|[\s"'`])(?:env|printenv)(?:["'`]|\\n|\s*$)|cat\s[^\n]{0,60}(?:\.netrc|\.npmrc|credentials|id_rsa|\.docker\/config|\.env\b)/m;
/** Requests with a body, a file or a key in them. */
const KEYS_SENT = () =>
  /\b(?:curl|wget|nc|ncat|fetch|Invoke-WebRequest|Invoke-RestMethod|http)\b[^\n]{0,300}(?:\$\{?\{?\s*(?:secrets\.)?\w*(?:TOKEN|SECRET|KEY|PASSW)\w*|\$\{\{|\s-d\b|--data|--post|\s-F\b|\s-T\b|@-|@\$|process\.env)|\/dev\/tcp\//i;
/** What is fetched and run, actions by a branch that moves, registries without a check. */
const UNCHECKED = () =>
  /\b(?:curl|wget)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|[\w.-]+\/[\w.-]+@(?:main|master|latest|dev)\b|--registry[= ]http:\\?\/|strict-ssl[= ]false|\bimage:\s*\S+\/\S+:latest\b.*\bprivileged\b|privileged:\s*true/i;
