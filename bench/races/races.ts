import type { Benchmark, Figures } from '../benchmark.js'
import { load } from '../machine.js'
import { diagnoseRace } from './diagnose.js'
import { tensorboardRace, verlRace, wandbRace } from './logs.js'
import { installPeers } from './peers.js'
import { engineRace, queryRace, runsRace } from './store.js'

/** klens beside the tools that people have, on the same data, in turns. */
export const races: Benchmark = {
  name: 'races',
  about: 'klens against the readers, engines and tools that people have; needs python3 and its package index',
  async run(settings) {
    await installPeers()
    const rows: Figures[] = []
    for (const race of RACES) {
      console.error(`  ${race.name} (load ${load().toFixed(1)}) …`)
      const before = load()
      for (const row of await race(settings)) rows.push({ ...row, load: before })
    }
    return { title: 'races', rows }
  },
}

const RACES = [wandbRace, tensorboardRace, verlRace, queryRace, runsRace, diagnoseRace, engineRace]
