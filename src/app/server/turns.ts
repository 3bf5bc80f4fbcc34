/** So many at once; further ones wait, the first to come first. */
export class Turns {
  readonly #most: number
  readonly #working = new Set<Promise<unknown>>()
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  get waiting(): number {
    return this.#waiting.length
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working.size >= this.#most) await new Promise<void>(resolve => this.#waiting.push(resolve))
    const working = work()
    this.#working.add(working)
    try {
      return await working
    } finally {
      this.#working.delete(working)
      this.#waiting.shift()?.()
    }
  }

  /** When all that is being worked on now is done, or one of it failed. */
  async current(): Promise<void> {
    await Promise.all(this.#working)
  }
}
