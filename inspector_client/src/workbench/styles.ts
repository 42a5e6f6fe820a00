/** Of what comes with the workbench; the rest is in ui/styles.ts. */
export const css = `
.panel{right:16px;bottom:72px;width:min(360px,100% - 32px);max-height:calc(100% - 96px);overflow:auto}
header{padding:4px 8px;position:sticky;top:0;background:inherit;border-bottom:1px solid var(--line);z-index:1}
.tabs{display:flex;flex-wrap:wrap}
.tab[aria-selected=true]{color:var(--accent);box-shadow:inset 0 -2px var(--accent);border-radius:0}
.state,.actions,.empty,.notice{padding:8px 16px}
.actions{flex-wrap:wrap;padding-top:0}
.item{padding:8px 16px;border-top:1px solid var(--line)}
.step:first-child,.message{margin-top:8px}
.message b{display:block}
.step i{flex:none;width:15px;height:15px;border-radius:9px;border:2px solid var(--status);font:700 10px/1.1 system-ui;text-align:center;color:var(--surface)}
.completed i,.failed i{background:var(--status)}
`;
