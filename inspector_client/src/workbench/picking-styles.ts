/** Of what is drawn while one picks. The four colours are those of DevTools. */
export const pickingCss = `
.ring{position:absolute;left:0;top:0;width:1px;height:1px;transform-origin:0 0;will-change:transform;forced-color-adjust:none}
.ring.outline{background:var(--accent)}
.ring.margin{background:#f6b26ba8}
.ring.edge{background:#ffe599a8}
.ring.padding{background:#93c47d8c}
.ring.content{background:#6fa8dca8}
.box.bare{background:none}
.box.chosen{outline-style:dashed}
.box.chosen[data-number]:before{content:attr(data-number);position:absolute;left:-2px;bottom:100%;min-width:18px;padding:0 4px;background:var(--accent);color:var(--surface);font:700 12px/18px system-ui;text-align:center;border-radius:5px 5px 0 0}
.tip{position:absolute;left:0;top:0;display:block;max-width:min(600px,98%);padding:2px 8px;background:var(--surface);border:1px solid var(--line);border-radius:9px;box-shadow:0 8px 24px #0003;overflow-wrap:anywhere;pointer-events:none;font:12px/1.5 ui-monospace,monospace;will-change:transform}
.tip b{color:var(--accent)}
.tip>:not([hidden],.way){margin-right:8px}
.way{color:var(--muted)}
`;
