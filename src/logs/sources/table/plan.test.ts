import { describe, expect, it } from 'vitest'
import { HEAD_BYTES, type Hints, type SourceFile } from '../source.js'
import { readTableHead } from './head.js'
import { lackOfTable, planTable } from './plan.js'

function fileOf(text: string, name = 'x.csv'): SourceFile {
  const bytes = Buffer.from(text)
  return { path: `/runs/${name}`, size: bytes.length, modifiedMs: 0, head: bytes.subarray(0, HEAD_BYTES) }
}

function planOf(text: string, hints: Hints = {}) {
  const head = readTableHead(fileOf(text))
  return head === null ? null : planTable(head, hints)
}

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join('\n')

describe('the step column', () => {
  it.each([
    'step',
    'Step',
    ' global_step ',
    'Global Step',
    '_step',
    'training/global_step',
    'train/global_step',
    'iteration',
    'iter',
    'update',
    'epoch',
    'episode',
    'round',
    't',
    '步数',
    '轮次',
  ])('is known by the name "%s"', name => {
    expect(planOf(`loss,${name}\n0.5,1\n0.4,2\n`)?.step).toBe(name.trim())
  })

  it('is step rather than epoch, wherever they stand', () => {
    expect(planOf('epoch,loss,step\n0.1,0.5,1\n0.2,0.4,2\n')?.step).toBe('step')
  })

  it('is the one the user names', () => {
    expect(planOf('step,tokens,loss\n1,100,0.5\n2,200,0.4\n', { step: 'Tokens' })?.step).toBe('tokens')
  })

  it('is chosen as if nothing had been said when the named column does not exist', () => {
    expect(planOf('step,loss\n1,0.5\n2,0.4\n', { step: 'tokens' })?.step).toBe('step')
  })

  it('is not guessed', () => {
    expect(planOf('batch,loss\n1,0.5\n2,0.4\n')).toBeNull()
  })

  it('holds numbers', () => {
    expect(planOf('step,iter,loss\nwarmup,1,0.5\nmain,2,0.4\n')?.step).toBe('iter')
  })

  it('counts: a column that stays at one value does not', () => {
    expect(planOf(`step,iter,loss\n${rows(5, i => `0,${i},0.5`)}`)?.step).toBe('iter')
    expect(planOf('step,loss\n0,0.5\n0,0.4\n')?.step).toBe('step')
  })

  it('counts as finely as the rows: an epoch of a hundred rows does not', () => {
    expect(planOf(`epoch,loss\n${rows(100, i => `${Math.floor(i / 50)},0.5`)}`)).toBeNull()
  })

  it('may stay the same from row to row in a long table or one of several runs', () => {
    expect(planOf(`step,metric,value\n${rows(100, i => `0,m${i},0.5`)}`)?.step).toBe('step')
    expect(planOf(`run,step,loss\n${rows(100, i => `r${i},400,0.5`)}`)?.step).toBe('step')
  })
})

describe('lackOfTable', () => {
  it('is said of numbers without a step', () => {
    expect(lackOfTable(fileOf('batch,loss\n1,0.5\n'))?.key).toBe('skip.no-step')
    expect(lackOfTable(fileOf('{"batch":1,"loss":0.5}\n', 'x.jsonl'))?.key).toBe('skip.no-step')
    expect(lackOfTable(fileOf('[{"batch":1,"loss":0.5}]', 'x.json'))?.key).toBe('skip.no-step')
  })

  it('is not said where there is a step, or no table', () => {
    expect(lackOfTable(fileOf('step,loss\n1,0.5\n'))).toBeNull()
    expect(lackOfTable(fileOf('{"question":"why?"}\n', 'x.jsonl'))).toBeNull()
    expect(lackOfTable(fileOf('Dear all,\nsee below, please.\n', 'x.txt'))).toBeNull()
    expect(lackOfTable(fileOf('\0\0\0\0'))).toBeNull()
    expect(lackOfTable(fileOf(''))).toBeNull()
  })
})

describe('the other columns', () => {
  it('tell the time only if every cell is a time', () => {
    expect(planOf('step,time,timestamp\n1,0.5,1700000000\n2,1.0,1700000001\n')?.time).toBe('timestamp')
    expect(planOf('Wall time,Step,Value\n1700000000.5,1,0.5\n1700000001.5,2,0.4\n')?.time).toBe('Wall time')
  })

  it('name runs', () => {
    expect(planOf('run,step,loss\na,1,0.5\nb,1,0.4\n')?.run).toBe('run')
    expect(planOf('step,loss,name\n1,0.5,a\n2,0.4,a\n1,0.4,b\n')?.run).toBe('name')
  })

  it('do not name runs by a name that never comes again', () => {
    expect(planOf('step,loss,name\n1,0.5,ckpt-1\n2,0.4,ckpt-2\n')?.run).toBeNull()
  })

  it('hold metric names in long tables', () => {
    expect(planOf('run,step,metric,value\na,1,loss,0.5\na,1,kl,0.4\n')).toMatchObject({
      run: 'run',
      long: { metric: 'metric', value: 'value' },
    })
    expect(planOf('step,name,value\n1,loss,0.5\n1,kl,0.4\n2,loss,0.5\n')).toMatchObject({
      run: null,
      long: { metric: 'name', value: 'value' },
    })
  })

  it('were rounded if all have the same few decimals', () => {
    const text = 'step,rounded,exact,count,full,short\n1,0.50,0.5,1,0.12345678,0.1\n2,0.25,0.25,2,0.23456789,0.2\n'
    expect(planOf(`${text}3,0.10,0.1,3,0.34567891,0.3\n`)?.decimals).toEqual([
      ['rounded', 2],
      ['short', 1],
    ])
  })
})
