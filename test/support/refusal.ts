import { expect } from 'vitest'
import { Problem, sentencesOf } from '../../src/logs/model/problem.js'
import { render } from '../../src/text/sentences.js'

/** What somebody who asked for this is told, in English. Fails where nothing or something else is thrown. */
export async function refusal(asked: Promise<unknown> | (() => unknown)): Promise<string> {
  const thrown = await (async () => (typeof asked === 'function' ? asked() : asked))().then(
    () => 'nothing',
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(Problem)
  return thrown instanceof Problem
    ? sentencesOf(thrown)
        .map(said => render(said, 'en'))
        .join(' ')
    : ''
}
