/** Of the cards on which agents ask. */
export const requestCss = `
.request{position:absolute;z-index:1;bottom:72px;left:50%;translate:-50%;width:min(440px,100% - 32px);max-height:min(560px,100% - 88px);overflow:auto;padding:16px;display:flex;flex-direction:column;gap:8px;background:var(--surface);border:1px solid var(--line);border-top:3px solid var(--accent);border-radius:9px;box-shadow:0 8px 24px #0003;pointer-events:auto;overflow-wrap:anywhere}
.folded>:nth-child(n+3){display:none}
.request [aria-expanded=true]>svg{rotate:180deg}
.request h2{font:600 15px/1.4 system-ui;white-space:pre-wrap}
.request b{color:var(--accent)}
.request textarea{height:56px;flex:none}
.answers{flex-wrap:wrap;justify-content:flex-end}
.answers button{white-space:nowrap}
.options{display:flex;flex-direction:column;gap:4px;overflow:auto;flex:0 1 auto;min-height:80px;max-height:264px}
.option{width:100%;text-align:start;background:var(--raised);align-items:baseline}
.option:focus-visible{outline-offset:-2px}
.short{min-height:64px;max-height:176px}
.short .option span{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.request .short~textarea{height:36px}
.option:disabled{opacity:.6;cursor:default}
.option span{min-width:0}
kbd,.letter{flex:none;min-width:20px;font:700 12px/20px ui-monospace,monospace;text-align:center;border-radius:5px}
kbd{border:1px solid var(--line)}
.letter{position:absolute;left:0;top:0;width:24px;line-height:24px;background:var(--accent);color:var(--surface);box-shadow:0 2px 8px #0005;pointer-events:auto;cursor:pointer}
.lettered{background:none;pointer-events:none}
.lettered.pointed{background:var(--tint);outline-width:4px}
.letter.pointed{z-index:1;outline:3px solid var(--surface)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`;
