/** How the report looks, by day and by night, on a wide screen and on a narrow one. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1b1f24;--quiet:#667080;--line:#dfe3e8;--blue:#2456c7;--green:#1a7f37;--violet:#7a3fb5;--red:#b42318}
@media(prefers-color-scheme:dark){:root{--ground:#14161a;--card:#1c1f25;--ink:#e4e7eb;--quiet:#98a1ae;--line:#2d323a;--blue:#86a8ff;--green:#57c271;--violet:#c79bf2;--red:#ff8a7e}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 3rem;max-width:76rem;font:14px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
h1{margin:0;font-size:1.5rem}
h2{margin:2rem 0 .6rem;font-size:1.05rem}
h3{margin:1.25rem 0 .5rem;font-size:.9rem;color:var(--quiet)}
.verdict{margin:.25rem 0 1.25rem;color:var(--quiet)}
.figures{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}
.figures div{flex:1 1 8rem;max-width:12rem;padding:.6rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:8px}
.figures dt{font-size:.8rem;color:var(--quiet)}
.figures dd{margin:0;font-size:1.4rem;font-weight:600}
.sheet{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .8rem;text-align:left;vertical-align:baseline;white-space:nowrap}
th{font-size:.8rem;font-weight:500;color:var(--quiet)}
td{border-top:1px solid var(--line)}
.count{text-align:right;font-variant-numeric:tabular-nums}
td.file{font:12.5px/1.6 ui-monospace,monospace;white-space:normal;overflow-wrap:anywhere;min-width:14rem}
td.means{white-space:normal;min-width:14rem}
td.kind{font-size:.78rem;font-weight:600;color:var(--quiet)}
td.INTENT_EVOLUTION{color:var(--blue)}
td.AST_REFACTOR{color:var(--violet)}
td.FORMAT_ONLY{color:var(--green)}
td.UNKNOWN{color:var(--red)}
`;
