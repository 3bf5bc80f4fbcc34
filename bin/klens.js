#!/usr/bin/env node
try {
  require('../dist/cli/klens.cjs')
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error
  process.stderr.write('klens is not built yet: run "npm ci" (or "npm run build") in its folder.\n')
  process.exitCode = 2
}
