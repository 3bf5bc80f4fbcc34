/**
 * The float32 kernels, in AssemblyScript with 128-bit SIMD; `npm run build` compiles them to dist/train/kernels/kernels.wasm.
 * They allocate nothing: every number lives in the imported memory, and a position is an index of a float32, not a byte.
 * What each one computes is said in ../kernels.ts; ../plain.ts is the same in plain TypeScript.
 */
export { adamw, adamwOuter, floorMoments } from './adamw'
export { attend, attendBackward } from './attention'
export { addDivergenceSlopes, divergenceRows, entropyRows, logitSlopes, softmaxRows } from './distributions'
export { gated, gatedBackward } from './gated'
export { multiply, multiplyTransposed, transposedMultiply } from './matrices'
export { rmsNorm, rmsNormBackward } from './rms-norm'
export { rotate } from './rotary'
export { normaliseRows, normaliseRowsBackward } from './rows'
export { add, addToRows, gatherRows } from './token-rows'
export { addOuter, copy, matrixVector, sumOfSquares, transposedVector } from './vectors'
