import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { forShell } from './shell.js'

it.each(["kl-0.1'$(touch PWNED)'", 'a b', '`id`', "it's", '$HOME', '\\', '"'])(
  'a shell reads %s as the one word that it is',
  word => {
    expect(execFileSync('sh', ['-c', `printf %s ${forShell(word)}`], { encoding: 'utf8' })).toBe(word)
  },
)
