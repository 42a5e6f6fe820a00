/** Of the list of inspections and of their markers on the page. */
export const queueCss = `
.markers{position:absolute;inset:0}
.marker,.number{width:20px;height:20px;padding:0;border-radius:9px;font:700 11px/20px system-ui;text-align:center;background:var(--status);color:var(--surface)}
.marker{position:absolute;left:-12px;top:-12px;width:24px;height:24px;font-size:12px;line-height:24px;display:block;pointer-events:auto;border-radius:20px;box-shadow:0 0 0 1px var(--surface),0 1px 4px #0006}
.marker:hover{background:var(--status);scale:1.2}
.marker.approximate{background:var(--surface);color:var(--status);outline:2px dashed var(--status);outline-offset:-2px}
.marker.approximate:hover{background:var(--surface)}
.marker:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.number{flex:none}
.actions,.filter,.done{padding:4px 16px}
.filter{flex-wrap:wrap;padding-bottom:8px}
.filter :is(input,select){font:inherit;color:inherit;background:var(--raised);border:0;border-radius:9px;padding:4px 8px;min-width:0}
.filter input{flex:1 1 96px}
.quiet{padding:4px 8px}
.more{width:100%;padding:8px 16px}
.head{gap:4px}
.head .number{margin-inline-end:4px}
.item .grow{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.end{justify-content:flex-end;margin-top:8px;flex-wrap:wrap}
.item:focus-visible{outline-offset:-2px}
.item.moving{background:var(--raised);opacity:.8}
.grip{cursor:grab;touch-action:none;padding:4px 3px;margin-inline-start:-15px}
.grip svg{stroke-width:3;stroke-linecap:round}
.fold{text-align:start;color:var(--muted)}
.fold:before{content:'▸ '}
.fold[aria-expanded=true]:before{content:'▾ '}
.finished .description{color:var(--muted)}
.thread{margin-top:8px;display:grid;gap:8px}
.reply{padding:4px 8px;border-radius:9px;background:var(--raised)}
.by-user{background:var(--tint)}
.done{border-top:1px solid var(--line)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.toast.row{pointer-events:auto}
.toast+div .toast{margin-top:8px}
@media(max-width:480px){:host .toasts{top:auto;bottom:72px}}
`;
