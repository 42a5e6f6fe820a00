/** Of what agents do, and the brakes. */
export const activityCss = `
.acting{gap:2px}
.agent{max-width:160px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.agent:before{content:'';display:inline-block;flex:none;width:8px;height:8px;border-radius:9px;background:var(--muted)}
.agent.busy:before{background:#38f}
.held,.filters{padding:4px 16px;flex-wrap:wrap}
.filters select,.permissions select{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:5px;padding:4px;max-width:132px}
option{color:var(--text);background:var(--surface)}
details{padding:0 16px}
summary{padding:8px 0;cursor:pointer}
.permissions .row{padding:2px 0}
.call b{font-weight:600}
.call.failed .row .muted,.call.in-progress .row .muted{color:var(--status)}
.what{max-height:240px;overflow:auto;font:12px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
`;
