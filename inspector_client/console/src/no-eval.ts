// Comes before whatever uses zod, which else tries `new Function` to see whether it may: the page's CSP reports that.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
