import { Problem } from '../../model/problem.js'
import { sentences } from '../../text/sentences.js'
import type { FunctionTask } from '../function/function.js'
import { INTERACT } from '../interact-tool.js'
import type { PlayerTurn, Policy } from '../policy.js'
import { callText, saidBy } from '../tool-calls.js'

/** Scripts for hidden formulas: `oracle` knows the value, `prober` looks up the test and answers with what it last heard there. */

const say = sentences({
  'gym.function.unknown-script': {
    en: 'there is no scripted policy "{name}" for this gym; there are {known}',
    zh: '该 gym 没有名为“{name}”的脚本策略；可用的有 {known}',
  },
})

const SCRIPTS = ['oracle', 'prober', 'silent'] as const

export function functionScript(name: string): Policy<FunctionTask> {
  if (!SCRIPTS.some(known => known === name)) {
    throw new Problem('bad-request', say('gym.function.unknown-script', { name, known: SCRIPTS.join(', ') }))
  }
  return {
    label: `scripted:${name}`,
    settings: { policy: `scripted:${name}` },
    open({ task: { formula, test } }) {
      let turn = 0
      return {
        next(heard): PlayerTurn {
          turn += 1
          if (name === 'silent') return saidBy('I do not know.')
          if (name === 'oracle') return calling('answer', String(formula(test)))
          if (turn === 1) return calling('search', 'test')
          return turn === 2 ? calling('action', heard[0]) : calling('answer', heard[0])
        },
      }
    },
  }
}

function calling(choice: string, content: string): PlayerTurn {
  return saidBy(callText({ name: INTERACT.name, arguments: { choice, content } }))
}
