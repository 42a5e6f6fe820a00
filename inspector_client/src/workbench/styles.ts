/** Of what comes with the workbench; the rest is in ui/styles.ts. */
export const css = `
.panel{right:16px;bottom:72px;width:min(360px,100% - 32px);max-height:calc(100% - 96px);overflow:auto}
header{padding:8px 16px;position:sticky;top:0;background:inherit}
.empty,.notice{padding:8px 16px}
.item{padding:8px 16px;border-top:1px solid var(--line)}
.step:first-child,.message{margin-top:8px}
.message b{display:block}
.step i{flex:none;width:15px;height:15px;border-radius:9px;border:2px solid var(--status);font:700 10px/1.1 system-ui;text-align:center;color:var(--surface)}
.completed i,.failed i{background:var(--status)}
`;
