export const exchangeCss = `
.byhand{position:absolute;z-index:2;right:16px;bottom:72px;width:min(360px,100% - 32px);padding:8px 16px;pointer-events:auto;background:var(--surface);border:1px solid var(--line);border-radius:9px;box-shadow:0 8px 24px #0003}
.byhand textarea{height:160px;margin:8px 0}
`;
