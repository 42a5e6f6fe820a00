// Adds the panel to DevTools.
chrome.devtools.panels.create('Pageside', 'icons/icon16.png', 'panel.html');
