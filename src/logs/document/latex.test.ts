import { expect, test } from 'vitest'
import { readDocument } from './document.js'

function read(text: string) {
  const [statement] = readDocument('x.md', text).statements
  return statement
}

test.each([
  ['from $40.3$ to $43.4$, by $7.7\\%$', 'from 40.3 to 43.4, by 7.7%'],
  ['\\textsc{Ours} reaches \\textbf{80.3} \\cite{grpo}.', 'Ours reaches 80.3 .'],
  ['$\\beta=0.04$ and $1.15\\times$', 'β=0.04 and 1.15×'],
  ['a budget of $2{,}000$ updates', 'a budget of 2,000 updates'],
  ['it costs $3 to $5 a task', 'it costs $3 to $5 a task'],
])('reads %s as it is shown', (written, shown) => {
  expect(read(written).text).toBe(shown)
})

test('knows where in the file a number stands that LaTeX wraps', () => {
  const text = 'The gain is $4.9$ points over \\textbf{PPO}.'
  const { quantities, offsetOf } = read(text)
  expect(quantities.map(({ from, value }) => [text.slice(offsetOf(from)).slice(0, 3), value])).toEqual([['4.9', 4.9]])
})

test('reads a sentence that its editor wrapped as one, and lines of a list of facts as several', () => {
  const wrapped = 'The reward of the run with the longer schedule rose from 0.412\nto 0.526 over the whole training.'
  expect(readDocument('x.md', wrapped).statements.map(({ text }) => text)).toEqual([wrapped.replace('\n', ' ')])
  const facts = '**Model**: a model of eight billion parameters, dense, bf16\n**Steps**: 400'
  expect(readDocument('x.md', facts).statements).toHaveLength(2)
})

test('takes the percent sign of a header for its cells', () => {
  const [table] = readDocument('x.md', '| run | accuracy (%) |\n|---|---|\n| a | 61.4 |').tables
  expect(table.rows[0][1].quantities.map(({ unit }) => unit)).toEqual(['%'])
})
