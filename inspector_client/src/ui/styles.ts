// Important, because only so `:host` beats a page's own `* { … !important }`.
const HOST = `
all:initial;position:fixed;inset:0;display:block;width:100%;height:100%;
direction:ltr;pointer-events:none;z-index:2147483647;contain:layout style;
color-scheme:light dark;font:13px/1.45 system-ui,sans-serif;color:var(--text);
--text:light-dark(#1c1c22,#eee);--surface:light-dark(#fff,#1e1e22);--accent:light-dark(#54d,#b9a6ff);
--muted:light-dark(#5c5c66,#aaa);--line:#8884;--raised:#8882;--tint:#65f3;
`.replaceAll(';', '!important;');

const BASE = `
*{box-sizing:border-box;margin:0;padding:0}
[hidden]{display:none!important}
.bar,.panel,.note,.banner,.box,.shield,.toasts{position:absolute}
.bar,.panel,.note,.banner,.toast{background:var(--surface);border:1px solid var(--line);border-radius:9px;box-shadow:0 8px 24px #0003;pointer-events:auto;overflow-wrap:anywhere}
.row,button,.bar{display:flex;align-items:center;gap:8px}
button{font:inherit;color:inherit;background:none;border:0;border-radius:9px;padding:8px;cursor:pointer}
button:hover{background:var(--line)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
[aria-pressed=true],.count{background:var(--tint);color:var(--accent)}
.primary,.primary:hover{background:var(--accent);color:var(--surface);padding:8px 16px}
svg{width:18px;height:18px;fill:none;stroke:currentColor;stroke-width:1.5}
.small{padding:4px;color:var(--muted)}
textarea{display:block;width:100%;height:72px;font:inherit;color:inherit;background:var(--raised);border:0;border-radius:9px;padding:8px}
.code{font:12px/1.5 ui-monospace,monospace}
.code b{color:var(--accent)}
.link{display:inline;padding:0;text-decoration:underline}
.muted,.code,.size,.place{color:var(--muted)}
.muted,.count{font-size:12px}
.grow{flex:1}
.dot{margin:8px;width:8px;height:8px;border-radius:9px;background:light-dark(#a25f00,#fb4)}
.online{background:light-dark(#187a44,#4c8)}.refused{background:light-dark(#c22,#f77)}
`;

const PARTS = `
.shield{inset:0;width:100%;height:100%;border:0;pointer-events:auto;color-scheme:normal}
.bar{right:16px;bottom:16px;gap:2px;padding:4px}
.count{padding:0 6px;border-radius:9px}
.box,.note{left:0;top:0}
.box{outline:2px solid var(--accent);background:var(--tint);border-radius:3px}
.fill{width:1px;height:1px;transform-origin:0 0;outline:0;border-radius:0;will-change:transform}
.banner{pointer-events:none}
.banner button{pointer-events:auto}
.code+.editing,textarea+.row{margin-top:8px}
.banner,.note,.toasts{z-index:1}
.note{width:min(400px,100% - 32px);padding:8px}
.banner{top:16px;left:50%;translate:-50%;width:max-content;max-width:98%;padding:8px 16px}
.toasts{left:16px;top:16px;max-width:min(360px,100% - 32px)}
.toast{padding:8px 16px}
:host([data-side=left]) .bar{left:16px;right:auto}
`;

export const css = `:host{${HOST}}${BASE}${PARTS}`;
