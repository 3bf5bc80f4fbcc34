import type { CompareAnswer } from '../../ask/compare.js'
import { settingLabel } from '../../text/vocabulary.js'
import type { Context } from '../context.js'
import { alignTable, printable } from './style.js'

/** In which settings the sides of a comparison differ, and what would tell their effects apart. */

type Confound = CompareAnswer['confounds'][number]

export function printSettings(context: Context, { sides, others, attribution }: CompareAnswer, at: number): void {
  const [{ label: baseline }] = sides
  const { confounds } = others[at]
  const { knobs, smallestFix, separating } = attribution[at]
  const shown = confounds.filter(
    ({ key, knob }) => !isSwitch(key, confounds) && (knobs.length === 0 || key.split('.')[0] === knob),
  )
  const count = shown.length
  const title =
    confounds.length === 0
      ? context.say('compare.no-differences', {})
      : knobs.length === 0
        ? context.say('compare.only-other-keys', {})
        : context.say(knobs.length > 1 ? 'compare.cannot-credit' : 'compare.differences', { count })
  context.print(`  ${title}`)
  const rows = shown.map(({ key, values }) => [
    `      ${printable(settingLabel(key, context.language), 40)}`,
    values.map(value => printable(valueText(context, key, value), 30)).join(' → '),
  ])
  for (const line of alignTable(rows)) context.print(line)
  const label = (knob: string): string => settingOf(context, confounds, knob)
  for (const { knob, run } of separating) {
    context.print(
      `      ${context.say('compare.separating', { run: printable(run), baseline: printable(baseline), setting: label(knob) })}`,
    )
  }
  if (smallestFix !== null) {
    context.print(
      `      ${context.say('compare.smallest-fix', { baseline: printable(baseline), setting: label(smallestFix) })}`,
    )
  }
  context.print('')
}

/** `kl.loss.on` beside `kl.loss.coef` says nothing that "off" in its place does not. */
function isSwitch(key: string, confounds: readonly Confound[]): boolean {
  return key.endsWith('.on') && confounds.some(other => other.key === key.replace(/\.on$/, '.coef'))
}

function valueText(context: Context, key: string, value: Confound['values'][number]): string {
  if (key.endsWith('.coef') && (value === null || value === 0)) return context.say('compare.off', {})
  return value === null ? '–' : String(value)
}

function settingOf(context: Context, confounds: readonly Confound[], knob: string): string {
  const keys = confounds.filter(confound => confound.knob === knob && !isSwitch(confound.key, confounds))
  return settingLabel(keys[0]?.key ?? knob, context.language)
}
