import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { elementCount } from '../weights/tensor.js'
import type { TrainConfig } from './config/selector-settings.js'
import { adamWSettings } from './config/shared-settings.js'
import { createEngine, type Engine, type Precision } from './kernels/engine.js'
import { createAdamW, type Optimiser } from './optimiser/adamw.js'
import { createEmbeddings, type EmbeddingTable, type PolicyQuery } from './policy/embeddings.js'
import { createPolicy, type Policy } from './policy/policy.js'
import { BACKBONE, type PolicyShape, tensorsOf } from './policy/shape.js'
import type { Query, Task } from './tasks/task.js'

/** What a training works with: one engine, one table of embeddings, and policies that share them. */
export interface Session {
  readonly engine: Engine
  readonly shape: PolicyShape
  readonly queryOf: (query: Query) => PolicyQuery
  /** A policy with these parts frozen; its parameters are zeros until they are loaded. */
  readonly policyWith: (frozen: readonly string[]) => Policy
  /** A policy that is only asked: all of it is frozen, so it computes each image and each query once. */
  readonly frozenPolicy: () => Policy
  readonly optimiserOf: (policy: Policy) => Optimiser
}

export function openSession(task: Task, config: TrainConfig, precision: Precision = 'float32'): Session {
  const engine = createEngine(precision)
  const shape = shapeOf(task, config)
  const table = tableOf(engine, task)
  const firstCandidate = task.queryEmbeddings.rows
  const asked = task.queries.map(
    ({ row, pool }): PolicyQuery => ({ query: row, candidates: pool.map(candidate => firstCandidate + candidate) }),
  )
  return {
    engine,
    shape,
    queryOf: ({ index }) => asked[index],
    policyWith: frozen => createPolicy(engine, shape, { frozen: partsOf(frozen, shape), embeddings: table }),
    frozenPolicy: () => {
      const frozen = tensorsOf(shape).map(({ name }) => name)
      return createPolicy(engine, shape, { frozen, embeddings: table })
    },
    optimiserOf: ({ parameters }) => createAdamW(parameters, adamWSettings(config)),
  }
}

function shapeOf({ queryEmbeddings }: Task, { policy }: TrainConfig): PolicyShape {
  const { form, hidden, heads, layers, shots, temperature } = policy
  return { form, width: queryEmbeddings.width, hidden, heads, layers, shots, temperature }
}

/** How many numbers the policy that a config asks for is made of. */
export function parameterCount(task: Task, config: TrainConfig): number {
  const sizes = tensorsOf(shapeOf(task, config)).map(({ dimensions }) => elementCount(dimensions))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Queries first, then candidates. */
function tableOf(engine: Engine, { queryEmbeddings, candidateEmbeddings }: Task): EmbeddingTable {
  const { width } = queryEmbeddings
  const values = new (engine.precision === 'float32' ? Float32Array : Float64Array)(
    (queryEmbeddings.rows + candidateEmbeddings.rows) * width,
  )
  values.set(queryEmbeddings.values)
  values.set(candidateEmbeddings.values, queryEmbeddings.rows * width)
  return createEmbeddings(engine, values, width)
}

/** `backbone` stands for what the original freezes; a form without one of its parts has nothing to freeze there. */
function partsOf(frozen: readonly string[], shape: PolicyShape): readonly string[] {
  const names = tensorsOf(shape).map(({ name }) => name)
  const isThere = (prefix: string): boolean => names.some(name => name.startsWith(prefix))
  const unknown = frozen.find(part => part !== 'backbone' && !isThere(part))
  if (unknown !== undefined) {
    const parts = ['backbone', ...new Set(names.map(name => name.split('.')[0]))].join(', ')
    throw new Problem('bad-request', message('train.nothing-to-freeze', { part: unknown, parts }))
  }
  return frozen.flatMap(part => (part === 'backbone' ? BACKBONE.filter(isThere) : [part]))
}
