import { parseArgs } from 'node:util'
import { campaigns } from './campaigns.js'
import { torture } from './torture.js'

/** `npm run torture -- [--minutes N] [--seed N] [--campaign NAME] [--trial N]`: until Ctrl-C or N minutes. */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    campaign: { type: 'string' },
    trial: { type: 'string' },
  },
})
const chosen = campaigns.filter(({ name }) => values.campaign === undefined || name === values.campaign)
if (chosen.length === 0) {
  console.error(`no campaign "${values.campaign}"; there are ${campaigns.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const seed = Number(values.seed)
const deadline = performance.now() + Number(values.minutes) * 60_000
let isStopped = false
process.once('SIGINT', () => {
  isStopped = true
})
console.log(`seed ${seed}; Ctrl-C stops after the trial`)
const tally = new Map(chosen.map(({ name }) => [name, { trials: 0, failures: 0 }]))
const first = Number(values.trial ?? 0)
for (let number = first; !isStopped && performance.now() < deadline; number += 1) {
  for (const campaign of chosen) {
    if (isStopped || performance.now() >= deadline) break
    const failure = await torture(campaign, seed, number)
    const counts = tally.get(campaign.name)
    if (counts === undefined) continue
    counts.trials += 1
    if (failure === null) continue
    counts.failures += 1
    console.error(failure)
  }
  if (values.trial !== undefined) break
}
for (const [name, { trials, failures }] of tally) console.log(`${name}: ${trials} trials, ${failures} failures`)
process.exitCode = [...tally.values()].some(({ failures }) => failures > 0) ? 1 : 0
