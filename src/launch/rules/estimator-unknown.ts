import { closestWord } from '../../model/vocabulary/suggest.js'
import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'
import { schemaName } from '../schema/schema.js'

const say = sentences({
  'launch.estimator-unknown': {
    en: '{schema} has no advantage estimator {name}; it knows {known}',
    zh: '{schema} 没有优势估计器 {name}；已有 {known}',
  },
  'launch.estimator-unknown.remedy': {
    en: 'take one of them, or register {name} with register_adv_est before the trainer starts',
    zh: '改用其中之一，或在训练开始前用 register_adv_est 注册 {name}',
  },
  'launch.estimator-unknown.remedy.near': { en: 'write {guess}', zh: '改为 {guess}' },
})

export const estimatorUnknown: LaunchRule = {
  id: 'estimator-unknown',
  severity: 'error',
  about: { en: 'An advantage estimator that the release does not register.', zh: '该版本没有注册的优势估计器。' },
  check({ schema, setting }) {
    const { value, written } = setting('algorithm')
    if (schema?.framework !== 'verl' || schema.estimators === null || written === null) return
    if (typeof value !== 'string' || schema.estimators.includes(value)) return
    const guess = closestWord(value, schema.estimators)
    return {
      key: written.key,
      line: written.line,
      message: say('launch.estimator-unknown', {
        schema: schemaName(schema),
        name: value,
        known: schema.estimators.join(', '),
      }),
      remedy:
        guess === null
          ? say('launch.estimator-unknown.remedy', { name: value })
          : say('launch.estimator-unknown.remedy.near', { guess }),
    }
  },
}
