/** Means of what an epoch saw, metric by metric; what is no number is not counted. */
export class Tally {
  readonly #sums = new Map<string, { sum: number; count: number }>()

  add(metrics: { readonly [name: string]: number | undefined }): void {
    for (const [name, value] of Object.entries(metrics)) {
      if (value === undefined || Number.isNaN(value)) continue
      const known = this.#sums.get(name) ?? { sum: 0, count: 0 }
      this.#sums.set(name, { sum: known.sum + value, count: known.count + 1 })
    }
  }

  means(): { readonly [name: string]: number } {
    return Object.fromEntries([...this.#sums].map(([name, { sum, count }]) => [name, sum / count]))
  }
}
