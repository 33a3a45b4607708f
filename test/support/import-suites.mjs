/**
 * Makes mocha load suites with `import()` alone. It would `require()` them where Node can, and a source loader such as
 * tsx then makes a second copy of every module, beside the one that the kernel imports plugins with.
 */
Object.defineProperty(process.features, 'require_module', { value: false });
