// How the console's page is built: into console/dist, which is kept in the repository so that starting the service
// needs no build. Same sources, same bytes.
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the service can stand behind a proxy under a path of its own.
  base: './',
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: 'dist',
    assetsDir: 'console/assets',
    emptyOutDir: true,
    target: 'es2023',
    // The page's policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rollupOptions: {
      // Comments of a library that the bundler cannot place; nothing of ours.
      onwarn: (warning, warn) => warning.code !== 'INVALID_ANNOTATION' && warn(warning),
    },
  },
  // For work on the page itself: `npx vite console` beside a running service.
  server: {
    proxy: { '/api': 'http://127.0.0.1:8080', '/v1': 'http://127.0.0.1:8080', '/files': 'http://127.0.0.1:8080' },
  },
})
