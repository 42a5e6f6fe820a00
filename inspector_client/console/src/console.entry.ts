// The web console: what goes on in the companion, and a form for each tool.
document.documentElement.dataset.ready = '';
