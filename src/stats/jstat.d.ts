/** The part of jStat that klens uses; the package brings no types. */
declare module 'jstat' {
  interface Distribution<Parameters extends readonly number[]> {
    pdf(x: number, ...parameters: Parameters): number
    cdf(x: number, ...parameters: Parameters): number
    inv(p: number, ...parameters: Parameters): number
  }

  const jstat: {
    readonly jStat: {
      readonly studentt: Distribution<[degrees: number]>
      readonly centralF: Distribution<[numerator: number, denominator: number]>
      readonly chisquare: Distribution<[degrees: number]>
      readonly beta: Distribution<[a: number, b: number]>
      readonly normal: Distribution<[mean: number, deviation: number]>
      readonly gammaln: (x: number) => number
    }
  }
  export default jstat
}
