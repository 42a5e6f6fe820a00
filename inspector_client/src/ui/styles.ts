// The `:host` rules are important because only so they beat a page's own `* { … !important }`.
const HOST = `
:host{
all:initial!important;position:fixed!important;inset:0!important;display:block!important;
width:100%!important;height:100%!important;min-width:0!important;min-height:0!important;max-width:none!important;max-height:none!important;
margin:0!important;padding:0!important;border:0!important;background:none!important;overflow:visible!important;
visibility:visible!important;opacity:1!important;transform:none!important;translate:none!important;scale:none!important;rotate:none!important;
filter:none!important;clip-path:none!important;mask:none!important;mix-blend-mode:normal!important;animation:none!important;transition:none!important;
zoom:1!important;pointer-events:none!important;z-index:2147483647!important;contain:layout style!important;user-select:auto!important;
direction:ltr!important;writing-mode:horizontal-tb!important;text-align:left!important;text-transform:none!important;letter-spacing:normal!important;word-spacing:normal!important;
color-scheme:light dark!important;font:13px/1.45 ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif!important;cursor:default!important;
color:var(--text)!important;
--text:light-dark(#1d2129,#eceef2);--muted:light-dark(#646c7a,#9ba3b0);--line:light-dark(#e4e7ec,#353a44);
--surface:light-dark(#fff,#1d2027);--raised:light-dark(#f5f6f8,#272b34);--hover:light-dark(#eceef2,#323743);
--accent:light-dark(#5046e5,#9d97ff);--on-accent:light-dark(#fff,#16142e);--tint:light-dark(#5046e51f,#9d97ff2b);
--amber:light-dark(#b45309,#fbbf24);--blue:light-dark(#1d6fd8,#6cb0ff);--green:light-dark(#15803d,#56d38b);--red:light-dark(#c92a2a,#ff8080);
--shadow:0 1px 2px light-dark(#1018280f,#0006),0 8px 28px light-dark(#10182824,#0008);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace
}`;

const BASE = `
*{box-sizing:border-box}
[hidden]{display:none!important}
.shield{position:absolute;inset:0;width:100%;height:100%;border:0;margin:0;background:none;pointer-events:auto;color-scheme:normal}
.bar,.panel,.note,.banner,.toast{pointer-events:auto;background:var(--surface);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow)}
button{font:inherit;font-weight:500;color:inherit;background:none;border:0;margin:0;border-radius:9px;padding:6px;min-height:32px;display:inline-flex;align-items:center;justify-content:center;gap:6px;cursor:pointer;white-space:nowrap}
button:hover{background:var(--hover)}
button:focus-visible,textarea:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
button[aria-pressed=true]{background:var(--tint);color:var(--accent)}
button.primary{background:var(--accent);color:var(--on-accent);padding:6px 14px}
button.primary:hover{filter:brightness(1.08)}
button.plain{padding:6px 10px;color:var(--muted)}
button.small{min-height:26px;min-width:26px;padding:4px;color:var(--muted)}
button.small:hover{color:var(--text)}
svg{width:18px;height:18px;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round;flex:none}
.small svg{width:15px;height:15px}
textarea{display:block;width:100%;min-height:72px;max-height:40vh;field-sizing:content;resize:vertical;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:9px;padding:8px 10px;margin:0}
textarea::placeholder{color:var(--muted)}
.code{font:12px/1.4 var(--mono);color:var(--muted);overflow-wrap:anywhere}
.code b{color:var(--accent);font-weight:600}
.row{display:flex;align-items:center;gap:8px}
.grow{flex:1;min-width:0}
.muted{color:var(--muted)}
kbd{font:11px/1 var(--mono);border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;padding:2px 5px;color:var(--muted)}
.dot{width:8px;height:8px;border-radius:50%;background:var(--muted);flex:none}
.dot.online{background:var(--green)}.dot.offline,.dot.connecting{background:var(--amber)}.dot.refused{background:var(--red)}
`;

const PARTS = `
.bar{position:absolute;right:16px;bottom:16px;display:flex;align-items:center;gap:2px;padding:4px}
.bar .dot{margin:0 6px 0 8px}
.bar button{padding:6px 9px}
.count{font-size:11px;font-weight:600;min-width:18px;padding:1px 5px;border-radius:9px;background:var(--tint);color:var(--accent);text-align:center}
.box{position:absolute;left:0;top:0;border:1.5px solid var(--accent);background:var(--tint);border-radius:3px}
.box.area{border-style:dashed}
.tip{position:absolute;left:0;top:0;display:flex;gap:8px;align-items:baseline;max-width:min(560px,calc(100% - 12px));padding:4px 9px;font:12px/1.4 var(--mono);background:var(--surface);border:1px solid var(--line);border-radius:8px;box-shadow:var(--shadow);white-space:nowrap}
.tip>:empty{display:none}
.tip b{color:var(--accent);font-weight:600}
.tip .place{color:var(--muted);overflow:hidden;text-overflow:ellipsis;direction:rtl;unicode-bidi:plaintext}
.tip .size{color:var(--muted);opacity:.75}
.panel{position:absolute;right:16px;bottom:72px;width:min(380px,calc(100% - 32px));max-height:min(620px,calc(100% - 96px));display:flex;flex-direction:column;overflow:hidden}
.panel header{padding:12px 8px 10px 16px;border-bottom:1px solid var(--line)}
.panel h2{font-size:14px;font-weight:600;margin:0}
.panel .state{font-size:12px;color:var(--muted);overflow-wrap:anywhere}
.notice{margin:10px 12px 0;padding:8px 10px;border-radius:9px;font-size:12px;background:light-dark(#fff6e5,#3a2f17);color:light-dark(#7a4a05,#fcd98a)}
.list{list-style:none;margin:0;padding:4px 0;overflow:auto;overscroll-behavior:contain}
.empty{padding:28px 24px 32px;text-align:center;color:var(--muted)}
.empty b{display:block;color:var(--text);font-weight:600;margin-bottom:4px}
.item{padding:10px 8px 12px 16px}
.item+.item{border-top:1px solid var(--line)}
.item .description{margin:4px 8px 4px 0;white-space:pre-wrap;overflow-wrap:anywhere}
.item .actions{display:flex;opacity:.65}
.item:hover .actions,.item:focus-within .actions{opacity:1}
.chip{display:inline-flex;align-items:center;gap:6px;font-size:12px;font-weight:600}
.chip::before{content:'';width:8px;height:8px;border-radius:50%;background:currentColor}
.pending{color:var(--amber)}.in-progress{color:var(--blue)}.completed{color:var(--green)}.failed{color:var(--red)}
.chip.in-progress::before{animation:pulse 1.6s ease-in-out infinite}
.meta{font-size:12px;color:var(--muted)}
.steps{list-style:none;margin:8px 8px 0 0;padding:0;display:grid;gap:4px}
.step{display:grid;grid-template-columns:16px 1fr;gap:6px;align-items:start;font-size:12.5px;color:var(--muted)}
.step i{font-style:normal;width:14px;height:14px;margin-top:2px;border-radius:50%;border:1.5px solid var(--line);display:grid;place-items:center;font-size:9px;line-height:1}
.step.in-progress{color:var(--text)}
.step.in-progress i{border-color:var(--blue);border-right-color:transparent;animation:turn 1s linear infinite}
.step.completed i{background:var(--green);border-color:var(--green);color:var(--surface)}
.step.failed i{background:var(--red);border-color:var(--red);color:var(--surface)}
.message{margin:8px 8px 0 0;padding:7px 10px;border-radius:9px;background:var(--raised);color:var(--text);font-size:12.5px;white-space:pre-wrap;overflow-wrap:anywhere}
.message b{display:block;font-size:11.5px;font-weight:600;color:var(--muted)}
.note{position:absolute;left:0;top:0;width:min(360px,calc(100% - 24px));padding:12px}
.note .code{margin-bottom:8px}
.note .row,.editing .row{margin-top:8px}
.note .muted{font-size:11.5px;line-height:1.3}
.banner{position:absolute;top:16px;left:50%;transform:translateX(-50%);max-width:calc(100% - 24px);width:max-content;padding:10px 10px 10px 16px;display:flex;align-items:center;gap:14px}
.banner p{margin:0}
.banner .reason{color:var(--text);overflow-wrap:anywhere}
.banner .hint{font-size:12px;color:var(--muted)}
.toasts{position:absolute;left:16px;bottom:16px;display:grid;gap:8px;max-width:min(340px,calc(100% - 32px))}
.toast{padding:9px 14px;overflow-wrap:anywhere;animation:rise .18s ease-out}
.toast b{font-weight:600}
@keyframes rise{from{opacity:0;transform:translateY(6px)}}
@keyframes pulse{50%{opacity:.35}}
@keyframes turn{to{transform:rotate(1turn)}}
@media (max-width:480px){
.bar{right:12px;bottom:12px}.panel{right:12px;left:12px;width:auto;bottom:66px}.toasts{left:12px;right:12px;bottom:66px}
.banner{top:12px;width:calc(100% - 24px)}.banner .grow{flex:1}
}
@media (prefers-reduced-motion:reduce){*,*::before{animation:none!important}}
@media (forced-colors:active){.box{border-color:Highlight}.chip::before,.dot{forced-color-adjust:none}}
`;

export const css = HOST + BASE + PARTS;
