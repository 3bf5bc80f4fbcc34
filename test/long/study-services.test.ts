import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isAlive } from '../../src/core/store/process.js'
import { ended, startKlens } from '../cli.js'
import { servedStudy } from '../support/served-study.js'

/** Numbers of the keepers that this study has started, living or not. */
function keepers(folder: string): readonly number[] {
  const services = join(folder, '.klens', 'studies', 'served', 'services')
  const leases = readdirSync(services, { recursive: true }).filter(name => /lease\.\d+$/.test(String(name)))
  return leases.map(name => JSON.parse(readFileSync(join(services, String(name)), 'utf8')).pid)
}

it('services of a study end when klens and its trials are killed', async () => {
  const { folder, hash } = servedStudy(text => text.replace('steps: 60', 'steps: 60, pause.ms: 200'))
  const child = startKlens(folder, ['study', 'run', 'served.yaml', '--trust', hash])
  const services = join(folder, '.klens', 'studies', 'served', 'services')
  const isUp = (): boolean => {
    try {
      return readdirSync(services, { recursive: true }).some(name => String(name).endsWith('state.json'))
    } catch {
      return false
    }
  }
  while (!isUp()) await pause(20)
  const [keeper] = keepers(folder)
  expect(isAlive(keeper)).toBe(true)
  child.kill('SIGKILL')
  await ended(child)
  const jobs = join(folder, '.klens', 'studies', 'served', 'jobs')
  for (const claim of readdirSync(jobs).filter(name => name.endsWith('.claim'))) {
    process.kill(-Number(readFileSync(join(jobs, claim), 'utf8').split('\n')[0]), 'SIGKILL')
  }
  for (let looks = 0; looks < 300 && isAlive(keeper); looks += 1) await pause(100)
  expect(isAlive(keeper)).toBe(false)
}, 60_000)
