"""Chrome over the Chrome DevTools Protocol (CDP): one connection to the browser, a session for each tab."""
