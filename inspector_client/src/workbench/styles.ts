/** Of what comes with the workbench, and of all that is needed no sooner; the rest is in ui/styles.ts. */
export const css = `
ul,ol{list-style:none}
.pending{--status:light-dark(#a25f00,#fb4)}
.in-progress{--status:light-dark(#26d,#7af)}
.completed{--status:light-dark(#187a44,#4c8)}
.failed{--status:light-dark(#c22,#f77)}
.step,.chip{display:flex;align-items:center;gap:8px}
.chip:before{content:'';width:8px;height:8px;border-radius:9px;background:var(--status)}
.step,.empty{color:var(--muted)}
.message{padding:8px;background:var(--raised);border-radius:9px}
.description,.message{white-space:pre-wrap}
textarea,.description,.message,input{unicode-bidi:plaintext}
.reach{min-height:18px}
.editing>.row:last-child{flex-wrap:wrap;justify-content:flex-end}
.editing>.row>button{flex:none}
.editing>.row>.grow{flex:1 1 80px}
.banner:not([hidden])~:is(.panel,.toasts),.note:not([hidden])~:is(.panel,.tip){display:none}
.panel{right:16px;bottom:72px;width:min(400px,100% - 32px);max-height:calc(100% - 96px);overflow:auto}
:host([data-side=left]) .panel{left:16px;right:auto}
@media(max-width:480px){:host .panel{inset:auto 0 72px;width:100%}}
@media(pointer:coarse){button:not(.link){min-width:44px;min-height:44px;justify-content:center}}
@media(forced-colors:active){[aria-pressed=true]{background:Highlight;color:HighlightText}.dot,.chip:before{forced-color-adjust:none}}
@media(prefers-reduced-motion:reduce){*,:before{transition:none!important;animation:none!important}}
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
