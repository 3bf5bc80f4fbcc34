import type { Command } from 'commander'
import { type DamagedRun, doctor } from '../ask/doctor.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly repair?: boolean
}

export function doctorVerb(context: Context): Command {
  return verb('doctor', context.say('doctor.about', {}), context)
    .argument('[id...]', context.say('doctor.ids', {}))
    .option('--repair', context.say('doctor.option.repair', {}))
    .action(async (runs: string[], { json = false, repair = false }: Options) => {
      const answer = await interruptible(signal => context.ask(doctor, { runs, repair }, { signal }))
      if (json) {
        context.printJson(answer)
      } else {
        for (const run of answer.damaged) printDamaged(context, run)
        const { workspace: path, checked, damaged } = answer
        context.print(context.say('doctor.summary', { path: printable(path, 200), checked, damaged: damaged.length }))
        const { withoutChecksums } = answer
        if (withoutChecksums > 0) context.print(context.say('doctor.no-checksums', { n: withoutChecksums }))
        if (damaged.length > 0 && !repair) context.print(context.say('doctor.how-to-repair', {}))
      }
      if (answer.damaged.some(run => run.repair === null)) process.exitCode = 1
    })
}

function printDamaged(context: Context, { id, name, damage, remedy, repair, failure }: DamagedRun): void {
  const { paint } = context
  context.print(`${paint('dim', id)}  ${paint('bold', name === null ? '' : printable(name, 48))}`.trimEnd())
  for (const { message } of damage) context.print(paint('red', `  ${printable(message, 400)}`))
  if (repair !== null) {
    context.print(`  → ${context.say(`doctor.did.${repair.did}`, { aside: printable(repair.aside, 200) })}`)
  } else if (failure !== null) {
    context.print(`  → ${context.say('doctor.failed', { reason: printable(failure, 400) })}`)
  } else {
    context.print(`  → ${context.say(`doctor.would.${remedy}`, {})}`)
  }
  context.print('')
}
