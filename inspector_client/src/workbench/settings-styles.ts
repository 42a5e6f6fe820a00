export const settingsCss = `
.settings{padding:8px 16px 16px}
.settings h3{font-size:13px;margin:8px 0 4px}
.settings .row{min-height:36px}
.settings input[type=text],.settings select{width:130px;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:9px;padding:4px 8px}
.settings button:disabled{visibility:hidden}
.settings option{color:var(--text);background:var(--surface)}
.settings input[type=checkbox]{width:18px;height:18px;accent-color:var(--accent)}
`;
