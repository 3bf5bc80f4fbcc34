import type { Message } from '../../model/run.js'
import { configuredSettings } from '../../model/vocabulary/config-lookup.js'
import { closestWord } from '../../model/vocabulary/suggest.js'
import { message } from '../../text/say.js'

/** A key that is no setting, and which one was probably meant: a slip, another trainer's name, or half of the path. */
export function unknownKey(key: string, settings: readonly string[]): Message {
  const suggestion = closestWord(key, settings) ?? byOtherName(key, settings) ?? byWords(key, settings)
  if (suggestion !== null) return message('train-config.unknown-suggest', { key, suggestion })
  const section = key.slice(0, key.lastIndexOf('.') + 1)
  const beside = section === '' ? [] : settings.filter(setting => setting.startsWith(section))
  if (beside.length === 0) return message('train-config.unknown', { key })
  return message('train-config.unknown-in-section', { key, settings: beside.join(', ') })
}

/** Canonical settings that `klens train` splits by phase or keeps under another name. */
const HERE: { readonly [canonical: string]: string } = {
  lr: 'lr.grpo',
  epochs: 'epochs.grpo',
  dropout: 'dropout.hidden',
  'clip.range': 'clip.low',
  'adv.rank': 'adv.kind',
  'adv.scale': 'adv.kind',
  'model.freeze': 'freeze.grpo',
  temperature: 'policy.temperature',
}

/** `kl_beta`, `num_generations`, `max_grad_norm`: what Lever-Plus and the frameworks call it. */
function byOtherName(key: string, settings: readonly string[]): string | null {
  const [canonical] = configuredSettings({ [key]: null }, 'lever-plus').keys()
  if (canonical === undefined) return null
  const here = Object.hasOwn(HERE, canonical) ? HERE[canonical] : canonical
  return settings.includes(here) ? here : null
}

/** `kl.coef` for `kl.loss.coef`: the first setting that holds all of its words. */
function byWords(key: string, settings: readonly string[]): string | null {
  const words = wordsOf(key)
  return settings.find(setting => words.every(word => wordsOf(setting).includes(word))) ?? null
}

function wordsOf(key: string): readonly string[] {
  return key.toLowerCase().split(/[._-]/)
}
