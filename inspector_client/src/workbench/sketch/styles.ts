/** The ink and its halo are those of the companion's pictures. */
export const sketchCss = `
.sketch{position:absolute;inset:0;width:100%;height:100%;fill:none;stroke-linecap:round;stroke-linejoin:round;forced-color-adjust:none}
.halo{stroke:#fff;stroke-width:7}
.ink{stroke:#e0243c;stroke-width:3}
.glass{position:absolute;inset:0;pointer-events:auto;cursor:crosshair;touch-action:none;z-index:1}
.drawing{position:absolute;z-index:1;top:16px;left:50%;translate:-50%;width:max-content;max-width:98%;display:flex;flex-wrap:wrap;align-items:center;gap:8px;padding:8px;pointer-events:auto;background:var(--surface);border:1px solid var(--line);border-radius:9px;box-shadow:0 8px 24px #0003}
.drawing.low{top:auto;bottom:72px}
.words{flex-wrap:wrap;gap:6px;margin-top:8px}
.remarks:not(:empty){margin-bottom:8px}
.segments{display:flex;border:1px solid var(--line);border-radius:9px}
.segments button{min-width:24px;min-height:24px;padding:2px 5px;font-size:12px;color:var(--muted)}
.said{font-size:12px;padding:0 6px;border-radius:9px;border:1px solid var(--line);color:var(--muted)}
.said.high{color:var(--surface);background:light-dark(#c22,#f77);border-color:#0000}
.segments [aria-checked=true]{background:var(--tint);color:var(--accent);font-weight:600}
`;
