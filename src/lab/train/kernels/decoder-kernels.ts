/**
 * What a decoder asks of the machine beside products of matrices. As in kernels.ts a vector or matrix is named by the
 * index of its first number and lies row by row; a list of indices (tokens, positions) is a list of whole numbers among
 * them. An entry of a result depends on its own row alone, to the bit: a token gets the same numbers by itself, with a
 * key/value cache, and in the midst of a batch.
 */
export interface DecoderKernels {
  /** target += source */
  add(target: number, source: number, length: number): void
  /** out[r] = table[indices[r]] */
  gatherRows(out: number, table: number, indices: number, rows: number, columns: number): void
  /** table[indices[r]] += x[r] */
  addToRows(table: number, indices: number, x: number, rows: number, columns: number): void
  /** out = weight x s, row by row, with s = 1 / sqrt(mean(x^2) + epsilon); s is kept for the way back. */
  rmsNorm(out: number, inverse: number, x: number, weight: number, rows: number, columns: number, epsilon: number): void
  /** dx = s g - x s^3 mean(g x) with g = dOut weight, added if so asked; dWeight += sum over rows of dOut x s. */
  rmsNormBackward(
    dx: number,
    dWeight: number,
    dOut: number,
    x: number,
    inverse: number,
    weight: number,
    rows: number,
    columns: number,
    accumulate: boolean,
  ): void
  /**
   * Turns numbers i and i + width/2 of each head as a pair by the angle of the row's position, in place; `direction` -1
   * turns back, which is also the reverse pass. Tables have width/2 cosines or sines for each position.
   */
  rotate(
    x: number,
    positions: number,
    cosines: number,
    sines: number,
    rows: number,
    heads: number,
    width: number,
    direction: number,
  ): void
  /**
   * Causal attention of `rows` new tokens of one sequence after `past` others; for each head h of key head g
   *   W_h = softmax(Q_h K_g^T / sqrt(width)), token i seeing the first past + i + 1 keys;   out_h = W_h V_g
   * W is kept head after head in rows of `weightStride` numbers.
   */
  attend(
    out: number,
    weights: number,
    queries: number,
    keys: number,
    values: number,
    rows: number,
    past: number,
    heads: number,
    keyHeads: number,
    width: number,
  ): void
  /**
   * dQ = dS K    dK += dS^T Q    dV += W^T dOut    with dS = W (dW - sum of W dW) / sqrt(width), dW = dOut V^T.
   * `scratch` has room for ATTENTION_BLOCK rows of dW.
   */
  attendBackward(
    dQueries: number,
    dKeys: number,
    dValues: number,
    dOut: number,
    scratch: number,
    weights: number,
    queries: number,
    keys: number,
    values: number,
    rows: number,
    past: number,
    heads: number,
    keyHeads: number,
    width: number,
  ): void
  /** out = silu(gate) up, silu(x) = x / (1 + e^-x) */
  gated(out: number, gate: number, up: number, length: number): void
  /** dUp = dOut gate s,  dGate = dOut up s (1 + gate (1 - s)),  s = 1 / (1 + e^-gate) */
  gatedBackward(dGate: number, dUp: number, dOut: number, gate: number, up: number, length: number): void
  /** p = softmax(scale z), row by row; normaliser = log of the sum of exponentials, so that log p = scale z - normaliser. */
  softmaxRows(p: number, normaliser: number, z: number, rows: number, columns: number, scale: number): void
  /** h = -sum of p log p */
  entropyRows(h: number, p: number, normaliser: number, z: number, rows: number, columns: number, scale: number): void
  /** d = sum of p (log p - log q), q the softmax of the other rows */
  divergenceRows(
    d: number,
    p: number,
    normaliser: number,
    z: number,
    otherNormaliser: number,
    other: number,
    rows: number,
    columns: number,
    scale: number,
  ): void
  /** dz = scale (a (onehot(target) - p) - b p (log p + h)), a and b the slopes in log p(target) and in h */
  logitSlopes(
    dz: number,
    a: number,
    b: number,
    targets: number,
    h: number,
    p: number,
    normaliser: number,
    z: number,
    rows: number,
    columns: number,
    scale: number,
  ): void
  /** dz += scale c p (log p - log q - d), c the slope in d */
  addDivergenceSlopes(
    dz: number,
    c: number,
    d: number,
    p: number,
    normaliser: number,
    z: number,
    otherNormaliser: number,
    other: number,
    rows: number,
    columns: number,
    scale: number,
  ): void
}

/** Queries that the attention kernels take at a time. */
export const ATTENTION_BLOCK = 32

/** From one row of attention weights to the next, for so many keys. */
export const weightStride = (keys: number): number => (keys + 3) & ~3
