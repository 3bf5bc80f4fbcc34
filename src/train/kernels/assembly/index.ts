/**
 * The float32 kernels, in AssemblyScript with 128-bit SIMD; `npm run build` compiles them to dist/train/kernels/kernels.wasm.
 * They allocate nothing: every number lives in the imported memory, and a position is an index of a float32, not a byte.
 * What each one computes is said in ../kernels.ts; ../plain.ts is the same in plain TypeScript.
 */
export { adamw, adamwOuter } from './adamw'
export { multiply, multiplyTransposed, transposedMultiply } from './matrices'
export { normaliseRows, normaliseRowsBackward } from './rows'
export { addOuter, copy, matrixVector, sumOfSquares, transposedVector } from './vectors'
