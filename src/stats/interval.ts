/** An estimate with the range that its method covers at a stated level. */
export interface Interval {
  readonly estimate: number
  readonly low: number
  readonly high: number
  /** Such as 0.95. */
  readonly level: number
}
