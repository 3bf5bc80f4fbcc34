import { shownName } from '../../store/manifest.js'
import { type Confound, confounds } from '../confounds.js'
import { knobsTurned } from '../differing-settings.js'
import type { WorkspaceRun } from './workspace-noise.js'

/**
 * Several knobs turned at once: none can be credited. The way out is a run that turns only one of them; sometimes the
 * workspace already holds it.
 */
export interface Attribution {
  readonly knobs: readonly string[]
  /** With more than one knob turned, the one whose single turn would separate most: the KL if it is among them. */
  readonly smallestFix: string | null
  /** Runs at hand that turn exactly one of the knobs, to the value that the other side has. */
  readonly separating: readonly { readonly knob: string; readonly run: string }[]
}

const MOST_NAMED = 4

export function attribution(
  differing: readonly Confound[],
  baseline: WorkspaceRun,
  other: WorkspaceRun,
  all: readonly WorkspaceRun[],
): Attribution {
  const knobs = knobsTurned(differing)
  if (knobs.length < 2) return { knobs, smallestFix: null, separating: [] }
  const wanted = new Map(knobs.map(knob => [knob, turnOf(differing, knob)]))
  const separating = new Map<string, string>()
  for (const near of all) {
    if (near.setting === baseline.setting || near.setting === other.setting) continue
    const apart = confounds([baseline.run, near.run])
    const [knob] = knobsTurned(apart)
    if (knob === undefined || separating.has(knob)) continue
    if (apart.some(confound => !belongs(confound, knob, differing))) continue
    if (turnOf(apart, knob) === wanted.get(knob)) separating.set(knob, shownName(near.run.manifest))
  }
  return {
    knobs,
    smallestFix: knobs.find(knob => !separating.has(knob)) ?? null,
    separating: [...separating].slice(0, MOST_NAMED).map(([knob, run]) => ({ knob, run })),
  }
}

/** Part of turning this knob alone: the knob itself, the length, or a note that the other side carries just the same. */
function belongs({ key, values, knob }: Confound, turned: string, differing: readonly Confound[]): boolean {
  if (knob !== null) return knob === turned || knob === 'steps'
  const there = differing.find(confound => confound.key === key)
  return there !== undefined && JSON.stringify(there.values) === JSON.stringify(values)
}

/** What a knob was turned to, known keys only: a note beside it does not make it another turn. */
function turnOf(differing: readonly Confound[], knob: string): string {
  const turned = differing.filter(confound => confound.knob === knob && confound.key.split('.')[0] === knob)
  return JSON.stringify(turned.map(({ key, values }) => [key, values[1]]))
}
