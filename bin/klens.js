#!/usr/bin/env node
import('../dist/cli/main.js').then(
  ({ main }) => main(),
  error => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('klens is not built yet: run "npm ci" (or "npm run build") in its folder.\n')
    process.exitCode = 2
  },
)
