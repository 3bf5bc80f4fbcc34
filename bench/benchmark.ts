/** A benchmark answers with tables of plain numbers; how they are printed is decided in one place. */
export interface Benchmark {
  readonly name: string
  readonly about: string
  run(settings: Settings): Promise<Table | readonly Table[]>
}

export interface Settings {
  /** A tenth of everything, for a quick look. */
  readonly small: boolean
  /** Each figure is the best of so many. */
  readonly rounds: number
  /** In the benchmark's own unit, which its `about` names; undefined takes its default. */
  readonly size: number | undefined
}

export interface Table {
  readonly title: string
  readonly rows: readonly Figures[]
}

/** Column names say the unit. */
export interface Figures {
  readonly what: string
  readonly [column: string]: number | string
}

export function sizeOf({ size, small }: Settings, usual: number): number {
  return size ?? (small ? usual / 10 : usual)
}
