import type { ReplayAnswer } from '../../ask/gym-replay.js'
import type { Context } from '../context.js'
import { printable } from './style.js'

const MOST_DIFFERENCES = 20

export function printReplay(context: Context, { episodes, transitions, differences }: ReplayAnswer): void {
  const count = differences.length
  context.print(
    count === 0
      ? context.say('gym.replay.equal', { episodes, transitions })
      : context.say('gym.replay.different', { episodes, transitions, count }),
  )
  for (const { episode, step, member, recorded, replayed } of differences.slice(0, MOST_DIFFERENCES)) {
    const was = printable(JSON.stringify(recorded), 120)
    const is = printable(JSON.stringify(replayed), 120)
    context.print(
      `  ${context.say('gym.replay.difference', { episode, step: step + 1, member, recorded: was, replayed: is })}`,
    )
  }
}
