/** Of what is drawn while one picks. The four colours are those of DevTools. */
export const pickingCss = `
.box,.tip,.ring{will-change:transform}
.ring{position:absolute;left:0;top:0;border:0 solid transparent}
.ring.margin{border-color:#f6b26ba8}
.ring.edge{border-color:#ffe599a8}
.ring.padding{border-color:#93c47d8c}
.ring.content{background:#6fa8dca8}
.box.bare{background:none}
.box.chosen{outline-style:dashed}
.box.chosen[data-number]:before{content:attr(data-number);position:absolute;left:-2px;bottom:100%;min-width:18px;padding:0 4px;background:var(--accent);color:var(--surface);font:700 12px/18px system-ui;text-align:center;border-radius:5px 5px 0 0}
.tip:not([hidden]){display:block;max-width:min(600px,98%);padding:2px 8px}
.tip>:not([hidden],.way){margin-right:8px}
.way{color:var(--muted)}
`;
