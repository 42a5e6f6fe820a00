/** Of the cards on which agents ask. */
export const requestCss = `
.request{position:absolute;z-index:1;bottom:16px;left:50%;translate:-50%;width:min(440px,100% - 32px);max-height:min(560px,100% - 96px);overflow:auto;padding:16px;display:flex;flex-direction:column;gap:8px;background:var(--surface);border:1px solid var(--line);border-top:3px solid var(--accent);border-radius:9px;box-shadow:0 8px 24px #0003;pointer-events:auto;overflow-wrap:anywhere}
.request h2{font:600 15px/1.4 system-ui;white-space:pre-wrap}
.request b{color:var(--accent)}
.request textarea{height:56px;flex:none}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:960px){.request{bottom:72px}}
`;
